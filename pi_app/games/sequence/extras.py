"""Further actions in a turn of Sequence: the hand, a forgotten draw, table talk."""

from collections.abc import Callable
from typing import cast

from engines.game import Step
from engines.sequence.notation import Place, Take, TurnIn, read_move
from engines.sequence.rules import SequencePosition
from pi_app.games.sequence.cards import card_text
from pi_app.screens.base import (
    BAD,
    OK,
    TICK,
    Action,
    Greyed,
    Item,
    ListScreen,
    MenuScreen,
    Pop,
    Replace,
    Screen,
    Stay,
    grey_if,
)
from pi_app.screens.playing.game_turn import GameTurn
from pi_app.table.revision import revise
from pi_app.table.table import Table
from pi_app.texts.common import colour_word

_SHOWN = 9
"""How many last moves are offered for a forgotten draw: one digit chooses."""


class ExtrasScreen(MenuScreen):
    """Lists what else people can do in a turn. `hand` makes the hand helper's screen."""

    def __init__(self, turn: GameTurn[SequencePosition], hand: Callable[[], Screen]) -> None:
        self.turn = turn
        self.hand = hand
        tx = turn.tx
        super().__init__(turn.ctx, tx("title", "What else?"))

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        if draw_indices(self.turn.table):
            forgot: Item = (
                tx("item", "Forgot to draw"),
                lambda: Replace(self._forgot_screen()),
            )
        else:
            forgot = tx("item", "Forgot to draw"), Greyed(tx("line", "Nobody drew a card yet."))
        position = cast(SequencePosition, self.turn.table.position)
        has_partners = len(position.players) > len(position.teams)
        alone = "" if has_partners else tx("line", "Nobody has a partner here.")
        talk = grey_if(alone, lambda: Replace(self._talk_screen()))
        return (
            (tx("item", "My hand"), lambda: Replace(self.hand())),
            (tx("item", "Cannot play"), self._pass),
            (tx("item", "Table talk"), talk),
            forgot,
        )

    def _pass(self) -> Action:
        """Pass, or ask for the hand first: a player who passes shows all cards held."""
        if self.turn.table.refusal("pass") is None:
            return Pop(TICK, lambda: self.turn.play_token("pass"))
        return Replace(self.hand())

    def _talk_screen(self) -> Screen:
        tx = self.tx
        teams = cast(SequencePosition, self.turn.table.position).teams
        return ListScreen(
            self.ctx,
            tx("title", "Who talked?"),
            tuple(colour_word(tx, team) for team in teams),
            lambda index: Pop(TICK, lambda: self.turn.play_token(f"talk:{teams[index]}")),
        )

    def _forgot_screen(self) -> Screen:
        indices = draw_indices(self.turn.table)
        steps = self.turn.table.steps
        return ListScreen(
            self.ctx,
            self.tx("title", "Forgot after?"),
            tuple(_label(steps[move_index]) for move_index in indices),
            lambda index: self._decide_draw(indices[index]),
        )

    def _decide_draw(self, move_index: int) -> Action:
        """Let the player draw, or ask whether it is too late, or record that it is."""
        later = find_next_placement(self.turn.table, move_index)
        steps = self.turn.table.steps
        if later is None:
            return Pop(TICK, lambda: self._may_draw(move_index))
        # a move came after the next player's, so the next player has drawn: it is too late
        if later < len(steps) - 1:
            return Pop(TICK, lambda: self._settle(move_index))
        # whether the next player has drawn is asked: the keys do not show it
        tx, name = self.tx, steps[later].player.name
        answers = (self._settle, self._may_draw)  # for "yes" and "no"
        return Replace(
            ListScreen(
                self.ctx,
                tx("title", "Too late?"),
                (tx("item", "yes"), tx("item", "no")),
                lambda index: Pop(TICK, lambda: answers[index](move_index)),
                lines=(tx("line", "Has {name} drawn a card already?", name=name),),
            )
        )

    def _may_draw(self, move_index: int) -> Action:
        name = self.turn.table.steps[move_index].player.name
        self.turn.tell(self.tx("line", "In time: {name}, draw a card now!", name=name))
        return Stay(OK)

    def _settle(self, move_index: int) -> Action:
        """Correct the move's token: its player drew no card and continues with one fewer."""
        turn, table = self.turn, self.turn.table
        tokens = list(table.tokens())
        tokens[move_index] += "~"  # the mark of a forgotten draw
        revision = revise(table.position, table.start, tokens)
        if revision.casualties:  # a later move would be illegal with one card fewer
            return Stay(BAD)
        table.rewrite(tokens)
        turn.clear()
        name = table.steps[move_index].player.name
        turn.tell(self.tx("line", "Too late: {name} plays on with one card fewer.", name=name))
        return Stay(OK)


def draw_indices(table: Table) -> tuple[int, ...]:
    """Return the last moves after which a card was drawn, as indices, newest first."""
    moves = [read_move(step.token) for step in table.steps]
    indices = [
        index
        for index, move in enumerate(moves)
        if isinstance(move, Place | Take | TurnIn) and not move.forgot
    ]
    return tuple(reversed(indices[-_SHOWN:]))


def find_next_placement(table: Table, move_index: int) -> int | None:
    """Return the index of the first later move with which another player placed and drew, or None.

    Printed rule: a forgotten card may be drawn until the next player has placed AND drawn.
    """
    name = table.steps[move_index].player.name
    for later, step in enumerate(table.steps[move_index + 1 :], move_index + 1):
        move = read_move(step.token)
        if isinstance(move, Place | Take) and not move.forgot and step.player.name != name:
            return later
    return None


def _label(step: Step) -> str:
    move = read_move(step.token)
    card = move.card if isinstance(move, Place | Take | TurnIn) else ""
    return f"{step.player.name} {card_text(card)}"
