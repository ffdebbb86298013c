"""Deals in 13 bytes and tables of tricks in 10, whole arrays at a time.

A deal: two bits a card, four cards a byte, the lowest card in the lowest bits; card = 13 * suit + rank, its
holder N 0, E 1, S 2, W 3. Byte j therefore holds

    bits 0-1  holder of card 4j        bits 4-5  holder of card 4j + 2
    bits 2-3  holder of card 4j + 1    bits 6-7  holder of card 4j + 3

and byte 0 begins with the two of clubs, byte 12 ends with the ace of spades.

A table: four bits a number of tricks, 0 to 13, in the order of the array [strain C D H S NT, declarer
N E S W], the earlier one in the low half of its byte. Byte 0 has clubs by North (low) and by East (high),
byte 9 ends with notrump by West.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from bidlab.bridge.cards import SEATS
from bidlab.bridge.errors import BidlabError, DealError
from bidlab.bridge.hands import ALL_CARDS

DEAL_BYTES = 13
TABLE_BYTES = 10

Bits = NDArray[np.uint64]  # [deal, seat N E S W], 52-bit hands
Tables = NDArray[np.uint8]  # [deal, strain C D H S NT, declarer N E S W], tricks
Bytes = NDArray[np.uint8]

_ALL = np.uint64(ALL_CARDS)
_PLACES = np.arange(0, 52, 4, dtype=np.uint64)  # the lowest card of each byte


def _joined(byte: int) -> int:
    """Bits 0, 2, 4 and 6 of a byte, moved together."""
    return byte & 1 | byte >> 1 & 2 | byte >> 2 & 4 | byte >> 3 & 8


# By byte: the low bits of its four holders, and the high ones.
_LOWS = np.array([_joined(byte) for byte in range(256)], dtype=np.uint64)
_HIGHS = np.array([_joined(byte >> 1) for byte in range(256)], dtype=np.uint64)
# The other way round: the byte by 16 times the low bits, and the high ones.
_BYTES = np.zeros(256, dtype=np.uint8)
_BYTES[_LOWS << np.uint64(4) | _HIGHS] = np.arange(256)


def packed_deals(bits: Bits, first: int = 1) -> Bytes:
    """Array [deal, 13] of bytes; `first` is the number that errors give the first deal.

    >>> from bidlab.dealing import deal_bits
    >>> deals = deal_bits(1000, seed=7)
    >>> packed_deals(deals).shape, bool((unpacked_deals(packed_deals(deals)) == deals).all())
    ((1000, 13), True)
    """
    if bits.ndim != 2 or bits.shape[1] != 4 or bits.dtype != np.uint64:
        raise DealError(f"an array {bits.dtype} {list(bits.shape)} of deals: uint64 [deal, 4] is wanted")
    _check_deals(bits, first)
    low = (bits[:, 1] | bits[:, 3])[:, None] >> _PLACES & np.uint64(15)  # East and West are odd
    high = (bits[:, 2] | bits[:, 3])[:, None] >> _PLACES & np.uint64(15)
    packed: Bytes = _BYTES[low << np.uint64(4) | high]
    return packed


def unpacked_deals(packed: Bytes, first: int = 1) -> Bits:
    """Array [deal, seat N E S W] of 52-bit hands, from an array [deal, 13] of bytes."""
    low = np.bitwise_or.reduce(_LOWS[packed] << _PLACES, axis=1)
    high = np.bitwise_or.reduce(_HIGHS[packed] << _PLACES, axis=1)
    bits = np.stack([_ALL & ~(low | high), low & ~high, high & ~low, low & high], axis=1)
    _check_deals(bits, first)
    return bits


def _check_deals(bits: Bits, first: int) -> None:
    """Raise for the first deal that does not give each seat 13 cards of its own."""
    held = np.bitwise_count(bits)
    wrong = (held != 13).any(axis=1) | (np.bitwise_or.reduce(bits, axis=1) != _ALL)
    if not wrong.any():
        return
    place = int(wrong.argmax())
    for seat in SEATS:
        if held[place, seat] != 13:
            raise DealError(
                f"deal {first + place}: {held[place, seat]} cards in {seat.word}'s hand: 13 are wanted"
            )
    raise DealError(f"deal {first + place}: a card is held twice, and another by nobody")


def packed_tables(tables: Tables, first: int = 1) -> Bytes:
    """Array [deal, 10] of bytes; `first` is the number that errors give the first deal.

    >>> packed_tables(np.arange(20, dtype=np.uint8).reshape(1, 5, 4) % 14).tobytes().hex()
    '1032547698badc103254'
    """
    if tables.ndim != 3 or tables.shape[1:] != (5, 4) or tables.dtype != np.uint8:
        raise BidlabError(
            f"an array {tables.dtype} {list(tables.shape)} of tables: uint8 [deal, 5, 4] is wanted"
        )
    _check_tables(tables, first)
    tricks = tables.reshape(-1, 20)
    return tricks[:, 0::2] | tricks[:, 1::2] << np.uint8(4)


def unpacked_tables(packed: Bytes, first: int = 1) -> Tables:
    """Array [deal, strain C D H S NT, declarer N E S W] of tricks, from an array [deal, 10] of bytes."""
    tricks = np.empty((len(packed), 20), dtype=np.uint8)
    tricks[:, 0::2] = packed & 15
    tricks[:, 1::2] = packed >> 4
    tables = tricks.reshape(-1, 5, 4)
    _check_tables(tables, first)
    return tables


def _check_tables(tables: Tables, first: int) -> None:
    wrong = (tables > 13).any(axis=(1, 2))
    if wrong.any():
        place = int(wrong.argmax())
        raise BidlabError(
            f"deal {first + place}: a table with {tables[place].max()} tricks: 0 to 13 are wanted"
        )
