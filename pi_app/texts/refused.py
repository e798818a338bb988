"""What a record's tags, a hand or a roll lack, in the table's language: by codes and facts."""

from engines.game import Facts, GivenError, SetupError
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts


def setup_words(tx: Texts, error: SetupError) -> str:
    """Say why tags contradict the game; "" for a code that only the game itself may know."""
    facts = dict(error.facts)
    if isinstance(colours := facts.get("colours"), str):
        facts["colours"] = ", ".join(colour_word(tx, colour) for colour in colours.split(", "))
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
            return tx("line", "{word} is not a name and a colour", **facts)
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
        case "unknown-rule":
            return tx("line", "{key} is no rule of this game; there are {names}", **facts)
        case "bad-value":
            return tx("line", "{key} cannot be {value}", **facts)
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
            return tx("line", "nobody is called {name}", **facts)
        case "how-many":
            return tx("line", "{n} cannot play this game, only {allowed}", **facts)
        case "no-such-colour":
            return tx("line", "{word} is no colour of this game: {colours}", **facts)
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
            return tx("cli", "no card of the deck is called {card}", **facts)
        case "deck-has" | "more-than-deck":
            return tx("cli", "the deck has only {copies} of the card {card}", **facts)
        case "no-free-cards":
            return tx("cli", "this deck has no free cards")
        case "exchange-needs-four":
            return tx("cli", "a hand has four cards, not {cards}", **facts)
        case _:
            return str(error)
