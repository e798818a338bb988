"""How every command speaks: its language, its one-line refusals, what guards the terminal."""

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

from pi_app.files import log as logs
from pi_app.files.regular import NotAFileError
from pi_app.settings.file import SettingsError, load
from pi_app.settings.schema import Settings
from pi_app.store.migrations import VersionError
from pi_app.texts.language import Text, Texts, language_for
from pi_app.texts.printable import printable, printable_lines, shortened

log = logging.getLogger(__name__)

DAMAGED = 1
"""The status of what was read of a damaged store; `check` says so that a move is not legal."""
FAILED = 2
"""The status of what could not be done."""
INTERRUPTED = 128 + 2

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON, for other programs."
)
lang_option = click.option(
    "--lang", type=click.Choice(["de", "en"]), is_eager=True, help="Language of the sentences."
)


class OutputError(Exception):
    """Standard output or standard error takes no more: the system's number and words for it.

    No OSError, of which click makes status 1 by itself where a pipe was closed.
    """

    def __init__(self, number: int | None) -> None:
        super().__init__(os.strerror(number or errno.EIO))
        self.number = number


class PrintableStream:
    """A stream of text as `print` and click want it, that lets only line feeds control it.

    What the stream's own encoding lacks becomes a question mark. `stream` None: it was closed
    before the program began.
    """

    encoding = "utf-8"
    errors = "replace"

    def __init__(self, stream: TextIO | None) -> None:
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
        self._stream = stream

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def write(self, text: str) -> int:
        return self.write_raw(printable_lines(text))

    def write_raw(self, text: str) -> int:
        """Write what is no text for people, such as an exported record into a file."""
        if self._stream is None:
            raise OutputError(errno.EBADF)
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
    """Guard standard output and standard error."""
    out, err = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = PrintableStream(out), PrintableStream(err)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = out, err


def write_data(text: str) -> None:
    """Write to standard output, into a file or a pipe to the letter, to a terminal as shown."""
    exact = getattr(sys.stdout, "write_raw", sys.stdout.write)
    (sys.stdout.write if sys.stdout.isatty() else exact)(text)
    sys.stdout.flush()


def show_progress(text: str) -> None:
    """Rewrite the line that stands on standard error; "" takes it away. Only on a terminal."""
    if not sys.stderr.isatty():
        return
    exact = getattr(sys.stderr, "write_raw", sys.stderr.write)
    exact(f"\r\x1b[K{printable(text)}")
    sys.stderr.flush()


def texts(lang: str | None = None) -> Texts:
    """Return the texts of a language; None: of the settings' one, else the system's."""
    setting = "auto"
    # a mistake in the settings keeps nobody from reading a record
    with suppress(SettingsError):
        setting = lang or load().settings.language
    return Texts(language_for(setting))


def load_settings() -> Settings:
    """Return the settings, or end with status 2 where they have a mistake."""
    try:
        return load().settings
    except SettingsError as error:
        refuse(str(error))


_DENIED = Text("cli", "access is denied")
_SYSTEM = {
    errno.ENOENT: Text("cli", "there is no such file or folder"),
    errno.EACCES: _DENIED,
    errno.EPERM: _DENIED,
    errno.EISDIR: Text("cli", "this is a folder"),
    errno.ENOTDIR: Text("cli", "this is no folder"),
    errno.ENOSPC: Text("cli", "the disk is full"),
    errno.EROFS: Text("cli", "the disk cannot be written"),
    errno.EBADF: Text("cli", "it is closed"),
}


def system_words(tx: Texts, error: Exception) -> str:
    """Say why the system refused a file; ValueError: a NUL in its name."""
    if not isinstance(error, OSError):
        return tx("cli", "this is no file name")
    if isinstance(error, NotAFileError):
        return tx("cli", "this is a pipe or a device, not a file")
    return tx.say(_SYSTEM, error.errno) or error.strerror or type(error).__name__


def version_words(tx: Texts, place: Path, error: VersionError) -> str:
    """Say that a store is of a later version than this program can read, or of too early a one."""
    if not error.newer:
        return tx(
            "cli",
            "{path} was written before the first release: CHANGELOG.md says how to export its "
            "games; to begin without them, name another --store FILE",
            path=place,
        )
    return tx(
        "cli",
        "{path} was written by a newer Beisitzer ({why}): update this one",
        path=place,
        why=error,
    )


def no_file_words(tx: Texts, error: NotAFileError) -> str:
    """Say what is in the place of one of the store's files."""
    return tx(
        "cli",
        "{path} is a pipe or a device, not a file: remove it, or name another --store FILE",
        path=error.filename,
    )


def refuse(sentence: str, status: int = FAILED) -> NoReturn:
    """End the program with one line on standard error."""
    fail(f"beisitzer: {sentence}", status)


def fail(line: str, status: int = FAILED) -> NoReturn:
    """End the program with this line, whatever breaks it holds, on standard error."""
    with suppress(OutputError):
        click.echo(" ".join(printable(line).split()), err=True)
    raise SystemExit(status)


def run_command(command: Callable[[], object]) -> int:
    """Run a command to its end; return the exit status. No fault of it gets past as a traceback."""
    logging.lastResort = logging.NullHandler()  # without a log, the sentence must say it all
    with printable_streams():
        try:
            return _run(command)
        except SystemExit as end:
            return end.code if isinstance(end.code, int) else FAILED
        finally:
            _discard_rest(sys.__stdout__)
            _discard_rest(sys.__stderr__)


def _run(command: Callable[[], object]) -> int:
    try:
        try:
            status = command()
        finally:
            sys.stdout.flush()
        return status if isinstance(status, int) else 0
    except click.exceptions.NoArgsIsHelpError as error:
        error.show()
        return error.exit_code
    except click.ClickException as error:
        from pi_app.commands.usage import usage_sentence

        refuse(usage_sentence(texts(), error), error.exit_code)
    except (click.Abort, KeyboardInterrupt, EOFError):
        return INTERRUPTED
    except OutputError as error:
        if error.number == errno.EPIPE:  # nobody reads on, as after `| head`
            return FAILED
        tx = texts()
        why = system_words(tx, OSError(error.number, str(error)))
        refuse(tx("cli", "standard output cannot be written ({why})", why=why))
    except Exception as error:  # noqa: BLE001  # whatever it is, a person gets a sentence
        keep_in_log("a command failed", error)
        refuse(fault_words(texts(), error))


def fault_words(tx: Texts, error: Exception) -> str:
    """Say what to do about a fault of the program."""
    fault = shortened(f"{type(error).__name__}: {error}", 80)
    return tx(
        "cli",
        "this is a fault ({what}): beisitzer report collects what helps to mend it",
        what=fault,
    )


def keep_in_log(what: str, error: Exception) -> None:
    """Write an error into the log, whose words are for whoever mends the program."""
    handler = logs.set_up()
    log.critical(what, exc_info=error)
    logging.getLogger().removeHandler(handler)
    handler.close()


def _discard_rest(stream: TextIO | None) -> None:
    """Drop what a stream did not take, so that the interpreter does not try again and fail."""
    if stream is None:
        return
    try:
        stream.flush()
    except (OSError, ValueError):
        with suppress(OSError, ValueError):
            null = os.open(os.devnull, os.O_WRONLY)
            os.dup2(null, stream.fileno())
            os.close(null)
