"""A table for tests: the companion with a store in memory and a stopped clock.

A script of keys is text as in docs/table.md, "Key scripts": `5#` keys 5 and ENTER, `<` is C (BACK),
`<<` C held, `?` D (MENU). It can also choose entries by name, which survives new menu entries:
`@"System"` chooses the entry with this English text, whatever the table's language.
"""

import re
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from hardware.keys import Key
from pi_app.run.loop import Companion
from pi_app.run.opening import Wish, companion, first_screen
from pi_app.screens.context import Context
from pi_app.screens.starting.set_up import RestOfForm
from pi_app.settings.schema import Settings
from pi_app.store import Store
from pi_app.texts.language import Texts
from pi_app.view.frame import Choices, Frame
from pi_app.view.inputs import KeyQueue
from pi_app.view.key_script import read_keys

NOW = datetime(2026, 4, 1, 15, tzinfo=UTC)
"""The time in every test, unless it sets another."""
_CHOICE = re.compile(r'@"([^"]*)"')


def press(program: Companion, script: str) -> None:
    """Press the keys of a script; LookupError if the list has no entry with a name."""
    for index, part in enumerate(_CHOICE.split(script)):
        if index % 2:  # `split` returns keys and names in turn
            choose(program, part)
        else:
            program.play_script(read_keys(part))


def choose(program: Companion, words: str) -> None:
    """Choose the entry with these English words, on any page of a list with "More"."""
    try:
        place = find_row(_english_choices(program).items, words)
    except LookupError:
        if _english_choices(program).items[-1:] == ("More",):
            choose(program, "More")
        elif isinstance(program.screen, RestOfForm):
            program.press(Key.BACK)
        else:
            raise
        place = find_row(_english_choices(program).items, words)
    for key in keys_to(_english_choices(program), place):
        program.press(key)


def _english_choices(program: Companion) -> Choices:
    with in_english(program.ctx):
        return program.screen.frame().body.choices or Choices(())


def find_row(items: Sequence[str], words: str) -> int:
    """Return the place of the entry with these words; LookupError if there is none.

    An equal entry wins over one that begins with them, and that over one that contains them.
    """
    found = [place for place, item in enumerate(items) if words in item]
    if not found:
        raise LookupError(f"there is no {words!r} to choose in {items}")
    return min(found, key=lambda at: (items[at] != words, not items[at].startswith(words)))


def keys_to(choices: Choices, place: int) -> list[Key]:
    """Return the keys that mark an entry of a list, and choose it."""
    steps = place - choices.selected
    return [Key.DOWN if steps > 0 else Key.UP] * abs(steps) + [Key.ENTER]


@contextmanager
def in_english(ctx: Context) -> Generator[None, None, None]:
    """Let a table say everything in English for a moment."""
    texts, ctx.texts = ctx.texts, Texts("en")
    try:
        yield
    finally:
        ctx.texts = texts


class Clock:
    """A clock in seconds that a test advances."""

    def __init__(self) -> None:
        self.now: float = 100.0

    def __call__(self) -> float:
        return self.now


class Pilot:
    """A companion with keys from scripts; `frame` is what the table sees."""

    def __init__(
        self,
        tags: dict[str, str] | None = None,
        language: str = "en",
        store: Store | Path | None = None,
    ) -> None:
        self.clock: Clock = Clock()
        opened = store if isinstance(store, Store) else Store(store or ":memory:")
        self.today = NOW
        self.ctx: Context = Context(
            Texts(language), Settings(), opened, self.clock, now=lambda: self.today
        )
        first = first_screen(self.ctx, Wish(tags))
        self.program: Companion = companion(self.ctx, first, KeyQueue(), [])
        self.program.show()

    def key(self, script: str | Iterable[Key]) -> Frame:
        """Press keys, or those of a script; return the frame after them."""
        if isinstance(script, str):
            press(self.program, script)
        else:
            for key in script:
                self.program.press(key)
        return self.frame

    def restart(self) -> None:
        """Begin the turn anew, as after a restart of the companion."""
        self.program.stack = [first_screen(self.ctx, Wish())]
        self.program.show()

    @property
    def frame(self) -> Frame:
        frame = self.program.frame
        if frame is None:
            raise AssertionError("nothing was shown")
        return frame

    def tokens(self) -> tuple[str, ...]:
        """Return the stored moves of the latest game."""
        game = self.ctx.store.latest_game()
        return () if game is None else self.ctx.store.load(game).tokens
