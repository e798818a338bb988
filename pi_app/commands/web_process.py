"""The process that serves phones, started and ended with a companion: `beisitzer play --web`."""

import subprocess
import sys
from importlib.util import find_spec

import click

from pi_app.commands.console import refuse, texts
from pi_app.displays.terminal_chart import code_rows
from pi_app.run.loop import Companion
from pi_app.screens.keeping.phone import PairScreen, matrix
from pi_app.view.frame import Frame
from pi_app.view.output import Output

ENDS_S = 5
"""It is given so long to end by itself, in seconds."""


class WebProcess(Output):
    """Serves pages on a port from the first frame on; what it has to complain of is printed."""

    name = "pages"

    def __init__(self, port: int) -> None:
        self._port = port
        self._process: subprocess.Popen[bytes] | None = None

    def show(self, frame: Frame) -> None:
        del frame
        if self._process is None:
            command = [sys.executable, "-m", "pi_app", "web", "--port", str(self._port)]
            self._process = subprocess.Popen(  # noqa: S603  # this program
                command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
            )

    def close(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.terminate()
        try:
            process.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def check_pages() -> None:
    """Refuse to start, in one line, without the library that serves pages."""
    if find_spec("uvicorn") is None:
        name = "uvicorn"
        refuse(texts()("cli", "{name} is missing: pip install 'beisitzer[web]'", name=name))


def invite(program: Companion) -> None:
    """Print where phones find the table, with a code to scan; where none is paired let one in."""
    ctx = program.ctx
    urls = ctx.urls(ctx.web_port)
    if not urls:
        click.echo(ctx.texts("line", "No network."))
        return
    end = "/"
    if ctx.pairing is not None and not ctx.pairing.browsers:
        program.stack.append(PairScreen(ctx, ctx.pairing))
        end = f"/pair#{ctx.pairing.code}"
    for row in code_rows(matrix(urls[0] + end)):
        click.secho(row, fg="black", bg="bright_white")
    for url in urls:
        click.echo(url + end)
