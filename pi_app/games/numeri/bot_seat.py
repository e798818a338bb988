"""The companion's seat in numeri: which stones somebody moves for it."""

from __future__ import annotations

from engines.game import Refusal
from engines.numeri.moves import NumeriMove
from engines.numeri.position import NumeriPosition
from engines.replay import Step
from pi_app.games.numeri.presentation import (
    PRESENTATION,
    chain_fields,
    say_chain,
    ways_of,
    write_ways,
)
from pi_app.screens.bot_seat import DieBotSeat
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts


class NumeriBotSeat(DieBotSeat):
    """Somebody rolls and moves; the companion says which stone."""

    def refusal(self, tx: Texts, number: int) -> str:
        return PRESENTATION.refusal(tx, Refusal("bad-die", str(number)))

    def to_do(self, tx: Texts, position: NumeriPosition, move: NumeriMove) -> tuple[str, ...]:
        step = _step(position, move)
        if not move.stones:
            return (tx("line", "Rolled {n}: no stone can move, the turn is lost.", n=move.roll),)
        facts = {"name": step.player.name, "colour": colour_word(tx, step.player.colour)}
        lines = []
        for way in ways_of(step):
            facts |= {"stone": str(way.stone), "field": str(way.start), "target": str(way.end)}
            text = tx(
                "line",
                "For {name}, move {colour} stone {stone} from the start to field {target}.",
                **facts,
            )
            if way.start:  # not 0, the start
                text = tx(
                    "line",
                    "For {name}, move {colour} stone {stone} from field {field} to field {target}.",
                    **facts,
                )
            lines.append(text)
        if step.after.result is not None:
            lines.append(tx("line", "This ends the game."))
        elif chain_fields(step):
            lines.append(say_chain(tx, chain_fields(step)))
        return tuple(lines)

    def big(self, position: NumeriPosition, move: NumeriMove) -> str:
        return write_ways(ways_of(_step(position, move)))

    def places(self, position: NumeriPosition, move: NumeriMove) -> tuple[str, ...]:
        return tuple(str(way.end) for way in ways_of(_step(position, move)))


def _step(position: NumeriPosition, move: NumeriMove) -> Step:
    """Return the step that this move would be."""
    after, events = position.play(move)
    return Step(position.players[position.seat], move.token, events, after)


BOT_SEAT = NumeriBotSeat()
