"""Uses of the rules as a library; each function stands alone."""

from random import Random

from ai import AI
from engines import GAMES, Player, Refusal, Setup, Step, begin, parse, replay


def referee() -> list[str]:
    """Referee a game: play legal moves, refuse others with a reason."""
    position = GAMES["just4fun"].begin(Setup((Player("Anna", "yellow"), Player("Ben", "red"))))
    said: list[str] = []
    for token in ("5+11+13", "40", "7+8"):
        answer = position.attempt(token)
        if isinstance(answer, Refusal):
            said.append(f"{token} is refused: {answer.code}")
        else:
            position, events = answer
            said += [f"{token}: {event.code}" for event in events]
    return said


def count_legal_moves() -> int:
    """Count a player's legal moves with the cards in hand."""
    _, position = begin(parse('[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5+11+13'))
    return len(list(position.legal((3, 5, 11, 13))))


def replay_record(text: str) -> str:
    """Replay a record and print the final position."""
    record = parse(text)
    _, position = begin(record)
    for step in replay(position, record.tokens):
        if not isinstance(step, Step):
            return f"{step.token}: {step.refusal.code}"
        position = step.after
    result = position.result
    return f"{', '.join(result.winners)} by {result.reason}" if result else "not over"


def advise() -> tuple[str, float]:
    """Ask for the best move and the chance to win with it; the same seed gives the same."""
    game, position = begin(parse('[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n'))
    best = AI[game.name].search(position, (3, 5, 11, 13), 500, Random(1))[0]
    return best.move.token, best.chance
