"""bidlab bidders, as a user types it."""

import json

import pytest
from tests.cli.saying import fails

from bidlab.cli import bidders


def test_kinds_are_listed_with_an_example(said) -> None:
    status, out, err = said("bidders")
    assert (status, err) == (0, "")
    assert "pass     always passes\n" in out and "as in random,seed=5\n" in out and "exec:./mybot" in out


def test_json_has_each_kind(said) -> None:
    status, out, err = said("bidders", "--json")
    assert (status, err) == (0, "")
    shown = json.loads(out)
    names = ["boosted", "evolved", "exec", "expert", "network", "pass", "random", "thinker"]
    assert [kind["name"] for kind in shown] == names
    assert shown[names.index("random")] == {
        "name": "random",
        "written": "random[,seed=N]",
        "description": "any legal call, each equally likely",
        "example": "random,seed=5",
        "parameters": ["seed"],
    }


def test_a_broken_package_is_a_note(said, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bidders, "problems", lambda: ("bidder 'x' of the package y cannot be used: no",))
    status, out, err = said("bidders")
    assert status == 0 and "random" in out
    assert err == "bidlab: note: bidder 'x' of the package y cannot be used: no\n"


def test_help_shows_an_example_and_more_words_are_refused(said) -> None:
    status, out, _ = said("bidders", "--help")
    assert status == 0 and "bidlab bidders --json" in out
    fails(said("bidders", "pass"), "bidlab bidders --help")
