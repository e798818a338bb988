"""The companion itself: language, sounds, displays, version, restart and switching off."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from pi_app.files.host import has_program
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Item,
    ListScreen,
    Open,
    PageScreen,
    Pop,
    Push,
    Quit,
    Stay,
)
from pi_app.screens.context import Context
from pi_app.screens.keeping.changing import SettingsMenu, change, not_stored_page
from pi_app.screens.keeping.health import health
from pi_app.texts.language import LANGUAGES, Texts, language_name
from pi_app.view.frame import Frame

LEVELS = (10, 25, 50, 80, 100)
"""Brightness levels offered, in percent."""
VOLUMES = (25, 50, 80, 100)
"""Volumes of the voice offered, in percent."""


class SystemMenu(SettingsMenu):
    """Settings that can be changed at the table, and switching off."""

    def heading(self) -> str:
        return self.tx("title", "System")

    def frame(self) -> Frame:
        return with_notice(self.ctx, super().frame())

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        entries: list[Item] = [
            (tx("item", "Language"), self._languages),
            (tx("item", "Sounds"), lambda: Push(TICK, screen=SoundsScreen(self.ctx))),
            (tx("item", "Voice"), lambda: Push(TICK, screen=VoiceMenu(self.ctx))),
            (tx("item", "Brightness"), self._brightness),
            (tx("item", "Window"), lambda: Push(TICK, screen=WindowMenu(self.ctx))),
            (tx("item", "Phone"), lambda: Open(TICK, "phones")),
            (tx("item", "All settings"), self._all_settings),
            (
                tx("item", "Health"),
                lambda: Push(
                    TICK, screen=PageScreen(self.ctx, tx("title", "Health"), health(self.ctx))
                ),
            ),
        ]
        entries += [item for items in self.ctx.system_items for item in items()]
        if self.ctx.appliance:
            entries += [
                (tx("item", "Restart"), self._power("restart", tx("title", "Restart?"))),
                (tx("item", "Switch off"), self._power("off", tx("title", "Switch off?"))),
            ]
            # in safe mode, after failed starts, people can ask for a start with everything
            if self.ctx.before is not None and self.ctx.before.safe_mode:
                entries.append((tx("item", "Normal start"), lambda: Quit(TICK, "again")))
        else:
            entries.append((tx("item", "Quit"), lambda: Quit(TICK)))
        return tuple(entries)

    def _all_settings(self) -> Action:
        from pi_app.screens.keeping.every_setting import SettingsList  # rarely needed

        return Push(TICK, screen=SettingsList(self.ctx))

    def _languages(self) -> Action:
        def choose(index: int) -> Action:
            return self._change("language", LANGUAGES[index])

        title = self.tx("title", "Language")
        labels = tuple(map(language_name, LANGUAGES))
        current = LANGUAGES.index(self.tx.language)
        return Push(TICK, screen=ListScreen(self.ctx, title, labels, choose, selected=current))

    def _brightness(self) -> Action:
        current = self.ctx.settings.display.brightness
        labels = {level: f"{level} %" for level in LEVELS}
        # the settings file may have a level that is not offered
        nearest = min(LEVELS, key=lambda level: abs(level - current))
        title = self.tx("title", "Brightness")
        return self._choose_value(title, "display.brightness", labels, nearest)

    def _choose_value(
        self, title: str, key: str, labels: Mapping[Any, str], current: object
    ) -> Action:
        """Offer the values of a setting; the current one is marked."""
        values = tuple(labels)

        def choose(index: int) -> Action:
            return self._change(key, values[index])

        screen = ListScreen(
            self.ctx,
            title,
            tuple(labels.values()),
            choose,
            selected=values.index(current),
            # a number is chosen by itself: 80 chooses "80 %"
            digits=tuple(map(str, values)) if isinstance(values[0], int) else (),
        )
        return Push(TICK, screen=screen)

    def _power(self, power: str, title: str) -> Callable[[], Action]:
        """Ask before switching off; "no" comes first."""

        def answer(index: int) -> Action:
            return Quit(TICK, power) if index else Pop(TICK)  # 0 is "no"

        labels = (self.tx("item", "no"), self.tx("item", "yes"))
        return lambda: Push(TICK, screen=ListScreen(self.ctx, title, labels, answer))

    def _change(self, key: str, value: object) -> Action:
        """Change a setting; say so if it could not be stored."""
        if change(self.ctx, key, value):
            return Pop(then=lambda: Stay(OK))
        return Pop(then=lambda: Push(BAD, screen=not_stored_page(self.ctx, self.heading())))


def with_notice(ctx: Context, frame: Frame) -> Frame:
    """Return a menu's frame with the sentence that concerns the whole table, if there is room."""
    notice = "" if frame.body.lines else ctx.notice
    return replace(frame, body=replace(frame.body, lines=(notice,))) if notice else frame


