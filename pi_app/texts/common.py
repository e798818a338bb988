"""Words that all games and screens share: colours, winners, common refusals."""

from collections.abc import Sequence
from datetime import date

from engines.game import Player, Refusal
from pi_app.texts.language import LANGUAGES, Text, Texts

_COLOURS = {
    "yellow": Text("word", "yellow"),
    "red": Text("word", "red"),
    "white": Text("word", "white"),
    "pink": Text("word", "pink"),
    "green": Text("word", "green"),
    "blue": Text("word", "blue"),
}
_LETTERS = {
    "yellow": Text("letter", "Y"),
    "red": Text("letter", "R"),
    "white": Text("letter", "W"),
    "pink": Text("letter", "P"),
    "green": Text("letter", "G"),
    "blue": Text("letter", "B"),
}


def colour_word(tx: Texts, colour: str) -> str:
    """Return a player colour's name in the table's language."""
    return tx.say(_COLOURS, colour) or colour


def colour_letter(tx: Texts, colour: str, among: tuple[str, ...] = ()) -> str:
    """Return the letter for a player colour, different for each colour.

    `among` are a game's colours. It is the word's first letter if no other colour's word begins
    with it.
    """
    first = colour_word(tx, colour)[:1]
    if among and all(colour_word(tx, other)[:1] != first for other in among if other != colour):
        return first.upper()
    return tx.say(_LETTERS, colour) or colour[:1].upper()


def stone_letters(
    tx: Texts, players: tuple[Player, ...], among: tuple[str, ...] = ()
) -> tuple[str, ...]:
    """Return the letter on each player's stones: the initials if all of them differ.

    People who share an initial or a colour have the letters of their colours; `among` are the
    game's colours, as for `colour_letter`.
    """
    initials = tuple(player.name[:1].upper() for player in players)
    colours = {player.colour for player in players}
    # players of one team share a colour: their stones must carry one letter
    distinct = len(set(initials)) == len(players) == len(colours)
    if distinct and all(map(str.isalpha, initials)):
        return initials
    return tuple(colour_letter(tx, player.colour, among) for player in players)


def find_colour(word: str) -> str | None:
    """Return the colour that a word means in any language; None for other words."""
    languages = [Texts(language) for language in LANGUAGES]
    words = {colour_word(tx, colour).casefold(): colour for tx in languages for colour in _COLOURS}
    return (words | {colour: colour for colour in _COLOURS}).get(word.casefold())


_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


def day_words(tx: Texts, iso: str) -> str:
    """Return the day of a time in ISO format as people write it; other texts unchanged."""
    short = short_day_words(tx, iso)
    if short == "?":  # no day in ISO format
        return iso[:10]
    year = date.fromisoformat(iso[:10]).year
    # a day ends with a point except in English
    return f"{short} {year}" if tx.language == "en" else f"{short}{year}"


def short_day_words(tx: Texts, iso: str) -> str:
    """Return the day of a time in ISO format without its year, for rows of a list; else "?"."""
    try:
        day = date.fromisoformat(iso[:10])
    except ValueError:
        return "?"
    if tx.language == "en":
        return f"{day.day} {_MONTHS[day.month - 1]}"
    return f"{day.day}.{day.month}."


def join_names(tx: Texts, names: Sequence[str]) -> str:
    """Return names as part of a sentence: Anna, Ben and Clara."""
    if len(names) == 1:
        return names[0]
    return tx("line", "{names} and {name}", names=", ".join(names[:-1]), name=names[-1])


def join_choices(tx: Texts, words: Sequence[str]) -> str:
    """Return choices as part of a sentence: a, b or c."""
    if len(words) == 1:
        return words[0]
    return tx("cli", "{first} or {last}", first=", ".join(words[:-1]), last=words[-1])


def winners_line(tx: Texts, winners: tuple[str, ...]) -> str:
    """Say who won, or that nobody did."""
    if not winners:
        return tx("line", "A draw: nobody wins.")
    if len(winners) == 1:
        return tx("line", "{name} wins!", name=winners[0])
    return tx("line", "{names} win!", names=join_names(tx, winners))


def would_win_line(tx: Texts, winners: tuple[str, ...]) -> str:
    """Say who would win if the game ended now."""
    if not winners:
        return tx("line", "A draw so far: nobody would win.")
    if len(winners) == 1:
        return tx("line", "{name} would win.", name=winners[0])
    return tx("line", "{names} would win.", names=join_names(tx, winners))


def points_line(tx: Texts, name: str, points: int) -> str:
    """Say how many points somebody has."""
    return tx.many("line", "{name}: {n} point", "{name}: {n} points", points, name=name)


_EVENTS = {"corrected": Text("line", "The table was corrected.")}


def common_event(tx: Texts, code: str) -> str:
    """Say the events that all games share; else ""."""
    return tx.say(_EVENTS, code)


def common_refusal(tx: Texts, refusal: Refusal) -> str:
    """Say the refusals that all games share."""
    if refusal.code == "game-over":
        return tx("verdict", "the game is over")
    return tx("verdict", "that is no move of this game")


_REASONS = {
    "points": Text("word", "points"),
    "stalemate": Text("word", "fewest"),
    "draw": Text("word", "draw"),
    "time": Text("word", "time"),
}


def common_reason(tx: Texts, reason: str) -> str:
    """Return a word for the reason of a result, for reasons that several games share."""
    return tx.say(_REASONS, reason) or reason
