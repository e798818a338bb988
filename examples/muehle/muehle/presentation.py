"""The sentences of Nine Men's Morris: events, refusals, results, help."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from beisitzer.plugin.presentation import (
    Part,
    Picture,
    Presentation,
    RuleText,
    Seat,
    Slot,
    Step,
    Texts,
    colour_word,
    common_refusal,
)
from beisitzer.plugin.rules import Event, Facts, Refusal
from muehle.picture import board_picture
from muehle.rules import GAME
from muehle.rules.moves import AGREED
from muehle.rules.position import MuehlePosition


class MuehlePresentation(Presentation[MuehlePosition]):
    """Describes Nine Men's Morris, or, with another board, a relative of it."""

    game = GAME

    def name(self, tx: Texts) -> str:
        return tx("word", "Morris")

    def picture(self, tx: Texts, position: MuehlePosition) -> Picture:
        return board_picture(tx, position)

    def refusal(self, tx: Texts, refusal: Refusal) -> str:
        facts = refusal.facts
        match refusal.code:
            case "must-place":
                return tx("verdict", "place first: {n} in hand", n=facts["stones"])
            case "no-stone-left":
                return tx("verdict", "all are placed: move one")
            case "not-own":
                return tx("verdict", "{field}: not your stone", field=facts["field"])
            case "point-taken":
                return tx("verdict", "{field} is taken", field=facts["field"])
            case "too-far":
                return tx("verdict", "{start} to {end}: too far", **_way(facts))
            case "no-mill":
                return tx("verdict", "no mill: take nothing")
            case "must-take":
                return tx("verdict", "mill! take a stone")
            case "nothing-to-take":
                return tx("verdict", "{field}: nothing to take", field=facts["field"])
            case "in-mill":
                return tx("verdict", "{field} is in a mill", field=facts["field"])
            case _:
                return common_refusal(tx, refusal)

    def move_words(self, tx: Texts, step: Step) -> str:
        if step.token.startswith("<"):
            return tx("line", "correction")
        return tx("line", "draw") if step.token == AGREED else step.token

    def to_do(self, tx: Texts, step: Step) -> tuple[str, ...]:
        return tuple(line for event in step.events if (line := self._event(tx, step, event)))

    def _event(self, tx: Texts, step: Step, event: Event) -> str:
        facts, name = event.facts, step.player.name
        match event.code:
            case "placed":
                return tx("line", "{name} places {field}.", name=name, field=facts["field"])
            case "moved":
                return tx("line", "{name}: {start} to {end}.", name=name, **_way(facts))
            case "mill":
                return tx("line", "A mill!")
            case "taken":
                victim, field = facts["player"], facts["field"]
                return tx("line", "Take {name}'s stone off {field}.", name=victim, field=field)
            case "agreed":
                return tx("line", "Both agree on a draw.")
            case "corrected":
                return tx("line", "The position was corrected.")
            case _:
                return ""

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        return () if step.token == AGREED else self.to_do(tx, step)

    def result_lines(self, tx: Texts, position: MuehlePosition) -> tuple[str, ...]:
        if position.result is None:
            return ()
        loser = next(
            (p.name for p in position.players if p.name not in position.result.winners), ""
        )
        match position.result.reason:
            case "few-stones":
                return (tx("line", "{name} has fewer than three stones.", name=loser),)
            case "blocked":
                return (tx("line", "{name} cannot move.", name=loser),)
            case "repetition":
                return (tx("line", "This position was there for the third time."),)
            case _:
                return (tx("line", "Both agree on a draw."),)

    def reason(self, tx: Texts, reason: str) -> str:
        match reason:
            case "few-stones":
                return tx("word", "few stones")
            case "blocked":
                return tx("word", "blocked")
            case "repetition" | "agreed":
                return tx("word", "draw")
            case _:
                return super().reason(tx, reason)

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        return (
            RuleText(
                "flying",
                tx("item", "Flying"),
                tx("line", "With three stones left one may go to any free point."),
                (("yes", tx("word", "yes")), ("no", tx("word", "no"))),
            ),
        )

    def help(self, tx: Texts) -> tuple[str, ...]:
        return (
            tx("line", "A point is two digits: the column, a is 1, then the row. d6 is 4 6."),
            tx("line", "Placing: the point, then #."),
            tx("line", "Moving: from where, where to, then #."),
            tx("line", "A mill: key the stone that you take as well."),
            tx("line", "* and #: both agree on a draw."),
            tx("line", "Hold C to take a move back. D: menu."),
        )

    def current_seats(self, tx: Texts, position: MuehlePosition) -> tuple[Seat, ...]:
        return tuple(
            replace(seat, note=tx("line", "{n} in hand", n=left) if left else "")
            for seat, left in zip(
                super().current_seats(tx, position), position.in_hand, strict=True
            )
        )

    def slots(self, tx: Texts, position: MuehlePosition) -> tuple[Slot, ...]:
        """Return the points, row by row, then the stones in hand."""
        who = (tx("word", "nobody"), *(colour_word(tx, p.colour) for p in position.players))
        points = [
            Slot(point, (Part("", position.stones.get(point, -1) + 1, len(who) - 1, who),))
            for point in position.grid.points
        ]
        hands = tuple(
            Part(player.name, position.in_hand[seat], position.grid.stones)
            for seat, player in enumerate(position.players)
        )
        return (*points, Slot(tx("big", "HANDS"), hands))

    def placement(self, position: MuehlePosition, values: Sequence[tuple[int, ...]]) -> str:
        *owners, hands = values
        parts: list[str] = []
        for seat, player in enumerate(position.players):
            own = [
                point
                for point, (owner,) in zip(position.grid.points, owners, strict=True)
                if owner == seat + 1
            ]
            parts.append(" ".join([player.colour, *own, f"left={hands[seat]}"]))
        return "; ".join(parts)

    def opening_notice(
        self, tx: Texts, start: MuehlePosition, tags: Mapping[str, str]
    ) -> tuple[str, ...]:
        return (tx("line", "A point is two digits: d6 is 4 6. Then #."),)


def _way(facts: Facts) -> dict[str, str]:
    return {"start": facts["from"], "end": facts["to"]}


PRESENTATION = MuehlePresentation()