class WindowMenu(SystemMenu):
    """How the window looks, and from where people look at it."""

    def heading(self) -> str:
        return self.tx("title", "Window")

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        return (
            (tx("item", "Window colours"), self._colours),
            (tx("item", "Board in window"), self._orientation),
            (tx("item", "Turn screen"), self._rotation),
        )

    def _colours(self) -> Action:
        """Choose the window's background."""
        tx = self.tx
        labels = {
            "dark": tx("item", "dark"),
            "light": tx("item", "light"),
            "day": tx("item", "by time of day"),
        }
        current = self.ctx.settings.display.theme
        return self._choose_value(tx("title", "Window colours"), "display.theme", labels, current)

    def _orientation(self) -> Action:
        """Choose which way round the window shows the board."""
        tx = self.tx
        labels = {"fixed": tx("item", "as it lies"), "player": tx("item", "to who moves")}
        current = self.ctx.settings.display.board
        return self._choose_value(tx("title", "Board in window"), "display.board", labels, current)

    def _rotation(self) -> Action:
        """Choose how far a screen without a desktop is turned, clockwise."""
        tx = self.tx
        labels = {
            0: tx("item", "not turned"),
            90: tx("item", "turned right"),
            180: tx("item", "upside down"),
            270: tx("item", "turned left"),
        }
        current = self.ctx.settings.display.rotate
        return self._choose_value(tx("title", "Turn screen"), "display.rotate", labels, current)


class VoiceMenu(SystemMenu):
    """What the voice says, and how loud."""

    def heading(self) -> str:
        return self.tx("title", "Voice")

    def entries(self) -> tuple[Item, ...]:
        tx, voice = self.tx, self.ctx.settings.voice
        levels = voice_levels(tx)
        volumes = {volume: f"{volume} %" for volume in VOLUMES}
        # the settings file may have a volume that is not offered
        nearest = min(VOLUMES, key=lambda volume: abs(volume - voice.volume))
        return (
            (
                tx("item", "Says: {level}", level=levels[voice.level]),
                lambda: self._choose_value(tx("title", "Says"), "voice.level", levels, voice.level),
            ),
            (
                tx("item", "Volume: {n} %", n=voice.volume),
                lambda: self._choose_value(tx("title", "Volume"), "voice.volume", volumes, nearest),
            ),
        )

    def _change(self, key: str, value: object) -> Action:
        """Change a setting; say what to install if there is no speech program."""
        action = super()._change(key, value)
        voice = self.ctx.settings.voice
        if voice.level == "off" or has_program(voice.command):
            return action
        line = self.tx("line", "Nothing speaks here: sudo apt install espeak-ng")
        page = PageScreen(self.ctx, self.heading(), (line,))
        return Pop(then=lambda: Push(BAD, screen=page))


def voice_levels(tx: Texts) -> dict[str, str]:
    """Return words for the levels of the voice."""
    return {
        "off": tx("item", "nothing"),
        "calls": tx("item", "calls"),
        "everything": tx("item", "everything"),
    }


class SoundsScreen(SettingsMenu):
    """Switches each kind of sound on or off."""

    def heading(self) -> str:
        return self.tx("title", "Sounds")

    def entries(self) -> tuple[Item, ...]:
        tx, sounds = self.tx, self.ctx.settings.sounds
        names = {
            "tick": tx("word", "key"),
            "ok": tx("word", "good move"),
            "bad": tx("word", "refused"),
            "win": tx("word", "the end"),
            "turn": tx("word", "your turn"),
        }
        on, off = tx("item", "on"), tx("item", "off")
        return tuple(
            (f"{name}: {on if getattr(sounds, key) else off}", partial(self._toggle, key))
            for key, name in names.items()
        )

    def _toggle(self, name: str) -> Action:
        on = not getattr(self.ctx.settings.sounds, name)
        return Stay(OK if change(self.ctx, f"sounds.{name}", on) else BAD)
