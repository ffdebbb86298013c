"""Train the networks that guess tricks, and write them with what they are worth on deals kept apart.

python tools/train_guesses.py --out src/bidlab/doubledummy/guesses.npz --seconds 600
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
    parser.add_argument("--seconds", type=float, default=600, help="for both together; suits get two thirds")
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    bits, tables = library("train").for_learning().deals()
    learned, taken = bits[:-KEPT], tables[:-KEPT]
    size = {"width": asked.width, "depth": asked.depth, "seed": asked.seed}
    models = {
        model: rounded(trained(learned, taken, model, seconds=share * asked.seconds, report=print, **size))
        for model, share in zip(MODELS, (2 / 3, 1 / 3), strict=True)
    }
    made = Guesser(models)
    for model in MODELS:
        print(model, quality(made, bits[-KEPT:], tables[-KEPT:], model))
    write(asked.out, made)


if __name__ == "__main__":
    main()
