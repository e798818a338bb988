"""Entering the companion's cards one by one; each is hidden immediately."""

from collections.abc import Callable

from hardware.keys import Key
from pi_app.screens.base import BAD, OK, TICK, Action, Pop, Stay
from pi_app.screens.context import Context
from pi_app.screens.empty_chair.seat import BotHand
from pi_app.screens.secret import SecretScreen
from pi_app.view.frame import Board, Body, Entry, Frame, Header, Picture, Tone, soft
from pi_app.view.keying import Keying, Wheel


class BotCardsScreen(SecretScreen):
    """Asks for the cards one of the companion's seats drew, or discarded without naming them.

    A card is shown while its keys are pressed, a refused one until the next key; of accepted
    cards only their number is shown.
    """

    def __init__(
        self,
        ctx: Context,
        hand: BotHand,
        others: tuple[BotHand, ...],
        picture: Picture,
        done: Callable[[], Action],
    ) -> None:
        """Ask for `hand`; `others` are its other hands at this table, `picture` shows the board.

        `done` is called after the last card.
        """
        super().__init__(ctx)
        self.hand = hand
        self.others = others
        self.picture = picture
        self.done = done
        self.card: Keying = hand.game.entry
        """The card that is being keyed."""
        self.why = ""
        """Why the last card was refused."""
        self.refused_text = ""
        """The refused card in words."""
        self.doubted = ""
        """The card just refused because all its copies were seen; it is accepted if keyed again."""

    def secret_frame(self) -> Frame:
        tx, hand, card = self.tx, self.hand, self.card
        player = hand.table.start.players[hand.seat]
        entry = card.entry(tx)
        # keys that are being pressed hide a card that was refused before
        if self.why and not card:
            entry = Entry(self.refused_text, self.why, Tone.BAD)
        # BACK deletes a key, a refused card, or the card keyed before
        can_delete = card or self.why or hand.can_undo()
        keys = [(Key.BACK, tx("soft", "delete") if can_delete else tx("soft", "back"))]
        if card and card.word:
            keys = [(Key.ENTER, tx("soft", "next")), *keys]
        return Frame(
            Header(tx("title", "Cards {name}", name=player.name), colour=player.colour),
            Body(
                entry=entry,
                lines=(self._count(), hand.game.hint(tx)),
                choices=card.choices(tx),
            ),
            board=Board(picture=self.picture),
            keys=soft(*keys),
        )

    def wheel(self) -> Wheel | None:
        return self.card.wheel()

    def _count(self) -> str:
        tx, lacks = self.tx, self.hand.lacks()
        if lacks < 0:  # the hand has more cards than it may: some left without being named
            return tx.many(
                "line", "Key the {n} card that went.", "Key the {n} cards that went.", -lacks
            )
        known = len(self.hand.cards())
        if not (known or self.card or self.why):
            return tx("line", "Lay them face down in a row, new ones at the right.")
        return tx("line", "{n} of {count} cards known.", n=known, count=known + lacks)

    def key(self, key: Key) -> Action:
        blank = self.hand.game.entry
        if key is Key.BACK:
            self.doubted = ""
            if self.card or self.why:
                self.card, self.why = self.card.after(key) or blank, ""
                return Stay(TICK)
            return Stay(TICK) if self.hand.undo() else Pop(TICK)
        entered = self.card.after(key)
        if entered is None:
            return Stay(BAD)
        self.card, self.why = entered, ""
        if entered.done is None:
            return Stay(BAD if entered.impossible else TICK)
        self.card = blank  # an accepted card is hidden at once
        # accept the card that was keyed, or refuse it; only a refused one stays visible
        card = entered.done
        self.refused_text = self.hand.game.text(card)
        hand = self.hand
        if hand.lacks() < 0:  # the question is which card left the hand
            if card not in hand.cards():
                self.why = self.tx("verdict", "not one of these cards")
                return Stay(BAD)
            hand.leave(card)
        else:
            self.why = self._objection(card)
            if self.why:
                return Stay(BAD)
            hand.add(card)
        return Stay(OK) if hand.lacks() else Pop(OK, self.done)

    def _objection(self, card: str) -> str:
        """Say why the hand cannot hold this card too; "" if it can."""
        tx, game, position = self.tx, self.hand.game, self.hand.table.position
        copies, own = game.copies(position, card), self.hand.cards().count(card)
        if own >= copies:
            return tx("verdict", "all of these are there already")
        others = sum(hand.cards().count(card) for hand in self.others)
        seen = own + others + game.face_up(position, card)
        # keyed once more after the doubt: it is believed, as an earlier card may have been wrong
        if seen < copies or card == self.doubted:
            self.doubted = ""
            return ""
        self.doubted = card
        return tx("verdict", "all of these were seen. Look again!")
