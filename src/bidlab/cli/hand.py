"""The command hand: what can be counted in a hand, and its class with the reasons."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Annotated

import typer

from bidlab.bridge.cards import SUITS, Suit
from bidlab.bridge.hands import Hand
from bidlab.cli.boards import Json
from bidlab.meaning.classes import Classification, HandClass, classification, halves_text
from bidlab.meaning.features import (
    ACES,
    ADJUSTED,
    CLASS,
    CONTROLS,
    FEATURES,
    HCP,
    KINGS,
    LOSERS,
    PLAYING_TRICKS,
    POINTS,
    QUICK_TRICKS,
    SUIT_KINDS,
    TEXTURE,
    WEBB,
    Feature,
    feature_table,
    of_suit,
)

_QUALITIES = ("-", "biddable", "rebiddable", "good", "semi-solid", "solid")
_STOPPERS = ("-", "half", "full")
_CONTROLS = ("-", "second", "first")


def register(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(
        epilog='Example: bidlab hand "AKQ2.T83.KQ9.A76"',
        context_settings={"ignore_unknown_options": True},  # a void may be written -
    )(hand)


def hand(
    cards: Annotated[
        str, typer.Argument(metavar="HAND", help="Spades, hearts, diamonds and clubs with dots between them.")
    ],
    as_json: Json = False,
) -> None:
    """Evaluate a hand: points, tricks, losers, every suit, and its class with the reasons."""
    held = Hand.parse(cards)
    values = feature_table([held])[0].tolist()
    found = classification(held)
    if as_json:
        print(json.dumps(_as_json(held, values, found)))
        return
    print("  ".join(f"{suit.symbol} {held.suit_text(suit) or '-'}" for suit in reversed(SUITS)))
    print()
    for line in (*_totals(values), "", *_suit_table(held, values), ""):
        print(line)
    print(f"{str(found.hand_class).capitalize()}:")
    for reason in found.reasons:
        print(f"  {reason}")


def _totals(values: Sequence[int]) -> Iterator[str]:
    """The counts of the whole hand, one line a kind."""

    def of(feature: Feature) -> int:
        return values[feature.number]

    yield (
        f"Points    {of(HCP)} high-card, {of(POINTS)} with length, {of(ADJUSTED)} adjusted, "
        f"{of(WEBB) / WEBB.scale:.3f} by WEBB's weights"
    )
    yield (
        f"Tricks    {halves_text(of(QUICK_TRICKS))} quick, {halves_text(of(PLAYING_TRICKS))} playing; "
        f"{_counted(of(LOSERS), 'loser')}"
    )
    yield (
        f"Controls  {of(CONTROLS)}: {_counted(of(ACES), 'ace')} and {_counted(of(KINGS), 'king')}; "
        f"texture {_signed(of(TEXTURE))}"
    )
    yield f"Shape     {_shape(values)}"


def _shape(values: Sequence[int]) -> str:
    """The lengths, spades first, as in 4=3=3=3."""
    return "=".join(str(values[of_suit("length", suit).number]) for suit in reversed(SUITS))


def _counted(count: int, unit: str) -> str:
    return f"{count or 'no'} {unit}{'' if count == 1 else 's'}"


def _signed(count: int) -> str:
    return f"{count:+d}" if count else "0"


# Key cards and support are those of the suit as trumps, control that of it as a side suit.
_HEADS = "cards hcp top-3 top-5 texture losers stopper control keys support quality".split()


def _suit_table(held: Hand, values: Sequence[int]) -> Iterator[str]:
    """A line for each suit, spades first, below the heads."""
    shown = [f"{suit.symbol} {held.suit_text(suit) or '-'}" for suit in reversed(SUITS)]
    width = max(map(len, shown))
    yield " " * width + "".join(f"  {head}" for head in _HEADS)
    for suit, text in zip(reversed(SUITS), shown, strict=True):
        cells = _suit_cells(values, suit)
        line = "".join(f"  {cell:>{len(head)}}" for head, cell in zip(_HEADS[:-1], cells[:-1], strict=True))
        yield f"{text:<{width}}{line}  {cells[-1]}"


def _suit_cells(values: Sequence[int], suit: Suit) -> list[str]:
    def of(kind: str) -> int:
        return values[of_suit(kind, suit).number]

    return [
        str(of("length")),
        str(of("suit hcp")),
        str(of("top three")),
        str(of("top five")),
        _signed(of("suit texture")),
        str(of("suit losers")),
        _STOPPERS[of("stopper")],
        _CONTROLS[of("control")],
        str(of("key cards")),
        str(of("support")),
        _QUALITIES[of("quality")],
    ]


def _as_json(held: Hand, values: Sequence[int], found: Classification) -> dict[str, object]:
    """Every feature by its name, in whole units; a suit's below its letter, cards as a list."""
    shown: dict[str, object] = {"hand": str(held)}
    for feature in FEATURES:
        if feature.suit is None and feature.card is None:
            shown[feature.kind] = _in_units(feature, values)
    shown["class"] = str(HandClass(values[CLASS.number]))
    shown["suits"] = {
        suit.letter: {kind: _in_units(of_suit(kind, suit), values) for kind in SUIT_KINDS}
        for suit in reversed(SUITS)
    }
    shown["cards"] = [str(feature.card) for feature in FEATURES if feature.card and values[feature.number]]
    shown["reasons"] = list(found.reasons)
    return shown


def _in_units(feature: Feature, values: Sequence[int]) -> int | float:
    value = values[feature.number]
    return value if feature.scale == 1 else value / feature.scale
