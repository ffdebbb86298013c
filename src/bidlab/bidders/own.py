"""The kinds of bidders that bidlab brings.

Each says here how it is asked for; what makes it is imported when the first one is made, since few programs
need more than one or two kinds.
"""

from __future__ import annotations

from bidlab.bidders.kinds import Asked, Kind
from bidlab.systems.loading import SUFFIX, book_names
from bidlab.table.bidder import Bidder


def _boosted(asked: Asked) -> Bidder:
    from bidlab.bidders.boosted import boosted

    return boosted(asked)


def _evolved(asked: Asked) -> Bidder:
    from bidlab.bidders.evolved import evolved

    return evolved(asked)


def _robot(asked: Asked) -> Bidder:
    from bidlab.bidders.robots import robot

    return robot(asked)


def _expert(asked: Asked) -> Bidder:
    from bidlab.bidders.expert import expert

    return expert(asked)


def _network(asked: Asked) -> Bidder:
    from bidlab.bidders.network import network

    return network(asked)


def _pass(asked: Asked) -> Bidder:
    from bidlab.bidders.simple import PassBidder

    return PassBidder()


def _random(asked: Asked) -> Bidder:
    from bidlab.bidders.simple import RandomBidder

    return RandomBidder(asked.seed)


def _thinker(asked: Asked) -> Bidder:
    from bidlab.bidders.thinker import thinker

    return thinker(asked)


BOOSTED = Kind(
    name="boosted",
    written="boosted:RUN[,choice=CHOICE][,seed=N]",
    description="another bidder with the seeds that `bidlab boost` chose for it",
    example="boosted:runs/boost,choice=nash",
    make=_boosted,
    takes="the folder of a run",
    parameters=("choice", "seed"),
)
EVOLVED = Kind(
    name="evolved",
    written="evolved:FILE",
    description="bids by a system that evolved, from the file that `bidlab evolve` wrote",
    example="evolved:runs/a/best.json",
    make=_evolved,
    takes="a file",
    bare_suffix=".json",
)
EXEC = Kind(
    name="exec",
    written="exec:COMMAND[,timeout=SECONDS][,start=SECONDS][,seed=N]",
    description="any program that speaks JSON lines, see docs/robots.md",
    example="exec:./mybot",
    make=_robot,
    takes="a command",
    parameters=("timeout", "start", "seed"),
)
EXPERT = Kind(
    name="expert",
    written="expert:SYSTEM[,CONVENTION=off][,PARAMETER=VALUE]",
    description="bids by a written system, by its name or file, with judgement where its text is silent",
    example="expert:natural,stayman=off",
    make=_expert,
    takes="a system",
    is_open=True,
    bare_words=book_names,
    bare_suffix=SUFFIX,
)
NETWORK = Kind(
    name="network",
    written="network:NAME",
    description="bids by a trained network, by its name or file",
    example="network:experts",
    make=_network,
    takes="a network",
    bare_suffix=".npz",
)
PASS = Kind(
    name="pass",
    written="pass",
    description="always passes",
    example="pass",
    make=_pass,
)
RANDOM = Kind(
    name="random",
    written="random[,seed=N]",
    description="any legal call, each equally likely",
    example="random,seed=5",
    make=_random,
    parameters=("seed",),
)
THINKER = Kind(
    name="thinker",
    written="thinker:SYSTEM[,samples=N][,seed=N][,..]",
    description="thinks about the calls that a written system or a network proposes, see docs/thinking.md",
    example="thinker:bws,samples=100",
    make=_thinker,
    takes="a system or a network",
    parameters=tuple(
        "samples pool sampling near likely most ahead tricks doubled margin noise nodes seconds seed".split()
    ),
    is_open=True,
)

OWN_KINDS = (BOOSTED, EVOLVED, EXEC, EXPERT, NETWORK, PASS, RANDOM, THINKER)
