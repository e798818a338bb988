"""Default names for seats: the colour, with a number if that name is taken."""

from collections.abc import Collection, Sequence
from functools import cache
from itertools import count

from engines.games import GAMES
from pi_app.texts.common import colour_word
from pi_app.texts.language import LANGUAGES, Texts

_COMPANION = "Beisitzer"


def default_name(tx: Texts, colour: str, taken: Collection[str]) -> str:
    """Return the first name for this colour that is not taken: Blue, Blue 2, ..."""
    return _first_free(colour_word(tx, colour).capitalize(), taken)


def companion_name(taken: Collection[str]) -> str:
    """Return the default name for a seat of the companion."""
    return _first_free(_COMPANION, taken)


def _first_free(word: str, taken: Collection[str]) -> str:
    names = (word if number == 1 else f"{word} {number}" for number in count(1))
    return next(name for name in names if name not in taken)


def companion_display_name(name: str) -> str:
    """Return the display name of a seat that the companion played.

    A person's name is marked: Ben (Beisitzer).
    """
    word, _, number = name.partition(" ")
    # the names Beisitzer and Beisitzer 2 already say it
    is_companion_name = word == _COMPANION and (not number or number.isdecimal())
    return name if is_companion_name else f"{name} ({_COMPANION})"


def rename_after_colours(
    tx: Texts, seats: Sequence[tuple[str, str]], others: Collection[str] = ()
) -> list[tuple[str, str]]:
    """Return (name, colour) seats with default names changed to those of their colours.

    Names of people, and the `others`, stay.
    """
    stay = {
        name
        for name, colour in seats
        if name in others or not is_default_name(name) or _fits(name, colour)
    }
    taken, renamed = set(stay), []
    for name, colour in seats:
        fitting = name if name in stay else default_name(tx, colour, taken)
        taken.add(fitting)
        renamed.append((fitting, colour))
    return renamed


def is_default_name(name: str) -> bool:
    """Tell whether a name is only a colour, in any language, perhaps with a number."""
    word, _, number = name.partition(" ")
    return (not number or number.isdecimal()) and word in _colour_names()


def _fits(name: str, colour: str) -> bool:
    """Tell whether a default name is this colour's, in any language."""
    word = name.partition(" ")[0]
    return any(word == colour_word(Texts(lang), colour).capitalize() for lang in LANGUAGES)


@cache
def _colour_names() -> frozenset[str]:
    """Return the words for all colours in all languages."""
    return frozenset(
        colour_word(Texts(language), colour).capitalize()
        for language in LANGUAGES
        for game in GAMES.values()
        for colour in game.colours
    )
