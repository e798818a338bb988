"""Key scripts that also choose by name, so that a new entry in a menu moves no picture.

`@"System"` turns to the entry that says so in English, in whatever language the table speaks,
and takes it; all else is keyed as `pi_app.view.key_script` reads it.
"""

import re

from hardware.keys import Key
from pi_app.run.loop import Companion
from pi_app.texts.language import Texts
from pi_app.view.key_script import read_keys

_CHOICE = re.compile(r'@"([^"]*)"')


def press(program: Companion, script: str) -> None:
    """Press the keys of a script; LookupError where a name is in no list."""
    for at, part in enumerate(_CHOICE.split(script)):
        if at % 2:
            choose(program, part)
        else:
            program.play_script(read_keys(part))


def choose(program: Companion, words: str) -> None:
    """Turn to the entry with these English words in it, and take it."""
    shown = program.frame.body.choices if program.frame else None
    items = _english(program)
    meant = sorted(items, key=lambda item: (item != words, not item.startswith(words)))
    index = next((items.index(item) for item in meant if words in item), None)
    if shown is None or index is None:
        raise LookupError(f"there is no {words!r} to choose")
    steps = index - shown.selected
    for key in [Key.DOWN if steps > 0 else Key.UP] * abs(steps) + [Key.ENTER]:
        program.press(key)


def _english(program: Companion) -> tuple[str, ...]:
    """Return the entries of the list on show as they are called in English."""
    ctx = program.ctx
    spoken, ctx.texts = ctx.texts, Texts("en")
    try:
        choices = program.screen.frame().body.choices
    finally:
        ctx.texts = spoken
    return () if choices is None else choices.items
