"""Bidders by name, those of other packages among them."""

from importlib.metadata import EntryPoint

import pytest

import bidlab
from bidlab.bidders import Asked, Kind, bidder, kinds, problems, registry
from bidlab.bidders.expert import Expert
from bidlab.bidders.simple import PassBidder, RandomBidder
from bidlab.bridge.errors import BidlabError

DREAMER = Kind(
    name="dreamer",
    written="dreamer:SYSTEM",
    description="a written system, and simulation",
    example="dreamer:acol",
    make=lambda asked: _named(asked),
    takes="a system",
    parameters=("style",),
    bare_words=lambda: ("acol", "sayc"),
)
NAMELESS = "no kind at all"


def _named(asked: Asked) -> PassBidder:
    made = PassBidder()
    made.name = f"{asked.kind}:{asked.argument}"
    return made


@pytest.fixture
def packages(monkeypatch: pytest.MonkeyPatch):
    """Lets other packages bring kinds of bidders."""

    def bring(**entries: str) -> None:
        points = [EntryPoint(name, value, registry.GROUP) for name, value in entries.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: points)
        registry._others.cache_clear()

    yield bring
    registry._others.cache_clear()


def wrong(text: str, seed: int = 0) -> str:
    with pytest.raises(BidlabError) as caught:
        bidder(text, seed)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_bidders_are_made_by_their_names_and_can_be_made_again() -> None:
    for text in ("pass", "random", "random,seed=5"):
        made = bidlab.bidder(text)
        assert made.name == text and bidder(made.name).name == text
    assert bidder(" random , seed = 5 ").name == "random,seed=5"
    assert bidder("random", seed=7).name == "random,seed=7"
    assert bidder("random,seed=5", seed=7).name == "random,seed=5"
    assert isinstance(bidder("random"), RandomBidder)


def test_kinds_are_listed_by_name_with_how_they_are_written() -> None:
    assert [(kind.name, kind.written) for kind in kinds() if kind.name != "exec"] == [
        ("boosted", "boosted:RUN[,choice=CHOICE][,seed=N]"),
        ("evolved", "evolved:FILE"),
        ("expert", "expert:SYSTEM[,CONVENTION=off][,PARAMETER=VALUE]"),
        ("network", "network:NAME"),
        ("pass", "pass"),
        ("random", "random[,seed=N]"),
        ("thinker", "thinker:SYSTEM[,samples=N][,seed=N][,..]"),
    ]
    assert all(kind.description and "\n" not in kind.description for kind in kinds())
    assert problems() == ()


def test_unknown_bidder_is_one_line_with_a_suggestion() -> None:
    wanted = "one of boosted, evolved, exec, expert, network, pass, random, thinker is wanted"
    assert wrong("pas") == f"no bidder 'pas' (did you mean 'pass'?): {wanted}"
    assert wrong("Random") == f"no bidder 'Random' (did you mean 'random'?): {wanted}"
    assert wrong("") == f"no bidder '': {wanted}"
    assert wrong("xyz:bws") == f"no bidder 'xyz': {wanted}"


def test_wrong_parameters_are_one_line() -> None:
    assert wrong("random,sed=5") == "no parameter 'sed' (did you mean 'seed'?) of random: seed is wanted"
    assert wrong("pass,seed=5") == "no parameter 'seed' in 'pass,seed=5': pass takes none"
    assert wrong("random,seed=five") == "seed=five in 'random,seed=five': a whole number from 0 is wanted"
    assert wrong("random,seed=") == "seed='' in 'random,seed=': a whole number from 0 is wanted"
    assert wrong("random,seed=-1") == "seed=-1 in 'random,seed=-1': a whole number from 0 is wanted"
    assert wrong(f"random,seed={1 << 63}").endswith("a whole number from 0 is wanted")
    assert wrong("random", seed=-1) == "seed=-1 in 'random': a whole number from 0 is wanted"
    assert wrong("random,seed") == "no parameter 'seed' in 'random,seed': key=value is wanted"
    assert wrong("random,seed=1,seed=2") == "'random,seed=1,seed=2' has seed twice: once is wanted"
    assert wrong("pass:now") == "pass takes nothing after a colon, as in 'pass:now'"
    assert wrong("exec:") == "'exec:' lacks a command: exec:./mybot is one"
    assert wrong("exec") == "'exec' lacks a command: exec:./mybot is one"
    assert wrong("exec:true,timeot=3").startswith("no parameter 'timeot' (did you mean 'timeout'?) of exec: ")
    for odd in ("0", "-3", "soon", "1e3", "nan", "inf"):
        assert wrong(f"exec:true,timeout={odd}").endswith("a number above 0 is wanted")


