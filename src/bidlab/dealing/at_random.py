"""Deals at random: by number from a seed, one or millions, the same on every machine."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidlab._native import deal as _native_deal
from bidlab.bridge.boards import Board
from bidlab.bridge.errors import BidlabError
from bidlab.bridge.hands import Deal


def deal_bits(count: int, seed: int, first: int = 1) -> NDArray[np.uint64]:
    """Array [deal, seat N E S W] of 52-bit hands: deals `first`, `first` + 1 .. of a seed.

    Deal number n of a seed is always the same, whatever is dealt with it.

    >>> bool((deal_bits(3, seed=7)[2] == deal_bits(1, seed=7, first=3)[0]).all())
    True
    """
    check_number("seed", seed, 0)
    check_number("first", first, 1)
    check_number("count", count, 0)
    return _native_deal(seed, first, count)


def random_deal(seed: int, number: int = 1) -> Deal:
    """Deal number `number` of a seed."""
    return Deal.of_bits(deal_bits(1, seed, number)[0])


def random_boards(count: int, seed: int, first: int = 1) -> list[Board]:
    """Boards `first`, `first` + 1 .. of a seed, dealer and vulnerability by their number."""
    return [
        Board(Deal.of_bits(row), number=first + i)
        for i, row in enumerate(deal_bits(count, seed, first).tolist())
    ]


def check_number(name: str, value: int, least: int) -> None:
    """Raise unless a number that a user gave fits the kernels."""
    if not least <= value < 1 << 63:
        raise BidlabError(f"{name} {value}: a whole number from {least} to 2^63 - 1 is wanted")
