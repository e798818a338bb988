"""Says why something is impossible: a set-up, a board, a position, a hand, a record."""

import re
from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engines.game import Player
from engines.notation import Fault
from pi_app.texts.common import colour_word, join_choices, join_names
from pi_app.texts.language import Text, Texts

FAULTS = {
    # the form of a tag
    "too-long": Text("verdict", "more than {most} characters"),
    "game-missing": Text("line", 'is missing, for example [Game "just4fun"]'),
    "no-such-game": Text("line", "no game is called {word}; there are {names}"),
    "players-missing": Text("line", 'is missing, for example [Players "Anna yellow, Ben red"]'),
    "no-player": Text("line", '{word} is not a name and a colour as in "Anna yellow"'),
    "name-too-long": Text("line", "a name has more than {most} characters"),
    # house rules and the board
    "no-rule": Text("line", "{word} is not written key=value"),
    "rule-twice": Text("line", "{key} is given twice"),
    "no-rules": Text("line", "this game has no house rules"),
    "unknown-rule": Text("line", "{key} is no rule of this game; there are {names}"),
    "bad-choice": Text("line", "{key} cannot be {value}, only {choices}"),
    "bad-value": Text("line", "{key} cannot be {value}, only a number from {low}"),
    "board-data": Text("line", "this is no board of the game: {why}"),
    "unknown-board": Text("line", "{word} is no known board; there are {names}"),
    "no-board": Text("line", "{game} is played without a board"),
    # players and the first player
    "no-such-starter": Text("line", "nobody is called {name}, only {names}"),
    "how-many": Text("line", "this game is for {allowed} players, not for {n}"),
    "no-such-colour": Text("line", "{word} is no colour of this game: {choices}"),
    "name-twice": Text("line", "two players are called {name}"),
    "colour-shared": Text("line", "two players have the colour {colour}"),
    "no-starter": Text("line", "must name one of the players"),
    "teams-in-turn": Text("line", "two or three teams of one size must sit in turn, as blue green"),
    # the cards at the start
    "open-needed": Text("line", 'is needed: the first open card, such as [Open "24"]'),
    "bad-hand": Text("line", "must be a number from 1 to {most}, not {word}"),
    "no-product": Text("line", "{word} is no product of the table of 1 to 10"),
    # the file
    "no-toml": Text(
        "cli", "this is not TOML: write [table] or key = value, each once, texts in quotes"
    ),
    "too-deep": Text("cli", "not readable as TOML: nested too deep"),
    "no-text": Text("cli", "must be a text that is not empty"),
    "too-large": Text("cli", "more than {most} bytes: this is no board"),
    "no-utf8": Text("cli", "the file is not UTF-8 text"),
    "no-line": Text("cli", "line {line} is no line of a board"),
    # its name
    "bad-name": Text("cli", 'must be up to {most} characters without " and /'),
    "spaces": Text("cli", "must not begin or end with a space"),
    "shipped-name": Text("cli", "{name} comes with the program: choose another name"),
    "kept-name": Text("cli", "there is a board {name} already: choose another name"),
    # its number of cells
    "how-many-cells": Text("cli", "a board has {most} fields, not {n}"),
    "how-many-fields": Text("cli", "must be {least} to {most} numbers, one a field, not {n}"),
    "no-list": Text("cli", "must be a list of numbers, one a field"),
    "no-rows": Text("cli", "must be {most} rows of {most} fields"),
    "no-row": Text("cli", "must be a row of {most} fields"),
    "no-row-of": Text("cli", "row {row} must have {most} fields, not {n}"),
    # a single cell
    "field-number": Text("cli", "field {field} must be a number from {least} to {most}"),
    "no-number": Text("cli", "must be a whole number from {least} to {most}"),
    "there-twice": Text("cli", "the number {word} is there twice"),
    "corner": Text("cli", "{square} must be a corner, --"),
    "no-corner": Text("cli", "{square} cannot be a corner"),
    "no-board-card": Text("cli", "{square}: {word} is no card of the board"),
    "not-twice": Text("cli", "{card} must stand twice, not {n} times"),
    # a position in words
    "nobody-called": Text("verdict", "nobody is called {name}"),
    "empty-part": Text("verdict", "nothing stands between two semicolons"),
    "unknown-colour": Text("verdict", "nobody plays {colour} here"),
    "colour-twice": Text("verdict", "{colour} is named twice"),
    # a hand or a roll
    "hand-needed": Text("cli", "the cards of the player to move are missing, such as {word}"),
    "hand-of-four": Text("cli", "a hand has four cards, not {n}"),
    "no-card": Text("cli", "no card is called {card}"),
    "deck-has": Text("cli", "the deck has only {copies} of the card {card}"),
    "no-free-cards": Text("cli", "this deck has no free cards"),
    "roll-needed": Text("cli", "the roll is missing, 1 to 6"),
    "no-die": Text("cli", "a die does not show {word}, only 1 to 6"),
    # a record
    "no-tag": Text("cli", 'a tag is written [Name "value"], alone on its line'),
    "tag-twice": Text("cli", "the tag {name} is given twice"),
    "too-many-tags": Text("cli", "more than {most} tags: this is no game record"),
    "too-many-moves": Text("cli", "more than {most} moves: this is no game record"),
    "open-comment": Text("cli", "a comment {{ is never closed"),
    "open-correction": Text("cli", "a correction < is never closed"),
    "read-differently": Text("cli", "written as a record this would be read differently"),
}


def say_fault(
    tx: Texts,
    fault: Fault,
    own: Mapping[str, Text] = MappingProxyType({}),
    players: Sequence[Player] = (),
) -> str:
    """Say why something is impossible; without words, return the code.

    `own` are the words of its game, which come first. A colour of one of the `players` is said by
    name.
    """
    names = {player.colour: player.name for player in players}
    facts = dict(fault.facts)
    for key, value in fault.facts.items():
        if not isinstance(value, str):
            continue
        words = value.split(", ")
        if key in ("colour", "colours", "team", "word", "choices"):
            # a team keeps its colour: one player's name would not be all of it
            known = {} if key == "team" else names
            words = [known.get(word) or colour_word(tx, word) for word in words]
            facts[key] = ", ".join(words)
        if key in ("choices", "allowed"):
            facts[key] = join_choices(tx, words)
        elif key == "names":
            facts[key] = join_names(tx, words)
    if fault.code == "board-data" and isinstance(fault.__cause__, Fault):
        facts["why"] = say_fault_at(tx, fault.__cause__)
    why = tx.say(own, fault.code, **facts) or tx.say(FAULTS, fault.code, **facts) or str(fault)
    if fault.code == "no-toml" and (line := re.search(r"at line (\d+),", str(facts["why"]))):
        return tx("cli", "line {line}: {why}", line=line[1], why=why)
    return why


def say_fault_at(tx: Texts, fault: Fault, own: Mapping[str, Text] = MappingProxyType({})) -> str:
    """Say where something is impossible, and why."""
    why = say_fault(tx, fault, own)
    return f"{fault.place}: {why}" if fault.place else why
