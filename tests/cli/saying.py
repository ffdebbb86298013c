"""What a run of the program said."""


def fails(result: tuple[int, str, str], *parts: str) -> None:
    """Assert one line of error with these parts, and status 2."""
    status, _, err = result
    assert status == 2
    assert err.count("\n") == 1 and err.startswith("bidlab: ")
    for part in parts:
        assert part in err, err
