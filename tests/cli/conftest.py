"""The program, asked in this process."""

import pytest

from bidlab.cli.main import run


@pytest.fixture
def said(capsys: pytest.CaptureFixture[str]):
    """Run the program here; status, standard output and standard error."""

    def command(*words: str) -> tuple[int, str, str]:
        status = run(words)
        out, err = capsys.readouterr()
        return status, out, err

    return command
