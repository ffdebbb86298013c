"""The nodes that a fixed batch takes: a figure without noise."""

from bench.doubledummy import nodes_signature


def test_nodes_of_the_benchmarks_fixed_deals() -> None:
    """Any change of the search shows here. Count anew what you meant to change, and say why in the commit."""
    assert nodes_signature() == 25_805_000
