"""Adds deals solved beside a training to the library `train`: python tools/gpu/add_solved.py FILE...

The files hold records of 23 bytes that follow the library's own, in order. Every deal must be the one that
the library's seed deals at its number, and some of them are solved again and must come out equal.
"""

import sys
from pathlib import Path

import numpy as np

from bidlab.dealing import deal_bits
from bidlab.doubledummy import solve
from bidlab.library import build, library, unpacked_deals, unpacked_tables
from bidlab.library.packing import Bits, Tables

ROOT = Path(__file__).resolve().parents[2]
TRAIN = ROOT / "src/bidlab/library/solved/train.deals"
RECORD, DEAL = 23, 13
SOLVED_AGAIN = 1000


def read(paths: list[Path], first: int, seed: int) -> tuple[Bits, Tables]:
    """The deals and tables of some files; the program ends where they are not the seed's."""
    records = np.concatenate([np.fromfile(path, dtype=np.uint8).reshape(-1, RECORD) for path in paths])
    bits, tables = unpacked_deals(records[:, :DEAL], first), unpacked_tables(records[:, DEAL:], first)
    if not np.array_equal(bits, deal_bits(len(bits), seed, first)):
        sys.exit(f"these are not the deals from number {first} on of seed {seed}")
    return bits, tables


def check(bits: Bits, tables: Tables) -> None:
    """Solve some of the deals again."""
    some = np.random.default_rng(7).choice(len(bits), SOLVED_AGAIN, replace=False)
    apart = np.flatnonzero((solve(bits[some]) != tables[some]).any(axis=(1, 2)))
    if len(apart):
        sys.exit(
            f"{len(apart)} of {SOLVED_AGAIN} deals come out otherwise, the first is number {some[apart[0]]}"
        )


def main() -> None:
    """Make the library longer."""
    before = library("train")
    first = before.first + before.count
    bits, tables = read([Path(word) for word in sys.argv[1:]], first, before.seed)
    check(bits, tables)
    places = {deal.tobytes(): place for place, deal in enumerate(bits)}

    def known(block: Bits, /, *, threads: int = 0) -> Tables:
        return tables[[places[deal.tobytes()] for deal in block]]

    built = build(TRAIN, "train", count=before.count + len(bits), seed=before.seed, solve=known, threads=1)
    sys.stdout.write(f"{built.solved:,} deals added, {built.library.count:,} in all\n")


if __name__ == "__main__":
    main()
