"""Finds keys and taps that a turn screen answers wrongly: a sentence for each says how."""

import logging
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb

from beisitzer.testing.pilot import Pilot
from beisitzer.testing.samples import Samples
from engines.game import IllegalMoveError
from engines.record import begin_game
from engines.replay import steps
from hardware.keys import Key
from pi_app.displays.oled import paint
from pi_app.screens.playing.turn import TurnScreen
from pi_app.view.key_script import read_keys

NO_CELL = "no such cell"
SPARE_PRESSES = 4
"""`C` may be pressed this many times more than keys were pressed before it."""
SEE = "see: python -m pydoc beisitzer.plugin.screens.TurnScreen"


class _Errors(logging.Handler):
    """Keeps the exceptions that are logged: the companion survives them, a test must not."""

    def __init__(self, folder: Path) -> None:
        super().__init__(logging.ERROR)
        self.folder = folder
        self.sentences: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        message = record.getMessage()
        self.sentences.append(message if error is None else describe_error(error, self.folder))


def describe_error(error: BaseException, folder: Path) -> str:
    """Return an exception and the last line in this folder that led to it."""
    words = f"{type(error).__name__}: {error}"
    frames = [
        frame for frame in extract_tb(error.__traceback__) if folder in Path(frame.filename).parents
    ]
    if not frames:
        return words
    last = frames[-1]
    return f"{words}, in {last.name}, {last.filename}:{last.lineno}"


@contextmanager
def note_errors(folder: Path) -> Generator[list[str]]:
    """Return a list that gets the errors logged within the `with` block, as sentences.

    Each names the last line in this folder that led to it.
    """
    errors = _Errors(folder)
    logging.getLogger().addHandler(errors)
    try:
        yield errors.sentences
    finally:
        logging.getLogger().removeHandler(errors)


def find_undeleted(game: str, samples: Samples) -> Iterator[str]:
    """Yield a sentence if `C` deletes nothing, or never all that is keyed."""
    first, second = samples.keys
    for played, script in ((), first), ((first,), second), ((), samples.other[0]):
        pilot = _pilot(game, samples, played)
        stored, keys = pilot.tokens(), read_keys(script)
        for count in range(1, len(keys)):
            pilot.key(keys[:count])
            if pilot.tokens() != stored or not isinstance(pilot.program.screen, TurnScreen):
                break  # the move is made, or a screen of its own asks for it
            words = f"after the keys {script!r} without the last {len(keys) - count}"
            # a key may do two things, such as the last digit that completes a number
            fault = _delete_all(pilot, 2 * count + SPARE_PRESSES)
            if not fault and pilot.tokens() != stored:
                fault = "C changes the moves of the game instead of what is keyed"
            if fault:
                yield f"{words} {fault}; {SEE}"
                return


def _delete_all(pilot: Pilot, presses: int) -> str:
    """Press C until nothing is keyed; return what goes wrong, or ""."""
    for _ in range(presses):
        screen = pilot.program.screen
        if not isinstance(screen, TurnScreen) or not screen.keying():
            return ""
        shown = pilot.frame.body, pilot.frame.board.picture
        pilot.key([Key.BACK])
        if (pilot.frame.body, pilot.frame.board.picture) == shown:
            return "C changes nothing, although keying() says that something is keyed"
    return f"something is still keyed when C was pressed {presses} times"


def find_bad_taps(game: str, samples: Samples, folder: Path) -> Iterator[str]:
    """Yield a sentence if a tap on a cell raises, or leaves a record that does not replay.

    Each cell is tapped, then ENTER is pressed, then C until nothing is keyed; `folder` is the
    game's.
    """
    for played in (), samples.keys[:1], samples.keys:
        pilot = _pilot(game, samples, played)
        stored, picture = pilot.tokens(), pilot.frame.board.picture
        names = [] if picture is None else [cell.name for cell in picture.cells if cell.name]
        for name in (*dict.fromkeys(names), NO_CELL):
            fault = _tap(pilot, name, folder)
            if fault:
                yield f"after the moves {stored} a tap on the cell {name!r} {fault}; {SEE}"
                return
            while pilot.tokens() != stored:
                pilot.key([Key.BACK_HELD])


def _tap(pilot: Pilot, name: str, folder: Path) -> str:
    """Tap a cell, press ENTER, delete what is keyed; return what goes wrong, or ""."""
    with note_errors(folder) as errors:
        pilot.program.tap(name)
        paint(pilot.frame)
        if unsound := _unsound(pilot):
            return unsound
        pilot.key([Key.ENTER])  # many games play the tapped cell
        paint(pilot.frame)
        # a tap enters at most the cell's name, which `C` deletes character by character
        fault = _delete_all(pilot, SPARE_PRESSES + len(name))
        pilot.restart()  # back to the turn, whatever screen the tap opened
    if errors:
        return f"fails ({errors[0]}): answer a tap that means nothing with Stay(BAD)"
    return fault or _unsound(pilot)


def _unsound(pilot: Pilot) -> str:
    """Return why the stored record is not what the table shows, or ""."""
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    try:
        steps(begin_game(stored.tags)[1], stored.tokens)
    except IllegalMoveError as error:
        return f"stores a move that is illegal ({error})"
    return ""


def _pilot(game: str, samples: Samples, played: Sequence[str]) -> Pilot:
    pilot = Pilot(samples.record_tags(game))
    for script in played:
        pilot.key(script)
    return pilot
