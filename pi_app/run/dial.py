"""The dial: everything a keypad can key, with a joystick or with an encoder alone.

It stands between the keys and the screen on top. A screen's `wheel` has the values for this place;
the dial moves along lists; all other keys of a keypad are rows or stops of the dial. Screens only
receive keys of the keypad.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace

from hardware.keys import Key
from pi_app.screens.base import Screen
from pi_app.screens.context import Context
from pi_app.screens.playing.turn import TurnScreen
from pi_app.screens.secret import SecretScreen
from pi_app.view.frame import HIDDEN, Body, Choices, Entry, Frame, SoftKey
from pi_app.view.keying import DIGITS, Wheel, die_wheel

PUSH, HOLD, LEFT, RIGHT = "●", "●…", "←…", "→…"
"""The signs of the dial's keys, as the bottom line shows them: push, and what is held."""

JUMP = 5
"""How many stops left and right jump."""

_STEPS = {
    Key.STICK_UP: 1,
    Key.STICK_DOWN: -1,
    Key.STICK_RIGHT: JUMP,
    Key.STICK_LEFT: -JUMP,
    Key.TURN_RIGHT: 1,
    Key.TURN_LEFT: -1,
}
_ARROWS = {Key.STICK_UP: Key.UP, Key.STICK_DOWN: Key.DOWN}
_KEY_WORDS = re.compile(r"(?<![\w*#])[*#D](?![\w*#])")
"""A key's sign that stands alone, not in an example such as 5*11#."""
_EXAMPLE = re.compile(r"\d[*#]|[*]{2}")
"""An example of keys, written for a keypad."""


@dataclass(frozen=True, slots=True)
class Stop:
    """One place of the dial: its text and the keys that it sends."""

    text: str
    keys: tuple[Key, ...]


@dataclass(frozen=True, slots=True)
class Stops:
    """All stops of the dial at this place."""

    wheel: Wheel | None
    """The values that can be keyed here; None in a list and where there are only keys."""
    stops: tuple[Stop, ...]
    """First the values or the rows of a list, then the keys that the dial itself lacks."""
    start: int
    """The index of the stop where the dial stands before it is turned."""
    values: int = 0
    """How many of the stops are values or rows."""
    listed: bool = False
    """Whether those are the rows of a list, of which the screen marks one itself."""

    def step(self, at: int, by: int) -> int:
        """Return the index of the stop that is `by` stops from the one `at` this index.

        A jump halts at the first and the last value before it goes round.
        """
        # the last value: only single steps reach the soft keys after it
        last = (self.values or len(self.stops)) - 1
        if abs(by) == 1:
            return (at + by) % len(self.stops)
        forward = by > 0
        if at > last:  # on a soft key: back into the values at the nearer end
            return 0 if forward else last
        if at == last and forward:
            return 0
        if at == 0 and not forward:
            return last
        return max(0, min(at + by, last))


