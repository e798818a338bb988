"""Words for mistakes in tags and boards, by their codes."""

import re

from engines.board import BoardError
from engines.game import Facts, SetupError
from pi_app.texts.common import colour_word, join_choices, join_names
from pi_app.texts.language import Text, Texts

_SETUP = {
    # one tag as it is written
    "too-long": Text("line", "more than {most} characters"),
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
    # who plays, and who starts
    "nobody-called": Text("line", "nobody is called {name}, only {names}"),
    "how-many": Text("line", "this game is for {allowed} players, not for {n}"),
    "no-such-colour": Text("line", "{word} is no colour of this game: {colours}"),
    "name-twice": Text("line", "two players are called {name}"),
    "colour-shared": Text("line", "two players have the colour {colour}"),
    "no-starter": Text("line", "must name one of the players"),
    "teams-in-turn": Text("line", "two or three teams of one size must sit in turn, as blue green"),
    # the cards at the start
    "open-needed": Text("line", 'is needed: the first open card, such as [Open "24"]'),
    "bad-hand": Text("line", "must be a number from 1 to {most}, not {word}"),
    "no-product": Text("line", "{word} is no product of the table of 1 to 10"),
}

_BOARD = {
    # the file
    "no-toml": Text(
        "cli", "this is not TOML: write [table] or key = value, each once, texts in quotes"
    ),
    "too-deep": Text("cli", "not readable as TOML: nested too deep"),
    "no-text": Text("cli", "must be a text that is not empty"),
    "too-large": Text("cli", "more than {most} bytes: this is no board"),
    "no-utf8": Text("cli", "the file is not UTF-8 text"),
    "no-line": Text("cli", "line {line} is no line of a board"),
    "no-such-game": Text("line", "no game is called {word}; there are {names}"),
    "no-board": Text("line", "{game} is played without a board"),
    # its name
    "bad-name": Text("cli", 'must be up to {most} characters without " and /'),
    "spaces": Text("cli", "must not begin or end with a space"),
    "shipped-name": Text("cli", "{name} comes with the program: choose another name"),
    "kept-name": Text("cli", "there is a board {name} already: choose another name"),
    # how many cells it has
    "how-many-cells": Text("cli", "a board has {most} fields, not {n}"),
    "how-many-fields": Text("cli", "must be {least} to {most} numbers, one a field, not {n}"),
    "no-list": Text("cli", "must be a list of numbers, one a field"),
    "no-rows": Text("cli", "must be {most} rows of {most} fields"),
    "no-row": Text("cli", "must be a row of {most} fields"),
    "no-row-of": Text("cli", "row {row} must have {most} fields, not {n}"),
    # one of its cells
    "field-number": Text("cli", "field {field} must be a number from {least} to {most}"),
    "no-number": Text("cli", "must be a whole number from {least} to {most}"),
    "there-twice": Text("cli", "the number {word} is there twice"),
    "corner": Text("cli", "{square} must be a corner, --"),
    "no-corner": Text("cli", "{square} cannot be a corner"),
    "no-board-card": Text("cli", "{square}: {word} is no card of the board"),
    "not-twice": Text("cli", "{card} must stand twice, not {n} times"),
}


def setup_words(tx: Texts, error: SetupError) -> str:
    """Say why tags contradict the game; "" for a code of the game's own."""
    code, facts = error.code, _facts_in_words(tx, error.facts)
    if isinstance(error.__cause__, BoardError):
        facts["why"] = board_words(tx, error.__cause__)
    if code == "no-such-colour":
        facts["word"] = colour_word(tx, str(facts["word"]))
    elif code == "unknown-rule" and not facts["names"]:
        code = "no-rules"
    elif code == "bad-value" and "choices" in facts:
        code = "bad-choice"
    return tx.say(_SETUP, code, **facts)


def _facts_in_words(tx: Texts, facts: Facts) -> dict[str, object]:
    """Return facts with their lists and colours in words."""
    in_words = dict(facts)
    for name in ("colour", "colours", "choices", "allowed", "names"):
        if isinstance(value := facts.get(name), str):
            words = value.split(", ")
            if name.startswith("colour"):
                words = [colour_word(tx, word) for word in words]
            in_words[name] = join_names(tx, words) if name == "names" else join_choices(tx, words)
    return in_words


def board_words(tx: Texts, error: BoardError) -> str:
    """Say what mistake a board has and where; for a code of the game's own, in its words."""
    facts = _facts_in_words(tx, error.facts)
    why = tx.say(_BOARD, error.code, **facts) or error.reason
    if error.code == "no-toml" and (line := re.search(r"at line (\d+),", str(facts["why"]))):
        why = tx("cli", "line {line}: {why}", line=line[1], why=why)
    return f"{error.key}: {why}" if error.key else why
