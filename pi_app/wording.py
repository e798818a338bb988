"""English sentences for what a record says: refusals, events, results.

Every game's codes are here as data; what is missing is said in the code's own words.
"""

from collections.abc import Mapping
from typing import Any

from engines.game import Event, Facts, Refusal, Result

SHOWN = 60
"""Characters of a token that are shown to people."""

_COMMON = {
    "game-over": "The game is over: take the last move back to go on.",
    "bad-move": "This is no move of this game: write it as the game's notation says.",
}

_SENTENCES: Mapping[str, Mapping[str, str]] = {
    "just4fun": {
        "too-many-cards": "{cards} cards are too many: play one to four.",
        "unknown-card": "No card has the value {card}: the deck goes from 1 to 19.",
        "more-than-deck": "The deck has only {copies} of the card {card}: check the cards.",
        "sum-too-high": "The sum is {sum}, but the highest field is 36: play fewer cards.",
        "field-blocked": "Field {field} is blocked, {leader} leads by {lead}: choose another.",
        "field-secured": "Field {field} is secured and closed by house rule: choose another.",
        "exchange-needs-four": "An exchange shows all four cards, not {cards}.",
        "exchange-not-allowed": "These cards fit on field {fields}: play them instead.",
    },
    "numeri": {
        "bad-die": "A die shows 1 to 6, not {roll}.",
        "bad-split": "These stones do not split the roll: name different ones that add up to it.",
        "split-too-early": "A roll is split only when all six stones are in play.",
        "stone-stuck": "Stone {stone} has no free field ahead: move another.",
        "must-move": "A stone can still be moved: move it.",
    },
    "sequence": {
        "unknown-card": "There is no card {card}.",
        "wrong-jack": "{card} cannot do this: two-eyed jacks place, one-eyed jacks take away.",
        "corner": "Corners belong to everybody: choose another square.",
        "wrong-square": "{card} does not belong to this square: it belongs to {squares}.",
        "square-taken": "There is a chip on this square already: choose another.",
        "not-opponent": "There is no opponent's chip on this square: choose another.",
        "in-sequence": "This chip is part of a sequence and stays: choose another.",
        "dead-jack": "A jack is never dead: play it.",
        "not-dead": "{card} is not dead, one of its squares is free: play it.",
        "one-dead-card": "No more dead cards may be turned in this turn: play a card.",
        "bad-choice": "These five squares are no new sequence: name others.",
        "must-play": "{card} can be played or turned in: do that instead of passing.",
    },
    "einmaleins": {
        "not-a-product": "This number is in no row from 1 times 1 to 10 times 10.",
        "wrong-factors": "These factors do not make the number, or are not from 1 to 10.",
        "no-free-card": "This game is played without free cards.",
        "no-common-factor": "The two tasks share no factor: lay another card or draw.",
    },
}

_EVENTS = {
    "card-doubtful": "card {card} was seen too often, is it misread?",
    "placed": "stone on {field}, {stones} there now",
    "secured": "field {field} is secured",
    "exchanged": "four cards exchanged",
    "stones-out": "all stones are placed",
    "rounds-over": "the last round is over",
    "reshuffle": "shuffle the discards as the new draw pile",
    "corrected": "position corrected",
}

_REASONS = {
    "row": "four in a row",
    "points": "most points",
    "highest-field": "equal points, the highest field decides",
    "sequences": "sequences enough",
    "out": "out of cards",
    "stalemate": "nobody can go on",
    "draw": "nobody has points",
}


def shown(token: str) -> str:
    """Return a token on one line, shortened and without what a terminal would obey."""
    short = token if len(token) <= SHOWN else f"{token[: SHOWN - 3]}..."
    return "".join(char if char.isprintable() else "?" for char in short)


def refusal_sentence(game: str, refusal: Refusal) -> str:
    """Say in a sentence why a move is illegal and what to do."""
    code = refusal.code
    template = _SENTENCES.get(game, {}).get(code) or _COMMON.get(code)
    reason = refusal.facts.get("reason") or refusal.facts.get("why")
    if code == "bad-move" and isinstance(reason, str):
        return f"This position is impossible: {reason}."
    return _filled(template or f"{code_words(code)}.", refusal.facts)


def event_words(event: Event) -> str:
    """Say what happened, in a few words."""
    if event.code in _EVENTS and not (event.code == "placed" and "field" not in event.facts):
        words = _filled(_EVENTS[event.code], event.facts)
        removed = event.facts.get("removed")
        if removed:
            words += f", take off {_counted(removed)}"
        return words
    facts = ", ".join(f"{name} {_plain(value)}" for name, value in event.facts.items())
    return f"{event.code.replace('-', ' ')}{f' ({facts})' if facts else ''}"


def result_sentence(result: Result) -> str:
    """Say who won and why."""
    why = _REASONS.get(result.reason, result.reason.replace("-", " "))
    if not result.winners:
        return f"A draw: {why}."
    verb = "wins" if len(result.winners) == 1 else "win"
    return f"{' and '.join(result.winners)} {verb}: {why}."


def settling_lines(result: Result) -> list[str]:
    """Say how points come about: field by field or stone by stone, then the sums."""
    lines = []
    for field in result.facts.get("settled", ()):
        counts = f"counts for {field['counts']}" if field["counts"] else "counts for nobody"
        removed = f", take off {_counted(field['removed'])}" if field["removed"] else ""
        lines.append(f"{field['field']:4}  {_counted(field['stones'])}: {counts}{removed}")
    for name, stones in result.facts.get("stones", {}).items():
        lines += [
            f"{at:4}  {name}: field value {points // stone} × stone {stone} = {points}"
            for stone, at, points in stones
            if at
        ]
    for name, points in result.facts.get("points", {}).items():
        lines.append(f"{name}: {points} {'point' if points == 1 else 'points'}")
    return lines


def code_words(code: str) -> str:
    """Turn a code such as field-blocked into words."""
    return code.replace("-", " ").capitalize()


def _counted(stones: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {count}" for name, count in stones.items())


def _plain(value: Any) -> str:  # facts are JSON values of any kind
    if isinstance(value, Mapping):
        return _counted(value)
    if isinstance(value, list | tuple):
        return " ".join(map(_plain, value))
    return str(value)


def _filled(template: str, facts: Facts) -> str:
    try:
        return template.format_map({name: _plain(value) for name, value in facts.items()})
    except KeyError:
        # an engine that tells less than the sentence needs still gets a sentence
        return template.split("{", 1)[0].strip() or template
