"""Every setting of the settings file, at the table: with its checks, and taken back by STAR."""

import re
from collections.abc import Callable
from dataclasses import fields, replace
from enum import StrEnum
from functools import partial
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin

from hardware.boards import board_words
from hardware.config import Devices, Says
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    MenuScreen,
    PageScreen,
    Pop,
    Push,
    Quit,
    Replace,
    Screen,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.number import NumberScreen
from pi_app.screens.players_and_settings.changing import SettingsMenu, adopt, not_stored_page
from pi_app.screens.players_and_settings.setting_words import (
    default_words,
    describe,
    name_of,
    table_words,
    value_words,
)
from pi_app.screens.text_entry import ExactEntry
from pi_app.settings.file import SettingsError
from pi_app.settings.schema import (
    NOT_ALLOWED,
    definitions,
    describe_allowed,
    fit,
    toml_value,
    value_of,
)
from pi_app.system.host import has_program
from pi_app.view.frame import Body, Frame, SoftKey
from pi_app.view.keying import DIGITS, NumberKeying, Wheel

LONGEST = 200
"""The longest text of a setting, in characters."""
LATER = {
    *(part.name for part in fields(Devices)),
    "display.show", "display.fullscreen", "display.rotate", "sounds.speaker", "sounds.command",
    "store.path", "web.port",
}  # fmt: skip
"""The tables and settings that take effect at the next start."""
_PORTS = {"rig.board": ("none", *board_words())}
"""Well-known values of settings that are texts."""


class SettingsList(SettingsMenu):
    """The tables of the settings; or the settings of one, each with its value."""

    def __init__(self, ctx: Context, table: str = "") -> None:
        super().__init__(ctx)
        self.table = table

    def heading(self) -> str:
        return table_words(self.tx, self.table) if self.table else self.tx("title", "All settings")

    def entries(self) -> tuple[Item, ...]:
        if self.table:
            keys = [key for key in definitions() if key.startswith(f"{self.table}.")]
            return tuple(
                (describe(self.ctx, key), partial(change_settings, self.ctx, key)) for key in keys
            )
        # `language` is in no table
        names = dict.fromkeys(key.partition(".")[0] for key in definitions())
        return tuple(
            (table_words(self.tx, name), partial(change_settings, self.ctx, name)) for name in names
        )


def change_settings(ctx: Context, name: str = "") -> Action:
    """Open a setting, the settings of a table, or all tables."""
    is_setting = name in definitions()
    return Push(setting_screen(ctx, name) if is_setting else SettingsList(ctx, name))


def setting_screen(ctx: Context, key: str) -> Screen:
    """Return the screen that changes a setting: its values to choose from, or an entry."""
    kind, says = definitions()[key]
    values, open_kinds = _values(key, kind)
    if values:
        return ValuesScreen(ctx, key, values, open_kinds)
    return _entry(ctx, key, says, open_kinds)


def _values(key: str, kind: Any) -> tuple[tuple[object, ...], tuple[Any, ...]]:
    """Return the values to choose from, and the kinds with too many values to list."""
    if get_origin(kind) in (Union, UnionType):
        parts = [_values(key, part) for part in get_args(kind)]
        listed = tuple(value for values, _ in parts for value in values)
        return listed, tuple(part for _, kinds in parts for part in kinds)
    if get_origin(kind) is Literal:
        return get_args(kind), ()
    if kind is bool:
        return (True, False), ()
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return tuple(kind), ()
    return _PORTS.get(key, ()), (kind,)


def _entry(ctx: Context, key: str, says: Says, kinds: tuple[Any, ...]) -> Screen:
    """Return the entry for values that cannot be listed."""
    if kinds == (int,) and not says.hexadecimal:
        return NumberEntry(ctx, key)

    def objection(text: str) -> str:
        return "" if read_value(key, text) is not NOT_ALLOWED else _rule(ctx, key)

    def done(text: str) -> Action:
        return accept(ctx, key, read_value(key, text))

    text = _written(value_of(ctx.settings, key), says)
    return ExactEntry(ctx, name_of(ctx.texts, key), text, LONGEST, objection, done)


def _written(value: object, says: Says) -> str:
    """Return a value as it is keyed: those of a list with spaces between them."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return toml_value(value, says) if isinstance(value, int) else str(value)


def read_value(key: str, text: str) -> object:
    """Return a keyed text's value, or NOT_ALLOWED."""
    kind, says = definitions()[key]
    words = re.split(r"[ ,]+", text.strip())
    value = fit(kind, says, _number(words[0], says)) if len(words) == 1 else NOT_ALLOWED
    if value is NOT_ALLOWED:
        value = fit(kind, says, text.strip())
    if value is NOT_ALLOWED:
        value = fit(kind, says, [_number(word, says) for word in words])
    return value if value is not NOT_ALLOWED else fit(kind, says, words)


def _number(word: str, says: Says) -> int | str:
    try:
        return int(word, 16 if says.hexadecimal else 10)
    except ValueError:
        return word


def _rule(ctx: Context, key: str) -> str:
    """Say a setting's allowed values."""
    kind, says = definitions()[key]
    return ctx.texts(
        "verdict", "Allowed: {allowed}", allowed=describe_allowed(kind, says, ctx.texts)
    )


