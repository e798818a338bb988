"""Words that every game and every screen share: colours, winners, the common refusals."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import cache, lru_cache

from engines.game import Facts, Player, Refusal
from pi_app.texts.language import LANGUAGES, Texts


def colour_word(tx: Texts, colour: str) -> str:
    """Return a player colour's name in the table's language."""
    match colour:
        case "yellow":
            return tx("word", "yellow")
        case "red":
            return tx("word", "red")
        case "white":
            return tx("word", "white")
        case "pink":
            return tx("word", "pink")
        case "green":
            return tx("word", "green")
        case "blue":
            return tx("word", "blue")
        case _:
            return colour


@lru_cache(maxsize=64)
def colour_letter(tx: Texts, colour: str, among: tuple[str, ...] = ()) -> str:
    """Return the letter that stands for a player colour, another one for each colour.

    It is the word's first one if no other colour of `among` (a game's colours) begins with it.
    """
    first = colour_word(tx, colour)[:1]
    if among and all(colour_word(tx, other)[:1] != first for other in among if other != colour):
        return first.upper()
    match colour:
        case "yellow":
            return tx("letter", "Y")
        case "red":
            return tx("letter", "R")
        case "white":
            return tx("letter", "W")
        case "pink":
            return tx("letter", "P")
        case "green":
            return tx("letter", "G")
        case "blue":
            return tx("letter", "B")
        case _:
            return colour[:1].upper()


def colour_named(word: str) -> str | None:
    """Return the colour that a word of any of our languages means, None for another word."""
    return _colours().get(word.casefold())


@cache
def _colours() -> dict[str, str]:
    colours = ("yellow", "red", "white", "pink", "green", "blue")
    words = {
        colour_word(Texts(language), colour).casefold(): colour
        for language in LANGUAGES
        for colour in colours
    }
    return words | {colour: colour for colour in colours}


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_words(tx: Texts, iso: str) -> str:
    """Return the day of a time in ISO format as people write it; what is none as it is."""
    try:
        day = date.fromisoformat(iso[:10])
    except ValueError:
        return iso[:10]
    if tx.language == "de":
        return f"{day.day}.{day.month}.{day.year}"
    return f"{day.day} {_MONTHS[day.month - 1]} {day.year}"


def short_day_words(tx: Texts, iso: str) -> str:
    """Return the day of a time in ISO format without its year, for a row of a list."""
    try:
        day = date.fromisoformat(iso[:10])
    except ValueError:
        return "?"
    if tx.language == "de":
        return f"{day.day}.{day.month}."
    return f"{day.day} {_MONTHS[day.month - 1]}"


def listed(tx: Texts, names: Sequence[str]) -> str:
    """Return names as a sentence has them: Anna, Ben and Clara."""
    if len(names) == 1:
        return names[0]
    return tx("line", "{names} and {name}", names=", ".join(names[:-1]), name=names[-1])


def either(tx: Texts, words: Sequence[str]) -> str:
    """Return what may be chosen as a sentence has it: a, b or c."""
    if len(words) == 1:
        return words[0]
    return tx("cli", "{first} or {last}", first=", ".join(words[:-1]), last=words[-1])


def winners_line(tx: Texts, winners: tuple[str, ...]) -> str:
    """Say who won, or that nobody did."""
    if not winners:
        return tx("line", "A draw: nobody wins.")
    if len(winners) == 1:
        return tx("line", "{name} wins!", name=winners[0])
    return tx("line", "{names} win!", names=listed(tx, winners))


def would_win_line(tx: Texts, winners: tuple[str, ...]) -> str:
    """Say who would win if the game ended now; it goes on."""
    if not winners:
        return tx("line", "A draw so far: nobody would win.")
    if len(winners) == 1:
        return tx("line", "{name} would win.", name=winners[0])
    return tx("line", "{names} would win.", names=listed(tx, winners))


def points_line(tx: Texts, name: str, points: int) -> str:
    """Say how many points somebody has."""
    return tx.many("line", "{name}: {n} point", "{name}: {n} points", points, name=name)


def common_refusal(tx: Texts, refusal: Refusal) -> str:
    """Say the refusals that every game knows."""
    if refusal.code == "game-over":
        return tx("verdict", "the game is over")
    return tx("verdict", "that is no move of this game")


def named_facts(tx: Texts, facts: Facts, players: Sequence[Player] = ()) -> dict[str, object]:
    """Return facts with their colours as people say them: by the player's name where it is known.

    `colour` is a player's, `team` several players', `colours` a list of them.
    """
    names = {player.colour: player.name for player in players}
    said = dict(facts)
    for key in ("colour", "team", "colours", "word"):
        if isinstance(words := facts.get(key), str):
            known = {} if key == "team" else names
            parts = (known.get(word) or colour_word(tx, word) for word in words.split(", "))
            said[key] = ", ".join(parts)
    return said


def common_fault(tx: Texts, code: str, facts: Facts) -> str:
    """Say why a position cannot be, where every game's words may be at fault; else ""."""
    match code:
        case "nobody-called":
            return tx("verdict", "nobody is called {name}", name=facts["name"])
        case "empty-part":
            return tx("verdict", "nothing stands between two semicolons")
        case "unknown-colour":
            return tx("verdict", "nobody plays {colour} here", colour=facts["colour"])
        case "colour-twice":
            return tx("verdict", "{colour} is named twice", colour=facts["colour"])
        case "too-long":
            return tx("verdict", "more than {most} characters", most=facts["most"])
        case _:
            return ""


def common_reason(tx: Texts, reason: str) -> str:
    """Say why a game ended where several games know such an end."""
    match reason:
        case "points":
            return tx("word", "points")
        case "stalemate":
            return tx("word", "fewest")
        case "draw":
            return tx("word", "draw")
        case _:
            return reason
