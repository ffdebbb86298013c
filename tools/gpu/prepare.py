"""Gathers in carry/ what a training on a bare GPU machine needs: python tools/gpu/prepare.py [AUCTIONS.npz].

The solved deals of the library `train` as deals.bin and those of `tune` as tune.bin, 23 bytes each, and the
recorded auctions.
"""

import shutil
import sys
from pathlib import Path

import numpy as np

from bidlab.library import library, packed_deals, packed_tables

ROOT = Path(__file__).resolve().parents[2]
AUCTIONS = ROOT.parent / "shared/data/auctions/expert-auctions.npz"


def write_deals(name: str, path: Path) -> None:
    """The solved deals of a library as plain records."""
    bits, tables = library(name).for_mending().deals()
    np.concatenate([packed_deals(bits), packed_tables(tables)], axis=1).tofile(path)


def main() -> None:
    """Write the folder."""
    folder = ROOT / "carry"
    folder.mkdir(exist_ok=True)
    write_deals("train", folder / "deals.bin")
    write_deals("tune", folder / "tune.bin")
    auctions = Path(sys.argv[1]) if len(sys.argv) > 1 else AUCTIONS
    shutil.copyfile(auctions, folder / "expert-auctions.npz")
    for path in sorted(folder.iterdir()):
        sys.stdout.write(f"{path.relative_to(ROOT)}  {path.stat().st_size / 2**20:.1f} MiB\n")


if __name__ == "__main__":
    main()
