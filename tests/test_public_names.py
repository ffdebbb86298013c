"""The names that people import: all are there, and what nobody asked for is not imported."""

import subprocess
import sys

import pytest

import bidlab
from bidlab import formats

LAZY = [bidlab, formats]


@pytest.mark.parametrize("package", LAZY, ids=lambda package: package.__name__)
def test_every_public_name_is_found_and_listed(package) -> None:
    for name in package.__all__:
        assert getattr(package, name) is not None
    assert set(package.__all__) <= set(dir(package))


def test_modules_are_found_without_an_import_of_their_own() -> None:
    code = "import bidlab; print(bidlab.formats.files.__name__, bidlab.doubledummy.par.__name__)"
    assert printed(code) == "bidlab.formats.files par"


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="module 'bidlab' has no attribute 'bider'"):
        bidlab.bider  # noqa: B018
    with pytest.raises(ImportError, match="cannot import name 'bider'"):
        from bidlab import bider  # noqa: F401


def test_the_package_alone_brings_no_arrays_and_one_deal_no_networks() -> None:
    assert printed("import sys, bidlab; print('numpy' in sys.modules)") == "False"
    heavy = "bidlab.bidders.network", "bidlab.bidders.thinker", "bidlab.formats.pbn", "bidlab.matches", "rich"
    code = "import sys, bidlab; bidlab.bidder('natural'); import bidlab.cli.bidding\n"
    assert printed(code + f"print([name for name in {heavy} if name in sys.modules])") == "[]"


def printed(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    return done.stdout.strip()