def accept(ctx: Context, key: str, value: object) -> Action:
    """Store a value if the whole settings allow it; called for the screen below the setting's."""
    before, title = value_of(ctx.settings, key), name_of(ctx.texts, key)
    stored = True
    try:
        ctx.save(key, value.value if isinstance(value, StrEnum) else value)
    except SettingsError as error:
        error.texts = ctx.texts
        if error.key == key:  # nothing was written, so the error has no line of the file
            error.file, error.line = None, 0
        return Push(PageScreen(ctx, title, (str(error),)), signals=BAD)
    except (OSError, ValueError):
        stored = False
    adopt(ctx, key, value)
    if not stored:
        return Push(not_stored_page(ctx, title), signals=BAD)
    voice = ctx.settings.voice
    if key.startswith("voice.") and voice.level != "off" and not has_program(voice.command):
        line = ctx.texts("line", "Nothing speaks here: sudo apt install espeak-ng")
        return Push(PageScreen(ctx, title, (line,)), signals=BAD)
    if value != before and {key, key.partition(".")[0]} & LATER:
        return Push(LaterScreen(ctx, title), signals=OK)
    return Stay(OK)


class LaterScreen(MenuScreen):
    """Says that a change counts from the next start on, and offers that start."""

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        items: tuple[Item, ...] = ((tx("item", "Go on"), lambda: Pop(TICK)),)
        if self.ctx.appliance:
            items += ((tx("item", "Start anew now"), lambda: Quit(TICK, "again")),)
        return items

    def frame(self) -> Frame:
        frame = super().frame()
        line = self.tx("line", "This counts from the next start on.")
        return replace(frame, body=replace(frame.body, lines=(line,)))


class ValuesScreen(ListScreen):
    """The values of a setting to choose from; STAR explains it."""

    def __init__(
        self, ctx: Context, key: str, values: tuple[object, ...], open_kinds: tuple[Any, ...]
    ) -> None:
        current: object = value_of(ctx.settings, key)
        labels = [value_words(ctx.texts, key, value) for value in values]
        if open_kinds:
            labels.append(ctx.texts("item", "something else"))
        # compares the type too, because True equals 1
        same = (
            at
            for at, value in enumerate(values)
            if type(value) is type(current) and value == current
        )
        at = next(same, len(labels) - 1)
        super().__init__(
            ctx, name_of(ctx.texts, key), tuple(labels), self._choose_value, selected=at
        )
        self.key = key
        self.values = values
        self.open_kinds = open_kinds

    def star(self) -> tuple[str, Callable[[], Action]]:
        return self.tx("soft", "help"), lambda: Push(_help(self.ctx, self.key))

    def _choose_value(self, index: int) -> Action:
        ctx, key = self.ctx, self.key
        if index < len(self.values):
            return Pop(then=lambda: accept(ctx, key, self.values[index]))
        _, says = definitions()[key]
        # it replaces the values, so that keying leads back to the table's list
        return Replace(_entry(ctx, key, says, self.open_kinds))


def _help(ctx: Context, key: str) -> Screen:
    """Say what a setting means, what it may be, its default, and what the file calls it."""
    tx = ctx.texts
    _, says = definitions()[key]
    lines = (
        tx("cli", says.text),
        _rule(ctx, key),
        tx("line", "Without a change: {value}", value=default_words(tx, key)),
        tx("line", "In the file: {key}", key=key),
    )
    return PageScreen(ctx, name_of(tx, key), lines)


class NumberEntry(NumberScreen):
    """A setting that is a number: digits, or UP and DOWN; STAR explains it."""

    takes_digits = True

    def __init__(self, ctx: Context, key: str) -> None:
        self.key = key
        _, says = definitions()[key]
        rule = _rule(ctx, key)
        current: object = value_of(ctx.settings, key)
        number = NumberKeying(
            range(int(says.low or 0), int(says.high or 0) + 1),
            lambda *_: rule,
            digits=str(current) if isinstance(current, int) else "",
            fresh=True,
        )
        super().__init__(
            ctx,
            name_of(ctx.texts, key),
            rule,
            number,
            lambda value: Pop(then=lambda: accept(self.ctx, self.key, value)),
        )

    def frame(self) -> Frame:
        frame = super().frame()
        entry = self.number.entry(self.tx)
        entry = replace(entry, text=f"{entry.text}_")
        body = Body(entry=entry, lines=() if entry.verdict else (self.line,))
        return replace(
            frame, body=body, keys=frame.keys.with_keys(SoftKey(Key.STAR, self.tx("soft", "help")))
        )

    def wheel(self) -> Wheel:
        # there may be thousands of numbers: the dial turns to digits
        return replace(DIGITS, more=((Key.UP, "+1"), (Key.DOWN, "-1")))

    def press(self, key: Key) -> Action:
        if key in (Key.UP, Key.DOWN):
            by = -key.step
            value = int(self.number.digits or 0) + by
            if value not in self.number.numbers:
                return Stay(BAD)
            self.number = replace(self.number, digits=str(value))
            return Stay(TICK)
        if key is Key.STAR:
            return Push(_help(self.ctx, self.key))
        return super().press(key)
