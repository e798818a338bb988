"""Shared by all commands: the language, refusals in one line, safe output to the terminal.

Output is in the table's language. Help and refusals of the command line are English, because click
and the system write some of them.
"""

import errno
import logging
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn, TextIO

import click

from pi_app.settings.file import SettingsError, load
from pi_app.settings.schema import Settings
from pi_app.system import log as logs
from pi_app.system.host import obeys_escapes, write_escapes
from pi_app.system.regular import NotAFileError
from pi_app.system.replace import write_safely
from pi_app.texts.language import LANGUAGES, Texts, language_for
from pi_app.texts.printable import printable, printable_lines, shorten

log = logging.getLogger(__name__)

DAMAGED = 1
"""The exit status after reading a damaged store; `check` uses it for an illegal move."""
FAILED = 2
"""The exit status of a command that could not do its work."""
INTERRUPTED = 128 + 2
"""The exit status after Ctrl-C, as shells count it: 128 and the number of the signal."""

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for other programs."
)
excel_option = click.option(
    "--excel",
    type=click.Choice(["de", "en"]),  # the keys of pi_app.system.spreadsheet.EXCEL
    help="Print CSV that a German or an English Excel opens by a double click.",
)
lang_option = click.option(
    "--lang", type=click.Choice(sorted(LANGUAGES)), is_eager=True, help="Language of the sentences."
)


class OutputError(Exception):
    """Standard output or error cannot be written; holds the system's number and words for it.

    It is not an OSError, because click turns that into status 1 if a pipe was closed.
    """

    def __init__(self, number: int | None) -> None:
        super().__init__(os.strerror(number or errno.EIO))
        self.number = number


class PrintableStream:
    """A text stream for `print` and click that removes all control characters but line feeds.

    A character that the stream's encoding lacks becomes a question mark. `stream` is None if it
    was closed before the program began.
    """

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, stream: TextIO | None) -> None:
        if isinstance(stream, TextIOWrapper):  # not None, and not a test's own stream
            stream.reconfigure(errors="replace")
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self.write_raw(printable_lines(text))

    def write_raw(self, text: str) -> int:
        """Write data for programs unchanged, such as an exported record into a file."""
        if self._stream is None:
            raise OutputError(errno.EBADF)  # the system's error for a closed file
        try:
            return self._stream.write(text)
        except OSError as error:
            raise OutputError(error.errno) from None

    def flush(self) -> None:
        try:
            if self._stream is not None:
                self._stream.flush()
        except OSError as error:
            raise OutputError(error.errno) from None

    def isatty(self) -> bool:
        return self._stream is not None and self._stream.isatty()


@contextmanager
def printable_streams() -> Iterator[None]:
    """Replace standard output and standard error by printable streams."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = PrintableStream(out), PrintableStream(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def write_data(text: str) -> None:
    """Write to standard output: unchanged into a file or a pipe, printable on a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(text)
    else:
        # programs that read the output expect UTF-8, whatever this system's encoding is
        if hasattr(sys.stdout, "reconfigure"):
            sys.stdout.reconfigure(encoding="utf-8")
        # only our own stream has `write_raw`; a test's stream needs none
        getattr(sys.stdout, "write_raw", sys.stdout.write)(text)
    sys.stdout.flush()


def show_progress(text: str) -> None:
    """Replace the progress line on standard error, "" removes it; only on a terminal."""
    if obeys_escapes(sys.stderr):
        # back to the line's beginning and erase it
        write_escapes(sys.stderr, f"\r\x1b[K{printable(text)}")


def texts(lang: str | None = None) -> Texts:
    """Return the texts of a language; None means that of the settings, else the system's."""
    setting = "auto"
    # a mistake in the settings must not prevent reading a record
    with suppress(SettingsError):
        setting = lang or load().settings.language
    return Texts(language_for(setting))


def load_settings() -> Settings:
    """Return the settings, or end with status 2 if they have a mistake."""
    try:
        return load().settings
    except SettingsError as error:
        error.texts = texts()  # for its sentence in the table's language
        refuse(str(error))


