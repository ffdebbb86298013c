"""Deals: at random, from meanings exactly, and from meanings as well as a pool allows."""

from bidlab.dealing.at_random import deal_bits, random_boards, random_deal
from bidlab.dealing.conditional import Dealer, Frequency, told
from bidlab.dealing.soft import SoftSample, soft_sample

__all__ = [
    "Dealer",
    "Frequency",
    "SoftSample",
    "deal_bits",
    "random_boards",
    "random_deal",
    "soft_sample",
    "told",
]
