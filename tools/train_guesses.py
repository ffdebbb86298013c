"""Train the networks that guess tricks, and write them with what they are worth on deals kept apart.

python tools/train_guesses.py --out src/bidlab/doubledummy/guesses.npz --seconds 165
"""

from __future__ import annotations

import argparse
from pathlib import Path

from bidlab.doubledummy.guessing import MODELS, Guesser
from bidlab.learning.guessing import quality, rounded, trained, write
from bidlab.library import library

KEPT = 10_000  # deals at the end of the library that are not learned from


def main() -> None:
    """Train both networks."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=165, help="for each of the two")
    parser.add_argument("--widths", type=int, nargs=2, default=(256, 384), help="of suits, of notrump")
    parser.add_argument("--depth", type=int, default=4)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    bits, tables = library("train").for_learning().deals()
    learned, taken = bits[:-KEPT], tables[:-KEPT]
    rest = {"depth": asked.depth, "seconds": asked.seconds, "seed": asked.seed, "report": print}
    models = {
        model: rounded(trained(learned, taken, model, width=width, **rest))
        for model, width in zip(MODELS, asked.widths, strict=True)
    }
    made = Guesser(models)
    for model in MODELS:
        print(model, quality(made, bits[-KEPT:], tables[-KEPT:], model))
    write(asked.out, made)


if __name__ == "__main__":
    main()
