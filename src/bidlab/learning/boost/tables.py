"""What a run found, in rows of text: the same for the terminal and for the report."""

from __future__ import annotations

from bidlab.learning.boost.findings import DECIDERS, Findings, percent
from bidlab.learning.boost.validating import Confirmation

Row = tuple[str, str]
_MOST = 8  # seeds of a mixture that are named


def result_rows(found: Findings) -> list[Row]:
    """What was found, each with a head of one word or two."""
    rows = _matrix_rows(found) if found.matrix is not None else []
    rows += [(way, f"seed {seed}, with as many boards as the matrix") for way, seed in found.picks.items()]
    rows += [("new boards" if not i else "", match_text(one)) for i, one in enumerate(found.confirmations)]
    return rows


def _matrix_rows(found: Findings) -> list[Row]:
    matrix, luck, shrunk = found.matrix, found.luck, found.shrunken
    assert matrix is not None and luck is not None and shrunk is not None
    best, worst = (int(matrix.order[place]) for place in (0, -1))
    rates = matrix.won_matches()
    rows = [
        ("boards", _shares_text(found)),
        (
            "scores",
            f"best seed {matrix.seeds[best]} {luck.best:+.0f} IMPs ({100 * rates[best]:.1f}% of matches "
            f"won), worst seed {matrix.seeds[worst]} {luck.worst:+.0f} ({100 * rates[worst]:.1f}%), "
            f"standard deviation {luck.spread:.1f}",
        ),
        (
            "luck",
            f"alone would show a best of {luck.lucky_best:+.0f} ± {luck.lucky_best_error:.0f} and a standard "
            f"deviation of {luck.lucky_spread:.1f}; a best as good in {percent(luck.best_chance)} of all "
            f"matrices. {found.verdict()}",
        ),
        (
            "strength",
            f"of seed {matrix.seeds[best]} with its luck taken off: {shrunk.strengths[best]:+.3f} IMPs a "
            f"board ({100 * shrunk.kept:.0f}% of {luck.best / (matrix.size * matrix.boards):+.3f}); true "
            f"strengths spread by {shrunk.between:.3f}, at most {shrunk.between_95:.3f}",
        ),
    ]
    rows += [(one.name, choice_text(one.weights, one.mean, one.worst, one.against)) for one in found.choices]
    rows.append(("situation", _portfolio_text(found)))
    return rows


def _shares_text(found: Findings) -> str:
    shares = found.swings
    assert shares is not None
    told = "" if shares.unsimulated is None else f"no simulation {100 * shares.unsimulated:.1f}%; "
    return (
        f"{told}the same calls {100 * shares.alike:.1f}%, other calls to the same contract "
        f"{100 * shares.same_contract:.1f}%, another contract without a swing {100 * shares.pushes:.1f}%, "
        f"a swing {100 * shares.swings:.1f}% of {shares.mean_size:.1f} IMPs; a board varies by "
        f"{shares.deviation:.2f} IMPs"
    )


def choice_text(weights: tuple[tuple[int, float], ...], mean: float, worst: float, against: int) -> str:
    """A choice and its value in the matrix."""
    worst = worst if abs(worst) > 5e-4 else 0.0  # no minus before what is zero
    value = f"{mean:+.3f} IMPs a board in the matrix, at worst {worst:+.3f} against seed {against}"
    if len(weights) == 1:
        return f"seed {weights[0][0]}: {value}"
    if len({share for _, share in weights}) == 1:
        seeds = ", ".join(str(seed) for seed, _ in weights)
        return f"seeds {seeds}, each as often: {value}"
    named = ", ".join(f"{seed} ({100 * share:.0f}%)" for seed, share in weights[:_MOST])
    more = f" and {len(weights) - _MOST} more" if len(weights) > _MOST else ""
    return f"seeds {named}{more}: {value}"


def _portfolio_text(found: Findings) -> str:
    if found.portfolio is None:
        return "at no height of the bidding is another seed better beyond luck: no portfolio"
    named = ", ".join(
        f"seed {seed} while the bidding is {height}" for height, seed in found.portfolio.items()
    )
    return f"{named} (low: below 3♣, high: from 3NT on)"


def match_text(one: Confirmation) -> str:
    """A match on new boards, on one line."""
    second = "a fresh seed on every board" if one.second is None else f"seed {one.second}"
    expected = "" if one.expected is None else f", expected {one.expected:+.3f}"
    who = f"{one.what} ({second})"
    return (
        f"{who}: {one.plain.mean:+.3f} ± {one.plain.stderr:.3f} IMPs a board{expected}; "
        f"{100 * one.won_rate:.1f}% of {one.plain.wins + one.plain.losses:,} swings won; perfect defence "
        f"{one.perfect.mean:+.3f} ± {one.perfect.stderr:.3f}"
    )


def situation_table(found: Findings) -> list[list[str]]:
    """Situations by contract and by height, the first row the heads."""
    rows = [
        ["situation", "boards", "of all IMPs", "best seed", "IMPs", "by luck", "chance", "the best of all"]
    ]
    rows += [
        [
            one.name,
            f"{one.boards:,}",
            f"{100 * one.swing_share:.0f}%",
            str(one.best),
            f"{one.score:+.0f}",
            f"{one.lucky_best:+.0f}",
            percent(one.chance),
            f"place {one.overall_rank}",
        ]
        for one in (*found.by_contract, *found.by_height)
    ]
    return rows


def decider_table(found: Findings) -> list[list[str]]:
    """The boards that decided the best seed's matches, the first row the heads."""
    rows = [["board", "against seed", "IMPs", "sitting North-South", "sitting East-West"]]
    rows += [
        [str(one.board), str(one.against), f"{one.imps:+d}", one.north_south, one.east_west]
        for one in found.deciders
    ]
    return rows


def deciders_text(found: Findings) -> str:
    """How much hangs on a few boards."""
    return (
        f"Without the {DECIDERS} boards that it won most by, the best seed would have "
        f"{found.without_deciders:+d} IMPs."
    )
