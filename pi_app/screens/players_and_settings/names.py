"""Names: choose a known one, find it by its first letters, or key a new one."""

from collections.abc import Callable, Collection
from dataclasses import replace

from hardware.keys import Key
from pi_app.screens.base import OK, TICK, Action, ListScreen, Pop, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.text_entry import TextEntry
from pi_app.table.players import list_players
from pi_app.view.frame import Choices, Frame
from pi_app.view.keying import Marked, choose

NAME_LENGTH = 16
"""The longest name that fits every text on the smallest display, in characters."""


class NamesScreen(ListScreen):
    """A list of names: STAR, or a letter on a keyboard, finds one by its first letters."""

    find: Callable[[], Screen]
    """Makes the screen that asks for the letters."""

    def frame(self) -> Frame:
        frame = super().frame()
        return replace(frame, keys=replace(frame.keys, lettered=True))

    def star(self) -> tuple[str, Callable[[], Action]]:
        return self.tx("soft", "find"), lambda: Push(self.find())


class FindName(TextEntry):
    """Asks for letters and lists the known names with this beginning, then the new name itself.

    UP and DOWN mark one of these, ENTER takes it.
    """

    def __init__(
        self,
        ctx: Context,
        names: Collection[str],
        objection: Callable[[str], str],
        done: Callable[[str], Action],
        title: str = "",
    ) -> None:
        title = title or ctx.texts("title", "Name")
        super().__init__(ctx, title, "", NAME_LENGTH, objection, done)
        self.names = names
        self.marked = 0

    def _offers(self) -> tuple[str, ...]:
        """Return the names to choose from, a new one last; () before the first letter."""
        text = " ".join(self.text.split())
        if not text:
            return ()
        beginning = text.casefold()
        matches = [name for name in self.names if name.casefold().startswith(beginning)]
        is_known = any(name.casefold() == beginning for name in matches)
        if is_known or self.objection(text):
            return tuple(matches)  # the text cannot be a new name
        return (*matches, text)

    def _choices(self) -> Choices | None:
        offers = self._offers()
        if not offers:
            return None
        items = tuple(
            name if name in self.names else self.tx("item", "New: {name}", name=name)
            for name in offers
        )
        return Choices(items, min(self.marked, len(items) - 1), numbered=False)

    def frame(self) -> Frame:
        frame, choices = super().frame(), self._choices()
        if choices is None:
            return frame
        return replace(frame, body=replace(frame.body, choices=choices, lines=()))

    def press(self, key: Key) -> Action:
        choices = self._choices()
        if choices is None or key not in (Key.UP, Key.DOWN, Key.ENTER):
            self.marked = 0
            return super().press(key)
        marked = choose(choices, Marked(choices.selected), key)
        if isinstance(marked, Marked):
            self.marked = marked.selected
            return Stay(TICK)
        name = self._offers()[choices.selected]
        return Pop(OK, lambda: self.done(name))


class NextName(FindName):
    """Asks for the name of one seat after another; ENTER without a name ends it."""

    def press(self, key: Key) -> Action:
        return Pop(TICK) if key is Key.ENTER and not self.text else super().press(key)


def known_names(ctx: Context, taken: Collection[str]) -> list[str]:
    """Return the people to offer for a seat, without those in `taken`.

    Guests who are here come first, then known players, the latest first.
    """
    here = [name for guests in ctx.guests for name in guests()]
    names = dict.fromkeys((*here, *(player.name for player in list_players(ctx.store))))
    return [name for name in names if name not in taken]


def objection_to_seated(ctx: Context, taken: Collection[str]) -> Callable[[str], str]:
    """Return a function that objects to the names of people who have a seat already."""

    def objection(text: str) -> str:
        return ctx.texts("verdict", "{name} sits here already", name=text) if text in taken else ""

    return objection


def name_screen(
    ctx: Context, name: str, taken: Collection[str], done: Callable[[str], Action]
) -> Screen:
    """Return the screen that asks for a name: a known one or a new one."""
    title, objection = ctx.texts("title", "Name"), objection_to_seated(ctx, taken)
    names = known_names(ctx, taken)
    if not names:
        return TextEntry(ctx, title, name, NAME_LENGTH, objection, done)

    def close_list(new: str) -> Action:
        """Close the list of names, which lies below the entry, and take the name."""
        return Pop(then=lambda: done(new))

    entry = TextEntry(ctx, title, name, NAME_LENGTH, objection, close_list)

    def choose(index: int) -> Action:
        return (
            Pop(OK, lambda: done(names[index])) if index < len(names) else Push(entry, signals=())
        )

    screen = NamesScreen(ctx, title, (*names, ctx.texts("item", "New name")), choose)
    screen.find = lambda: FindName(ctx, names, objection, close_list)
    return screen
