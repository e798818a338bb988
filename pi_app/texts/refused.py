"""What a record, its tags, a board, a hand or a roll lack, in the table's language: by codes."""

from engines.board import BoardError
from engines.game import Facts, GivenError, SetupError
from engines.record import RecordError
from pi_app.texts.common import colour_word, either, listed
from pi_app.texts.language import Texts
from pi_app.texts.toml_faults import toml_words


def setup_words(tx: Texts, error: SetupError) -> str:
    """Say why tags contradict the game; "" for a code that only the game itself may know."""
    facts = dict(error.facts)
    if isinstance(error.__cause__, BoardError):
        facts["why"] = board_words(tx, error.__cause__)
    if isinstance(colours := facts.get("colours"), str):
        facts["colours"] = either(tx, [colour_word(tx, word) for word in colours.split(", ")])
    if isinstance(choices := facts.get("choices"), str):
        facts["choices"] = either(tx, choices.split(", "))
    if isinstance(allowed := facts.get("allowed"), str):
        facts["allowed"] = either(tx, allowed.split(", "))
    if isinstance(names := facts.get("names"), str):
        facts["names"] = listed(tx, names.split(", "))
    if isinstance(colour := facts.get("colour"), str):
        facts["colour"] = colour_word(tx, colour)
    said = (part(tx, error.code, facts) for part in (_tag, _rules_and_board, _people, _cards))
    return next(filter(None, said), "")


def _tag(tx: Texts, code: str, facts: Facts) -> str:
    """Say what is wrong with one tag as it is written."""
    match code:
        case "too-long":
            return tx("line", "more than {most} characters", **facts)
        case "game-missing":
            return tx("line", 'is missing, for example [Game "just4fun"]')
        case "no-such-game":
            return tx("line", "no game is called {word}; there are {names}", **facts)
        case "players-missing":
            return tx("line", 'is missing, for example [Players "Anna yellow, Ben red"]')
        case "no-player":
            return tx("line", '{word} is not a name and a colour as in "Anna yellow"', **facts)
        case "name-too-long":
            return tx("line", "a name has more than {most} characters", **facts)
        case _:
            return ""


def _rules_and_board(tx: Texts, code: str, facts: Facts) -> str:
    """Say what is wrong with house rules or the board."""
    match code:
        case "no-rule":
            return tx("line", "{word} is not written key=value", **facts)
        case "rule-twice":
            return tx("line", "{key} is given twice", **facts)
        case "unknown-rule" if not facts["names"]:
            return tx("line", "this game has no house rules", **facts)
        case "unknown-rule":
            return tx("line", "{key} is no rule of this game; there are {names}", **facts)
        case "bad-value" if "choices" in facts:
            return tx("line", "{key} cannot be {value}, only {choices}", **facts)
        case "bad-value":
            return tx("line", "{key} cannot be {value}, only a number from {low}", **facts)
        case "board-data":
            return tx("line", "this is no board of the game: {why}", **facts)
        case "unknown-board":
            return tx("line", "{word} is no known board; there are {names}", **facts)
        case "no-board":
            return tx("line", "{game} is played without a board", **facts)
        case _:
            return ""


def _people(tx: Texts, code: str, facts: Facts) -> str:
    """Say what is wrong with who plays, and who starts."""
    match code:
        case "nobody-called":
            return tx("line", "nobody is called {name}, only {names}", **facts)
        case "how-many":
            return tx("line", "this game is for {allowed} players, not for {n}", **facts)
        case "no-such-colour":
            word = colour_word(tx, str(facts["word"]))
            return tx(
                "line", "{word} is no colour of this game: {colours}", **{**facts, "word": word}
            )
        case "name-twice":
            return tx("line", "two players are called {name}", **facts)
        case "colour-shared":
            return tx("line", "two players have the colour {colour}", **facts)
        case "no-starter":
            return tx("line", "must name one of the players")
        case "teams-in-turn":
            return tx("line", "two or three teams of one size must sit in turn, as blue green")
        case _:
            return ""


def _cards(tx: Texts, code: str, facts: Facts) -> str:
    """Say what is wrong with the cards at the start."""
    match code:
        case "open-needed":
            return tx("line", 'is needed: the first open card, such as [Open "24"]')
        case "bad-hand":
            return tx("line", "must be a number from 1 to {most}, not {word}", **facts)
        case "no-product":
            return tx("line", "{word} is no product of the table of 1 to 10", **facts)
        case _:
            return ""