_SYSTEM = {
    errno.ETIMEDOUT: "this is a pipe that does not end",
    errno.ENXIO: "this is a pipe or a device, not a file",
    errno.ELOOP: "this is a link to itself, not a file",
}
"""The meaning of these numbers in `pi_app.system.regular`."""


def why(error: Exception) -> str:
    """Say why the system refused a file; a ValueError means a NUL in its name."""
    if not isinstance(error, OSError):
        return "this is no file name"
    return _SYSTEM.get(error.errno or 0) or error.strerror or type(error).__name__


def no_file_words(error: NotAFileError) -> str:
    """Say that the path of a store, or of one of its files, is not a folder or file."""
    if error.errno == errno.EISDIR:
        return f"{error.filename} is no folder of games: name a --store FOLDER"
    if error.errno == errno.ENOTDIR:
        what = "a file, not a folder of games: name"
    elif error.errno == errno.ELOOP:
        what = "a link to itself, not a folder: remove it, or name"
    else:
        what = "a pipe or a device, not a folder: remove it, or name"
    return f"{error.filename} is {what} another --store FOLDER"


def refuse(sentence: str, status: int = FAILED) -> NoReturn:
    """End the program with one line on standard error."""
    fail(f"beisitzer: {sentence}", status)


def fail(line: str, status: int = FAILED) -> NoReturn:
    """End the program with this text as one line on standard error."""
    with suppress(OutputError):
        click.echo(" ".join(printable(line).split()), err=True)
    raise SystemExit(status)


def write_file(path: Path, text: str) -> None:
    """Write a file at once, or end with status 2."""
    try:
        write_safely(path, text.encode())
    except (OSError, ValueError) as error:
        refuse(f"{click.format_filename(path)}: {why(error)}")


def run_command(command: Callable[[], object]) -> int:
    """Run a command and return its exit status; any fault becomes a sentence, not a traceback."""
    logging.lastResort = logging.NullHandler()  # people see sentences, not log lines
    with printable_streams():
        try:
            return _run_and_explain(command)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else FAILED
        finally:
            _discard_rest(sys.__stdout__)
            _discard_rest(sys.__stderr__)


def _run_and_explain(command: Callable[[], object]) -> int:
    try:
        try:
            status = command()
        finally:
            sys.stdout.flush()  # flushed here, so that a failure is explained below
        return status if isinstance(status, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()  # its message is the whole help
        return error.exit_code
    except click.ClickException as error:
        path = error.ctx.command_path if isinstance(error, click.UsageError) and error.ctx else ""
        sentence = shorten(error.format_message(), 400).rstrip(".")
        refuse(f"{sentence} ({path or 'beisitzer'} -h helps)", error.exit_code)
    except (click.Abort, KeyboardInterrupt, EOFError):
        return INTERRUPTED
    except OutputError as error:
        if error.number == errno.EPIPE:  # the reader has ended, as in `| head`
            return FAILED
        refuse(f"standard output cannot be written ({why(OSError(error.number, str(error)))})")
    except Exception as error:  # noqa: BLE001  # people get a sentence for any fault
        keep_in_log("a command failed", error)
        refuse(fault_words(error))


def fault_words(error: Exception) -> str:
    """Say what to do about a fault in the program, or about a file that the system refuses."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{click.format_filename(error.filename)}: {why(error)}"
    fault = shorten(f"{type(error).__name__}: {error}", 80)
    return f"this is a fault ({fault}): beisitzer report collects what helps to mend it"


def keep_in_log(message: str, error: Exception) -> None:
    """Write an error with its traceback into the log."""
    handler = logs.set_up()
    log.critical(message, exc_info=error)
    logging.getLogger().removeHandler(handler)
    handler.close()


def _discard_rest(stream: TextIO | None) -> None:
    """Discard what a stream could not write, so that the interpreter does not try again at exit."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):  # ValueError: the stream is closed
        with suppress(OSError, ValueError):
            # sends the rest of the stream's buffer to the null device
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
