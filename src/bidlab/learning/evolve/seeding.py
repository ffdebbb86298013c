"""The first members of populations: random ones, winners of small tournaments, systems of earlier runs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from bidlab.bridge.errors import BidlabError
from bidlab.learning.evolve.measuring import climbing_boards, tournament_deals
from bidlab.learning.evolve.settings import Settings
from bidlab.runs import seed_at
from bidlab.runs.folder import RUN
from bidlab.systems.webb import (
    Population,
    Rules,
    Standing,
    WebbDeals,
    WebbSystem,
    played,
    random_population,
    turns_a_round,
)
from bidlab.systems.webb.climbing import first_climb
from bidlab.systems.webb.skeleton import skeleton

# The thesis names micro-populations and gives no numbers.
MICRO_MEMBERS, MICRO_ROUNDS = 8, 16
_NOBODY_FALLS = -1_000_000
# Places of seeds below a run's own.
_OF_RANDOM, _OF_TOURNAMENTS, _OF_MICRO = 0, 1, 2


def tournament_seed(settings: Settings, island: int) -> int:
    """The seed of an island's tournament."""
    return seed_at(settings.seed, _OF_TOURNAMENTS, island)


def first_standings(settings: Settings, threads: int = 1) -> tuple[Standing, ...]:
    """The population of each island before its first turn."""
    given = start_systems(settings)
    populations = [_population(settings, island, given, threads) for island in range(settings.islands)]
    if settings.is_climb:
        climbing_boards(settings.deals)  # what is wrong with them is said now
        return tuple(first_climb(parents, settings.steps) for parents in populations)
    tournament_deals(settings.deals)
    return tuple(map(Standing.of, populations))


def _population(settings: Settings, island: int, given: tuple[WebbSystem, ...], threads: int) -> Population:
    """Given systems first, each on every island, then new ones."""
    kept = given[: settings.population]
    missing = settings.population - len(kept)
    parts = [Population.of(kept)] if kept else []
    if missing and settings.seeding == "micro":
        deals = tournament_deals(settings.deals)
        parts.append(_winners(settings, island, missing, deals, threads))
    elif missing and settings.seeding == "skeleton":
        parts.append(Population.of([_skeleton(settings)] * missing))
    elif missing:
        parts.append(_random(settings, missing, seed_at(settings.seed, _OF_RANDOM, island)))
    return joined(parts)


def _skeleton(settings: Settings) -> WebbSystem:
    return skeleton(
        states=settings.states,
        entries=settings.entries,
        inheritance=settings.inheritance,
        options=settings.options,
    )


def _random(settings: Settings, count: int, seed: int) -> Population:
    return random_population(
        count,
        states=settings.states,
        entries=settings.entries,
        seed=seed,
        inheritance=settings.inheritance,
        options=settings.options,
    )


def _winners(settings: Settings, island: int, count: int, deals: WebbDeals, threads: int) -> Population:
    """The best of a small random population each, after rounds in which nobody is replaced."""
    rules = replace(settings.rules, threshold=_NOBODY_FALLS)
    turns = MICRO_ROUNDS * turns_a_round(MICRO_MEMBERS)
    return joined([_winner(settings, island, i, deals, turns, rules, threads) for i in range(count)])


def _winner(
    settings: Settings, island: int, number: int, deals: WebbDeals, turns: int, rules: Rules, threads: int
) -> Population:
    seed = seed_at(settings.seed, _OF_MICRO, island, number)
    few = Standing.of(_random(settings, MICRO_MEMBERS, seed))
    after = played(few, deals, turns, rules, seed=seed, threads=min(threads, 2))
    best, members = after.best, after.population
    return replace(
        members,
        words=members.words[best : best + 1],
        transitions=members.transitions[best : best + 1],
    )


def joined(parts: list[Population]) -> Population:
    """Populations of one form as one."""
    return replace(
        parts[0],
        words=np.concatenate([one.words for one in parts]),
        transitions=np.concatenate([one.transitions for one in parts]),
    )


def start_systems(settings: Settings) -> tuple[WebbSystem, ...]:
    """The systems of files and of runs' folders, in their order; an error where one has another form."""
    systems: list[WebbSystem] = []
    for name in settings.start:
        path = Path(name)
        found = _of_run(path) if path.is_dir() else (_of_file(path),)
        for one in found:
            _check_form(settings, one, name)
        systems += found
    return tuple(systems)


def _of_file(path: Path) -> WebbSystem:
    if not path.is_file():
        raise BidlabError(f"{path}: no such file of a system, nor a run's folder with {RUN}")
    return WebbSystem.from_json(path.read_text(encoding="utf-8"), str(path))


def _of_run(path: Path) -> tuple[WebbSystem, ...]:
    """The members of a run as it stands, the best of each island first."""
    from bidlab.learning.evolve.records import read_run

    run = read_run(path)
    if not run.standings:
        raise BidlabError(f"{path} has no checkpoint yet: there are no systems in it")
    ranked = [
        (place, island, standing.population.system(member))
        for island, standing in enumerate(run.standings)
        for place, member in enumerate(np.argsort(-standing.fitness, kind="stable").tolist())
    ]
    return tuple(system for _, _, system in sorted(ranked, key=lambda one: one[:2]))


def _check_form(settings: Settings, system: WebbSystem, name: str) -> None:
    asked = (settings.states, settings.entries, settings.inheritance)
    found = (len(system.states), len(system.states[0].program), system.inheritance)
    if system.options != settings.options:
        raise BidlabError(
            f"{name} has the options {', '.join(system.options) or 'of the thesis'}: "
            f"{', '.join(settings.options) or 'none'} are asked for"
        )
    if found != asked:
        raise BidlabError(
            f"{name} has {found[0]} states of {found[1]} entries with an inheritance of {found[2]}: "
            f"{asked[0]} of {asked[1]} with {asked[2]} are asked for"
        )