def record_words(tx: Texts, error: RecordError) -> str:
    """Say why a text is no record at all."""
    facts = error.facts
    match error.code:
        case "never-closed":
            return tx("cli", "what {sign} begins is never closed", **facts)
        case "no-tag":
            return tx("cli", 'a tag is written [Name "value"], alone on its line')
        case "tag-twice":
            return tx("cli", "the tag {name} is given twice", **facts)
        case "too-many-tags":
            return tx("cli", "more than {most} tags: this is no game record", **facts)
        case "too-many-moves":
            return tx("cli", "more than {most} moves: this is no game record", **facts)
        case "no-utf8":
            return tx("cli", "the file is not UTF-8 text")
        case _:
            return error.reason


def board_words(tx: Texts, error: BoardError) -> str:
    """Say what mistake a board has and where; what only the game itself may know in its words."""
    facts = dict(error.facts)
    if isinstance(names := facts.get("names"), str):
        facts["names"] = listed(tx, names.split(", "))
    said = (
        part(tx, error.code, facts) for part in (_board_file, _board_name, _board_size, _board_cell)
    )
    why = next(filter(None, said), error.reason)
    return f"{error.key}: {why}" if error.key else why


def _board_file(tx: Texts, code: str, facts: Facts) -> str:
    """Say why a file is no board."""
    match code:
        case "no-toml":
            return tx("cli", "this is not TOML: {why}", why=toml_words(tx, str(facts["why"])))
        case "too-deep":
            return tx("cli", "not readable as TOML: nested too deep")
        case "no-text":
            return tx("cli", "must be a text that is not empty")
        case "too-large":
            return tx("cli", "more than {most} bytes: this is no board", **facts)
        case "no-utf8":
            return tx("cli", "the file is not UTF-8 text")
        case "no-line":
            return tx("cli", "line {line} is no line of a board", **facts)
        case "no-such-game":
            return tx("line", "no game is called {word}; there are {names}", **facts)
        case "no-board":
            return tx("line", "{game} is played without a board", **facts)
        case _:
            return ""


def _board_name(tx: Texts, code: str, facts: Facts) -> str:
    """Say why a board cannot be called so."""
    match code:
        case "bad-name":
            return tx("cli", 'must be up to {most} characters without " and /', **facts)
        case "spaces":
            return tx("cli", "must not begin or end with a space")
        case "shipped-name":
            return tx("cli", "{name} comes with the program: choose another name", **facts)
        case "kept-name":
            return tx("cli", "there is a board {name} already: choose another name", **facts)
        case _:
            return ""


def _board_size(tx: Texts, code: str, facts: Facts) -> str:
    """Say which cells a board lacks."""
    match code:
        case "how-many-cells":
            return tx("cli", "a board has {most} fields, not {n}", **facts)
        case "how-many-fields":
            return tx("cli", "must be {least} to {most} numbers, one a field, not {n}", **facts)
        case "no-list":
            return tx("cli", "must be a list of numbers, one a field")
        case "no-rows":
            return tx("cli", "must be {most} rows of {most} fields", **facts)
        case "no-row":
            return tx("cli", "must be a row of {most} fields", **facts)
        case "no-row-of":
            return tx("cli", "row {row} must have {most} fields, not {n}", **facts)
        case _:
            return ""


def _board_cell(tx: Texts, code: str, facts: Facts) -> str:
    """Say what is wrong with one of a board's cells."""
    match code:
        case "field-number":
            return tx("cli", "field {field} must be a number from {least} to {most}", **facts)
        case "no-number":
            return tx("cli", "must be a whole number from {least} to {most}", **facts)
        case "there-twice":
            return tx("cli", "the number {word} is there twice", **facts)
        case "corner":
            return tx("cli", "{square} must be a corner, --", **facts)
        case "no-corner":
            return tx("cli", "{square} cannot be a corner", **facts)
        case "no-board-card":
            return tx("cli", "{square}: {word} is no card of the board", **facts)
        case "not-twice":
            return tx("cli", "{card} must stand twice, not {n} times", **facts)
        case _:
            return ""


def given_words(tx: Texts, error: GivenError) -> str:
    """Say which hand or roll is wanted; what only the game itself may know in its own words."""
    facts = error.facts
    match error.code:
        case "hand-needed":
            return tx("cli", "the hand of the player to move is needed: --hand {word}", **facts)
        case "roll-needed":
            return tx("cli", "the roll is needed: --roll 1 to 6")
        case "no-die":
            return tx("cli", "a die does not show {word}, only 1 to 6", **facts)
        case "no-card" | "unknown-card":
            return tx("cli", "no card is called {card}: read the hand again", **facts)
        case "deck-has" | "more-than-deck":
            return tx(
                "cli", "the deck has only {copies} of the card {card}: read the hand again", **facts
            )
        case "no-free-cards":
            return tx("cli", "this deck has no free cards")
        case "exchange-needs-four":
            return tx("cli", "a hand has four cards, not {cards}: --hand 3,5,11,13", **facts)
        case _:
            return str(error)
