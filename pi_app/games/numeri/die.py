"""A roll in numeri: its possible moves, and playing them for the companion."""

from engines.game import Refusal, make_step
from engines.numeri.notation import SIDES, STAR, NumeriMove
from engines.numeri.rules import NumeriPosition
from pi_app.games.numeri.presentation import (
    PRESENTATION,
    chain_fields,
    say_chain,
    say_way,
    ways_of,
    write_ways,
)
from pi_app.table.given import Candidate, Die
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.frame import STAR_SIGN


class NumeriDie(Die):
    """Each number moves its stone, or two stones that add up to it; a star any stone."""

    def star(self, position: NumeriPosition) -> int:
        return position.edition.star

    def sign(self, position: NumeriPosition, roll: int) -> str:
        """Return a roll as people read it."""
        return STAR_SIGN if roll == self.star(position) else str(roll)

    def moves(self, position: NumeriPosition, given: int) -> tuple[NumeriMove, ...]:
        """Return one move for each outcome."""
        previews = position.previews(given)
        return tuple(preview.move for preview in previews) or tuple(position.legal(given))

    def candidates(self, position: NumeriPosition, given: int) -> tuple[Candidate, ...]:
        return tuple(Candidate(move, None) for move in self.moves(position, given))

    def words(self, tx: Texts, position: NumeriPosition, move: NumeriMove) -> str:
        if not move.stones:
            sign = self.sign(position, move.roll)
            return tx("line", "Rolled {n}: no stone can move, the turn is lost.", n=sign)
        return ", ".join(say_way(tx, way) for way in ways_of(make_step(position, move)))

    def spent(self, token: str) -> tuple[str, ...]:
        roll = token.partition(":")[0]
        return (str(SIDES) if roll == STAR else roll,)

    def said(self, tx: Texts, position: NumeriPosition, given: str) -> str:
        return tx("line", "Rolled: {n}", n=self.sign(position, int(given)))

    def follows(self, tx: Texts, position: NumeriPosition, move: NumeriMove) -> str:
        step = make_step(position, move)
        chain = chain_fields(step)
        return say_chain(tx, chain) if chain and step.after.result is None else ""

    def refusal(self, tx: Texts, number: int) -> str:
        return PRESENTATION.words.refusal(tx, Refusal("bad-die", str(number)))

    def to_do(self, tx: Texts, position: NumeriPosition, move: NumeriMove) -> tuple[str, ...]:
        step = make_step(position, move)
        if not move.stones:
            return (self.words(tx, position, move),)
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
        return write_ways(ways_of(make_step(position, move)))

    def places(self, position: NumeriPosition, move: NumeriMove) -> tuple[str, ...]:
        return tuple(str(way.end) for way in ways_of(make_step(position, move)))


DIE = NumeriDie(PRESENTATION)
