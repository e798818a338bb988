"""Describes a record in the table's language, with the games' own words, for a terminal."""

from collections.abc import Mapping, Sequence

from engines.game import AnyPosition, Event, GivenError, Player, Refusal, Result, SetupError
from engines.games import GAMES, plugins
from engines.record import RecordError
from engines.replay import Step, Violation
from pi_app.commands.console import refuse, texts
from pi_app.settings.schema import ENGLISH
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.texts.common import colour_word, winners_line
from pi_app.texts.printable import shorten
from pi_app.texts.refused import setup_words


def face_of(game: str, *parts: Mapping[str, object]) -> AnyPresentation:
    """Return a game's presentation; end with status 2 if it, or one of these parts, is missing."""
    if game not in GAMES:
        names = ", ".join(name for name in PRESENTATIONS if all(name in part for part in parts))
        refuse(f"no game is called {shorten(game, 40)}; there are {names}")
    if not all(game in part for part in (PRESENTATIONS, *parts)):
        fault = shorten(plugins()[game].fault(), 80)
        refuse(f"{game} cannot be loaded ({fault}): install it again")
    return PRESENTATIONS[game]


class RecordSentences:
    """Sentences about one game. If `lang` is None, in the settings' language, else the system's."""

    def __init__(self, game: str, lang: str | None) -> None:
        self.tx = texts(lang)
        self.presentation = face_of(game)

    def opening(self, board: str | None, players: Sequence[Player]) -> str:
        names = ", ".join(
            f"{player.name} ({colour_word(self.tx, player.colour)})" for player in players
        )
        name = self.presentation.name(self.tx)
        return f"{name} ({board}): {names}" if board else f"{name}: {names}"

    def refusal(self, refusal: Refusal) -> str:
        """Say in a sentence why a move is illegal."""
        facts = refusal.facts
        # a "bad-move" with a reason is a correction of the position that cannot be
        if refusal.code == "bad-move" and isinstance(facts.get("reason"), str):
            code, reason = str(facts.get("fault", "")), str(facts["reason"])
            reason = self.presentation.position_fault(self.tx, code, facts, reason)
            return self.tx("cli", "This position is impossible: {reason}.", reason=reason)
        short = self.presentation.refusal(self.tx, refusal)  # made for a small display
        ended = short if short.endswith((".", "!", "?")) else f"{short}."
        sentence = ended[:1].upper() + ended[1:]
        if refusal.code in self.presentation.wished_rules:
            keys = [f'"{rule.key}"' for rule in self.presentation.game.house_rules]
            return f"{sentence} {self.presentation.house_rules(self.tx, keys)}"
        return sentence

    def mover(self, step: Step | Violation) -> str:
        return step.player.name if step.player else self.tx("cli", "nobody")

    def step(self, step: Step | Violation, line: int) -> str:
        """Say what a token did; `line` is its line in the file."""
        if isinstance(step, Violation):
            why = self.refusal(step.refusal)
            return self.tx("cli", "NOT LEGAL (line {line}): {why}", line=line, why=why)
        lines = (
            *self.presentation.to_do(self.tx, step),
            *self.presentation.closing(self.tx, step),
        )
        return " ".join(dict.fromkeys(lines))  # the end may repeat sentences

    def remarks(self, remarks: Sequence[Event]) -> tuple[str, ...]:
        """Say what may surprise people in a position."""
        return tuple(self.presentation.remark(self.tx, event) for event in remarks)

    def standing(self, position: AnyPosition) -> tuple[str, ...]:
        """Say who is to move, or who won and why."""
        if position.result is None:
            name = position.players[position.seat].name
            return (self.tx("cli", "{name} is to move.", name=name),)
        return (
            winners_line(self.tx, position.result.winners),
            *self.presentation.result_lines(self.tx, position),
        )

    def count(self, moves: int, wrong: int) -> str:
        return self.tx.many(
            "cli", "{n} move, {wrong} not legal", "{n} moves, {wrong} not legal", moves, wrong=wrong
        )

    def may_play(self, player: Player) -> str:
        return self.tx("cli", "{name} may play:", name=player.name)

    def verdict(self, position: AnyPosition, token: str) -> str:
        """Say whether a move is legal, and why not."""
        refusal = position.verdict(token)
        return (
            self.tx("cli", "free")
            if refusal is None
            else self.presentation.refusal(self.tx, refusal)
        )

    def settling(self, position: AnyPosition, result: Result) -> tuple[str, ...]:
        """Explain the points, and say who wins with them."""
        lines = self.presentation.score_lines(self.tx, position, result)
        return (*lines, winners_line(self.tx, result.winners))


def record_reason(error: RecordError) -> str:
    """Say why a text is no record."""
    cause = error.__cause__
    return setup_reason(cause) if isinstance(cause, SetupError) else error.reason


def setup_reason(error: SetupError) -> str:
    """Say which tag contradicts the game, and why."""
    return f"{error.tag}: {setup_words(ENGLISH, error) or error.reason}"


def given_reason(error: GivenError) -> str:
    """Say which hand or roll is required, and the option that names it."""
    option = "--roll" if error.code in ("roll-needed", "no-die") else "--hand"
    return str(error) if option in str(error) else f"{error} ({option})"
