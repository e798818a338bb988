"""Commands as they are called at a prompt, and the one line with which they refuse."""

import json
from collections.abc import Mapping
from typing import Any

from click.testing import CliRunner, Result

from pi_app.commands.cli import main


def run(
    *words: object, text: str | bytes | None = None, environ: Mapping[str, str] | None = None
) -> Result:
    """Call a command with these words; `text` is what it reads from standard input."""
    result = CliRunner().invoke(main, [str(word) for word in words], input=text, env=environ)
    # anything but a clean exit would be a traceback at a real prompt
    assert isinstance(result.exception, SystemExit | None), result.exception
    return result


def printed(*words: object) -> str:
    """Call what must end with status 0; return what it printed."""
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result.stdout


def lines(result: Result) -> list[dict[str, Any]]:
    """Return the JSON of each line that was printed."""
    return [json.loads(line) for line in result.stdout.splitlines()]


def refused(*words: object, text: str | bytes | None = None) -> str:
    """Call what must end with status 2; return the one line that says what is wrong."""
    result = run(*words, text=text)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.count("\n") == 1
    return result.stderr
