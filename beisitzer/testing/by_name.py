"""Key scripts that also choose by name, so that a new menu entry does not break them.

`@"System"` chooses the entry with this English text, whatever the table's language; everything
else is keyed as `pi_app.view.key_script` reads it.
"""

import re

from hardware.keys import Key
from pi_app.run.loop import Companion
from pi_app.texts.language import Texts
from pi_app.view.key_script import read_keys

_CHOICE = re.compile(r'@"([^"]*)"')


def press(program: Companion, script: str) -> None:
    """Press the keys of a script; LookupError if the list has no entry with a name."""
    for index, part in enumerate(_CHOICE.split(script)):
        if index % 2:  # `split` returns keys and names in turn
            choose(program, part)
        else:
            program.play_script(read_keys(part))


def choose(program: Companion, words: str) -> None:
    """Choose the entry that has these English words."""
    choices = program.frame.body.choices if program.frame else None
    items = _english_entries(program)
    # an equal entry before one that begins like this, before one that contains it
    best_first = sorted(items, key=lambda item: (item != words, not item.startswith(words)))
    index = next((items.index(item) for item in best_first if words in item), None)
    if choices is None or index is None:
        raise LookupError(f"there is no {words!r} to choose")
    steps = index - choices.selected
    for key in [Key.DOWN if steps > 0 else Key.UP] * abs(steps) + [Key.ENTER]:
        program.press(key)


def _english_entries(program: Companion) -> tuple[str, ...]:
    """Return the entries of the current list in English."""
    ctx = program.ctx
    texts, ctx.texts = ctx.texts, Texts("en")
    try:
        choices = program.screen.frame().body.choices
    finally:
        ctx.texts = texts
    return () if choices is None else choices.items
