"""Symmetries of solved deals: the seats rotated and the suits exchanged, and every table still exact.

To double-dummy play the suits differ only by their names and the seats only by their order, so each solved
deal gives 96: 4 rotations of the seats times 24 permutations of the suits. (Mirroring the table, East for
West, is none: the order of play would turn round.)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import count, permutations

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.errors import BidlabError
from bidlab.library.packing import Bits, Tables
from bidlab.library.reading import Library
from bidlab.runs.seeds import stirred_words

SYMMETRIES = 96  # number 24 * rotation + permutation; 0 leaves the deal as it is

# Suit s becomes suit PERMUTATIONS[p, s]; row p of _SOURCES says which suit each suit was before.
PERMUTATIONS = np.array(list(permutations(range(4))), dtype=np.intp)
_SOURCES = np.argsort(PERMUTATIONS, axis=1)
# The same for strains, where notrump stays.
_STRAIN_SOURCES = np.concatenate([_SOURCES, np.full((24, 1), 4, dtype=np.intp)], axis=1)
_SUIT_PLACES = np.arange(0, 52, 13, dtype=np.uint64)
_SUIT_BITS = np.uint64(0x1FFF)
# Steps that visit all of 96 numbers before they come back: those that share no factor with it.
_STEPS = np.array([step for step in range(1, SYMMETRIES) if step % 2 and step % 3], dtype=np.uint64)


def symmetric(bits: Bits, tables: Tables, which: NDArray[np.integer]) -> tuple[Bits, Tables]:
    """The solved deals, each under a symmetry: deal i under number `which[i]`, 0 to 95.

    Under rotation r the hand of seat d goes to seat (d + r) % 4, and what d took as declarer with it.

    >>> from bidlab.dealing import deal_bits
    >>> bits, tables = deal_bits(1, seed=7), np.zeros((1, 5, 4), dtype=np.uint8)
    >>> turned, _ = symmetric(bits, tables, np.array([24]))     # by one seat: East has North's cards
    >>> bool(turned[0, 1] == bits[0, 0])
    True
    """
    rotation, permutation = np.divmod(np.asarray(which, dtype=np.intp), 24)
    rows = np.arange(len(bits))[:, None, None]
    seats = (np.arange(4) - rotation[:, None]) % 4  # [deal, seat]: where the seat's cards come from
    holdings = bits[:, :, None] >> _SUIT_PLACES & _SUIT_BITS  # [deal, seat, suit]
    moved = holdings[rows, seats[:, :, None], _SOURCES[permutation][:, None, :]]
    turned = np.bitwise_or.reduce(moved << _SUIT_PLACES, axis=2)
    return turned, tables[rows, _STRAIN_SOURCES[permutation][:, :, None], seats[:, None, :]]


def all_symmetries(bits: Bits, tables: Tables) -> tuple[Bits, Tables]:
    """Arrays [deal, 96, seat] and [deal, 96, strain, declarer]: each solved deal under all symmetries."""
    which = np.tile(np.arange(SYMMETRIES), len(bits))
    turned, turned_tables = symmetric(
        np.repeat(bits, SYMMETRIES, axis=0), np.repeat(tables, SYMMETRIES, axis=0), which
    )
    return turned.reshape(-1, SYMMETRIES, 4), turned_tables.reshape(-1, SYMMETRIES, 5, 4)


def stream(
    library: Library, seed: int, *, batch: int = 1000, passes: int | None = None
) -> Iterator[tuple[Bits, Tables]]:
    """Batches of solved deals, each deal under a symmetry drawn from the seed; endless by default.

    The library is gone through again and again, `passes` times if given; after 96 times each deal has come
    once under each symmetry. Which one it comes under depends on the seed, the deal's number and the pass
    alone, not on the size of the batch. The last batch of a pass may be shorter.
    """
    if not 0 <= seed < 1 << 63:
        raise BidlabError(f"seed {seed}: a whole number from 0 to 2^63 - 1 is wanted")
    if batch < 1:
        raise BidlabError(f"batches of {batch} deals: 1 or more are wanted")
    if not len(library):
        raise BidlabError(f"no deals to stream in {library.path}")
    return _streamed(library, seed, batch, count() if passes is None else range(passes))


def _streamed(library: Library, seed: int, batch: int, turns: Iterable[int]) -> Iterator[tuple[Bits, Tables]]:
    for turn in turns:
        for first, bits, tables in library.batches(batch):
            yield symmetric(bits, tables, _drawn(seed, first, len(bits), turn))


def _drawn(seed: int, first: int, deals: int, turn: int) -> Bits:
    """The symmetry of each deal in a pass: a start and a step drawn for the deal, as many steps as passes."""
    numbers = np.arange(first, first + deals, dtype=np.uint64)
    words = stirred_words(numbers ^ stirred_words(np.array([seed], dtype=np.uint64)))
    start, step = words % np.uint64(SYMMETRIES), _STEPS[(words >> np.uint64(32)) % np.uint64(len(_STEPS))]
    which: Bits = (start + np.uint64(turn % SYMMETRIES) * step) % np.uint64(SYMMETRIES)
    return which