def test_commas_of_an_argument_stay_with_it() -> None:
    asked = Asked.parse("exec:bot a,b 'c,d=e',timeout=3,start=.5")
    assert (asked.kind, asked.argument) == ("exec", "bot a,b 'c,d=e'")
    assert asked.number("timeout", 10.0) == 3 and asked.number("start", 30.0) == 0.5
    assert Asked.parse("expert:it's,fine.bids").argument == "it's,fine.bids"


def test_a_package_brings_a_kind_and_words_that_stand_for_it(packages) -> None:
    packages(dreamer=f"{__name__}:DREAMER")
    assert [kind.name for kind in kinds()] == [
        "boosted",
        "dreamer",
        "evolved",
        "exec",
        "expert",
        "network",
        "pass",
        "random",
        "thinker",
    ]
    assert bidder("dreamer:acol").name == bidder("acol").name == "dreamer:acol"
    assert wrong("sayk").startswith(
        "no bidder 'sayk' (did you mean 'sayc'?): one of boosted, dreamer, evolved, exec, expert, network"
    )
    assert wrong("acol,stile=2").startswith("no parameter 'stile' (did you mean 'style'?) of dreamer")
    assert problems() == ()


def test_a_broken_package_is_told_in_one_line_and_takes_nothing_down(packages) -> None:
    packages(
        absent="no_such_package.bids:KIND",
        dreamer=f"{__name__}:DREAMER",
        nameless=f"{__name__}:NAMELESS",
        other=f"{__name__}:DREAMER",
        **{"pass": f"{__name__}:DREAMER"},
    )
    assert [kind.name for kind in kinds()] == [
        "boosted",
        "dreamer",
        "evolved",
        "exec",
        "expert",
        "network",
        "pass",
        "random",
        "thinker",
    ]
    assert isinstance(bidder("pass"), PassBidder) and bidder("acol").name == "dreamer:acol"
    told = problems()
    assert len(told) == 4 and all("\n" not in line for line in told)
    assert told[0].startswith("bidder 'absent' of the package no_such_package cannot be used: No module")
    assert told[1].endswith("is no bidlab.bidders.Kind") and told[2].endswith("calls itself 'dreamer'")
    assert told[3].endswith("there is one of that name already")
    assert wrong("absent:x") == told[0]


def test_a_systems_name_or_file_alone_means_its_expert(tmp_path) -> None:
    file = tmp_path / "my.bids"
    file.write_text("system My\n\nopening\n  1N  12-14, balanced\n  P\n")
    for text in ("natural", "expert:natural", str(file), f"expert:{file}"):
        made = bidder(text)
        assert isinstance(made, Expert) and made.name == text
    assert isinstance(bidder("natural,stayman=off,key-cards=off"), Expert)


def test_wrong_systems_and_switches_are_one_line() -> None:
    assert wrong("natrual").startswith("no bidder 'natrual' (did you mean 'natural'?): ")
    assert wrong("expert:natrual").startswith("no system 'natrual': ")
    assert wrong("natural,staiman=off").startswith(
        "Natural has no switch 'staiman' (did you mean 'stayman'?)"
    )
    assert wrong("natural,stayman=maybe") == "stayman=maybe: a convention is switched on or off"
    assert "nosuch.bids" in wrong("nosuch.bids")
