"""Words that every game and every screen share: colours, winners, the common refusals."""

from __future__ import annotations

from engines.game import Refusal
from pi_app.texts.language import Texts


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


def colour_letter(tx: Texts, colour: str) -> str:
    """Return the letter that stands for a player colour, another one for each colour."""
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


def winners_line(tx: Texts, winners: tuple[str, ...]) -> str:
    """Say who won, or that nobody did."""
    if not winners:
        return tx("line", "A draw: nobody wins.")
    if len(winners) == 1:
        return tx("line", "{name} wins!", name=winners[0])
    names = tx("line", "{names} and {name}", names=", ".join(winners[:-1]), name=winners[-1])
    return tx("line", "{names} win!", names=names)


def common_refusal(tx: Texts, refusal: Refusal) -> str:
    """Say the refusals that every game knows."""
    if refusal.code == "game-over":
        return tx("verdict", "the game is over")
    return tx("verdict", "that is no move of this game")


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