class Dial:
    """Where the dial stands, and which keys of the keypad it sends."""

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.at: int | None = None
        """The index of the stop that was turned to, unless the screen knows it; None: the start."""
        self.used = False
        """Whether the last key came from a dial."""

    @property
    def active(self) -> bool:
        """Whether frames show the dial: there are no digits, or its key was the last one."""
        return self.used or self.ctx.dials

    @property
    def has_stick(self) -> bool:
        """Whether it has left and right, so that back and menu need no stop."""
        stick = self.ctx.settings.joystick
        return stick.enabled and stick.push != "none"

    def forget(self) -> None:
        """Note a key that came from elsewhere."""
        self.at, self.used = None, False

    # --- stops

    def stops(self, screen: Screen, frame: Frame) -> Stops:
        """Return the stops for a screen and its frame."""
        wheel = screen.wheel()
        choices = frame.body.choices
        if wheel is None and choices is None:
            if frame.keys.dice[1:]:  # one die alone is no choice
                wheel = die_wheel(frame.keys.dice, frame.keys.star)
            elif frame.body.entry is not None or screen.takes_digits:
                wheel = DIGITS
        others = self._other_keys(screen, frame, wheel)
        if wheel is not None and not wheel.values:  # the screen accepts no digits either
            wheel = None
        keys = self._remaining_keys(screen, frame, wheel)
        if wheel is not None:
            values = tuple(Stop(value, wheel.keys_of(at)) for at, value in enumerate(wheel.values))
            # reversed: turning back from the first value comes to the first key first
            return Stops(wheel, (*values, *reversed((*keys, *others))), wheel.place, len(values))
        if choices is not None:
            rows = tuple(Stop(item, (Key.ENTER,)) for item in choices.items)
            digits = DIGITS.values if screen.takes_digits else ()
            more = tuple(Stop(digit, (Key(digit),)) for digit in digits)
            stops = (*rows, *keys, *others, *more)
            return Stops(None, stops, choices.selected, len(rows), listed=True)
        # what goes on, if a soft key says so
        onward = [stop for soft in frame.keys.soft if (stop := _stop(soft)).keys == (Key.ENTER,)]
        back = [_stop(soft) for soft in frame.keys.soft if soft.key is Key.BACK]
        # a dial needs a stop: BACK, or ENTER on a screen without labels
        fallback = (*back, Stop("", (Key.ENTER,)))[:1]
        return Stops(None, (*((*onward, *keys) or fallback), *others), 0)

    def _other_keys(self, screen: Screen, frame: Frame, wheel: Wheel | None) -> tuple[Stop, ...]:
        """Return the stops of the keys that no soft key names."""
        more = () if wheel is None else wheel.more  # keys with their words
        if wheel is None or not wheel.values:
            if self.has_stick:  # the stick has its own keys for these
                more = tuple(row for row in more if row[0] not in (Key.UP, Key.DOWN, Key.MENU))
            elif frame.body.choices is None:
                pages = (soft for soft in frame.keys.soft if soft.scrolls)
                more = (*more, *((Key.UP, f"▲ {soft.label}") for soft in pages))
        held_menu = ""  # the action of a held menu key here
        if isinstance(screen, SecretScreen):
            held_menu = self.ctx.texts("word", "aloud") if self.ctx.speaks else ""
        elif self.ctx.invites() and not screen.takes_held_menu:
            held_menu = self.ctx.texts("title", "Phone")
        scrolls = any(soft.key is Key.DOWN for soft in frame.keys.soft)
        # nothing is keyed in this turn: DOWN turns to more of its lines
        idle = _undoes(screen) and frame.body.entry is None and frame.body.choices is None
        if idle and len(frame.body.lines) > 1 and not scrolls:
            more = (*more, (Key.DOWN, self.ctx.texts("soft", "more")))
        if held_menu:
            more = (*more, (Key.MENU_HELD, held_menu))
        return tuple(Stop(text, (key,)) for key, text in more)

    def _remaining_keys(
        self, screen: Screen, frame: Frame, wheel: Wheel | None
    ) -> tuple[Stop, ...]:
        """Return stops for the soft keys that push, hold, left and right do not replace."""
        replaced = {Key.ENTER}
        if wheel is not None and wheel.then is not None:
            replaced.add(wheel.then)
        elif wheel is None and (frame.body.choices is not None or self.has_stick):
            replaced |= {Key.UP, Key.DOWN}
        if self.has_stick:
            replaced |= {Key.BACK_HELD, Key.MENU}
            # where a held left takes back the last move, BACK is left over
            replaced |= set() if _undoes(screen) else {Key.BACK}
        remaining = [soft for soft in frame.keys.soft if soft.key not in replaced and soft.label]
        # the key that scrolls comes first: what is below is read before anything is done
        return tuple(map(_stop, sorted(remaining, key=lambda soft: not soft.scrolls)))

    def place(self, stops: Stops) -> int:
        """Return the stop where the dial is."""
        return stops.start if self.at is None else min(self.at, len(stops.stops) - 1)

    # --- its keys

    def press(self, key: Key, screen: Screen, frame: Frame) -> list[Key]:
        """Return the keypad's keys that a key of the dial stands for now."""
        self.used = True
        stops = self.stops(screen, frame)
        if key in _STEPS:
            return self._turn(key, stops)
        at = self.place(stops)
        self.at = None  # the key leads to another place
        match key:
            case Key.STICK_LEFT_HELD:
                # deletes the current number, else the entry before it, else takes back the last
                # move
                if stops.wheel is not None and stops.wheel.live and stops.wheel.keyed:
                    return [Key.BACK] * len(stops.wheel.keyed)
                return [Key.BACK_HELD if _undoes(screen) else Key.BACK]
            case Key.STICK_RIGHT_HELD:
                return [Key.MENU]
            case Key.PUSH_HELD:
                # play or accept what is keyed; on a letter that was turned to, take it first
                wheel = stops.wheel
                # a live value is keyed already
                turned = wheel is not None and not wheel.live and at != stops.start
                if turned and at < stops.values:
                    return [*stops.stops[at].keys, Key.ENTER]
                return [Key.ENTER]
        wheel, stop = stops.wheel, stops.stops[at]
        if wheel is None or at >= stops.values:
            return list(stop.keys)
        if frame.alert is not None:
            return [Key.ENTER]  # ends the alert
        then = [] if wheel.then is None else [wheel.then]
        is_keyed = wheel.live and wheel.keyed  # turning to it has keyed it
        return then if is_keyed else [*stop.keys, *then]

    def _turn(self, key: Key, stops: Stops) -> list[Key]:
        arrow = _ARROWS.get(key)
        if stops.wheel is None and not stops.listed and arrow is not None:
            return [arrow]  # a page scrolls
        by, at = _STEPS[key], self.place(stops)
        if stops.listed:
            # the stick's up raises a number, but in a list it goes to the row above
            return self._walk(at, -by if arrow is not None else by, stops)
        self.at = to = stops.step(at, by)
        wheel = stops.wheel
        if wheel is None or not wheel.live:
            return []
        # a live wheel keys each value at once, in place of the one before
        erase = [Key.BACK] * len(wheel.keyed)
        if to >= stops.values:
            return erase
        self.at = None  # the screen has it now
        return [*erase, *stops.stops[to].keys]

    def _walk(self, at: int, by: int, stops: Stops) -> list[Key]:
        """Mark another row of a list; the screen does not know the stops after its rows."""
        to = stops.step(at, by)
        if to >= stops.values:
            self.at = to
            return []
        self.at = None
        steps = to - stops.start
        return [Key.DOWN if steps > 0 else Key.UP] * abs(steps)

    # --- frames

    def lay_over(self, screen: Screen, frame: Frame) -> Frame:
        """Return the frame with the dial: the current stop, its rows, the signs of its keys."""
        if not self.active:
            return frame
        stops = self.stops(screen, frame)
        at = self.place(stops)
        # a held push is ENTER wherever push is not
        hold_enters = stops.wheel is not None and stops.wheel.then is not Key.ENTER
        # without a stick, the stop that sends the key, as its row shows it
        quoted = (f"< {stop.text}" for stop in stops.stops if stop.keys == (Key.MENU,))
        menu = RIGHT if self.has_stick else next(quoted, "")
        body = _reword(
            frame.body, {"*": PUSH, "#": HOLD if hold_enters else PUSH, "D": menu or "D"}
        )
        shown = frame
        if stops.listed and body.choices is not None:
            body = replace(body, choices=_with_rows(body.choices, stops, at))
        elif stops.wheel is not None and self.at is not None:
            body = replace(body, entry=_entry(body, stops, at), choices=None)
            shown = replace(frame, speech=None)  # the speech names the keyed value
        elif stops.wheel is not None and body.entry is not None and stops.wheel.keyed:
            # a keyed 12 is shown as Q, the value of its stop
            text = body.entry.text.removesuffix(stops.wheel.keyed) + stops.stops[at].text
            body = replace(body, entry=replace(body.entry, text=text))
        # the soft keys of a dial, each with the sign of its key
        enter = next((soft for soft in frame.keys.soft if soft.key is Key.ENTER), None)
        keys = []
        if stops.listed:
            label = enter.label if enter is not None and at < stops.values else ""
            keys.append(SoftKey(Key.PUSH, label or self.ctx.texts("soft", "ok"), sign=PUSH))
        else:
            keys.append(SoftKey(Key.PUSH, stops.stops[at].text, sign=PUSH))
            if hold_enters and enter is not None:
                keys.append(SoftKey(Key.PUSH_HELD, enter.label, sign=HOLD))
        if self.has_stick:
            by_key = {soft.key: soft for soft in reversed(frame.keys.soft)}
            # the first of these keys that the frame names
            for sign, keypad_keys in ((LEFT, (Key.BACK, Key.BACK_HELD)), (RIGHT, (Key.MENU,))):
                soft = next((by_key[key] for key in keypad_keys if key in by_key), None)
                if soft is not None:
                    # a narrow display leaves these out, but not the first two
                    keys.append(replace(soft, sign=sign, spare=len(keys) > 1))
        return replace(shown, body=body, keys=replace(frame.keys, soft=tuple(keys)))


