"""Bidders by name: simple ones, programs from outside, and those that other packages bring."""

from bidlab.bidders.kinds import Asked, Kind
from bidlab.bidders.registry import bidder, kinds, problems

__all__ = ["Asked", "Kind", "bidder", "kinds", "problems"]