def _undoes(screen: Screen) -> bool:
    """Whether BACK takes back the last move, because nothing is keyed."""
    return isinstance(screen, TurnScreen) and not screen.turn.keying()


def _stop(soft: SoftKey) -> Stop:
    return Stop(soft.label, (soft.key,))


def _with_rows(choices: Choices, stops: Stops, at: int) -> Choices:
    """Return the list with the stops after it as rows, which no digit chooses."""
    more = [stop.text for stop in stops.stops[stops.values :]]
    sentences = choices.sentences
    if sentences:
        # the stops have none; each row needs an item here
        sentences = (*sentences, *[""] * (len(stops.stops) - len(sentences)))
    return replace(
        choices,
        items=(*choices.items, *(f"< {text}" for text in more)),
        selected=at,
        digits=(*choices.keyed, *[""] * len(more)),
        sentences=sentences,
    )


def _entry(body: Body, stops: Stops, at: int) -> Entry:
    """Return the entry with the current stop, which is not keyed yet."""
    keyed, turned_to = body.entry, stops.stops[at].text
    if keyed is None or at >= stops.values:
        return Entry(turned_to)
    # the keyed text comes before a value, without its mark of the next letter
    text = keyed.text.rstrip("_")
    if keyed.aloud:  # a password shows one letter only: this one
        text = HIDDEN * len(text)
    return Entry(f"{text}{turned_to}", aloud=keyed.aloud)


def _reword(body: Body, signs: Mapping[str, str]) -> Body:
    """Return the words with the signs of a dial's keys instead of a keypad's."""

    def say(text: str) -> str:
        return _KEY_WORDS.sub(lambda found: signs[found[0]], text)

    entry = body.entry and replace(body.entry, verdict=say(body.entry.verdict))
    lines = tuple(say(line) for line in body.lines if not _EXAMPLE.search(line))
    return replace(body, entry=entry, lines=lines)
