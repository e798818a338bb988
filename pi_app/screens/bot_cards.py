"""Keying the companion's cards: one after the other, unseen by others, each one blank at once."""

from __future__ import annotations

from collections.abc import Callable

from hardware.keys import Key
from pi_app.screens.base import BAD, OK, TICK, Action, Pop, Stay
from pi_app.screens.bot_seat import BotHand
from pi_app.screens.context import Context
from pi_app.screens.secret import SecretScreen
from pi_app.view.frame import Board, Body, Entry, Frame, Header, Picture, Tone, soft


class BotCardsScreen(SecretScreen):
    """Takes the cards that one seat of the companion lacks, or what left its hand unnamed.

    A card is shown while its keys are pressed, and where it is refused until the next key; of
    those that were taken only how many there are.
    """

    def __init__(
        self,
        ctx: Context,
        hand: BotHand,
        others: tuple[BotHand, ...],
        picture: Picture,
        done: Callable[[], Action],
    ) -> None:
        """Begin; `others` are its other hands at this table, `picture` shows the board.

        `done` follows the last card.
        """
        super().__init__(ctx)
        self.hand = hand
        self.others = others
        self.picture = picture
        self.done = done
        self.keyed = ""
        self.why = ""
        """Why the last card was not taken."""
        self.refused = ""
        """The card that was not taken, as it is shown."""
        self.doubted = ""
        """The card that was just said to lie face up: keyed once more, it is believed."""

    def secret_frame(self) -> Frame:
        tx, hand = self.tx, self.hand
        player = hand.table.start.players[hand.seat]
        entry = Entry(self.keyed)
        if self._no_such_card():
            entry = Entry(self.keyed, tx("verdict", "there is no such card"), Tone.BAD)
        elif self.why and not self.keyed:
            entry = Entry(self.refused, self.why, Tone.BAD)
        deletes = self.keyed or self.why or hand.can_undo()
        keys = [(Key.BACK, tx("soft", "delete") if deletes else tx("soft", "back"))]
        if self.keyed and self._card():
            keys = [(Key.ENTER, tx("soft", "next")), *keys]
        return Frame(
            Header(tx("title", "Cards {name}", name=player.name), colour=player.colour),
            Body(entry=entry, lines=(self._count(), hand.game.hint(tx, self.keyed))),
            board=Board(picture=self.picture),
            keys=soft(*keys),
        )

    def _count(self) -> str:
        tx, lacks = self.tx, self.hand.lacks()
        if lacks < 0:
            return tx.many(
                "line", "Key the {n} card that went.", "Key the {n} cards that went.", -lacks
            )
        known = len(self.hand.cards())
        if not (known or self.keyed or self.why):
            return tx("line", "Lay them face down in a row, new ones at the right.")
        return tx("line", "{n} of {count} cards known.", n=known, count=known + lacks)

    def _card(self) -> str:
        return self.hand.game.card(self.keyed)

    def key(self, key: Key) -> Action:
        if key is Key.BACK:
            return self._back()
        longer = self.keyed + ("*" if key is Key.STAR else key.value)
        if self._no_such_card():
            return Stay(BAD)
        if key.digit is not None or (key is Key.STAR and self.hand.game.begins(longer)):
            return self._longer(longer)
        return self._take() if key in (Key.ENTER, Key.STAR) and self.keyed else Stay(BAD)

    def _longer(self, keyed: str) -> Action:
        """Keep the keys, also where no card begins so: nothing that is wrong is dropped."""
        self.keyed, self.why = keyed, ""
        if self._no_such_card():
            return Stay(BAD)
        return self._take() if self.hand.game.is_complete(keyed) else Stay(TICK)

    def _no_such_card(self) -> bool:
        """Tell whether no card begins with what is keyed."""
        return self.keyed != "" and not self.hand.game.begins(self.keyed)

    def _back(self) -> Action:
        """Delete a key, else the card that was keyed last; with none there is nothing to do."""
        self.doubted = ""
        if self.keyed or self.why:
            self.keyed, self.why = self.keyed[:-1], ""
            return Stay(TICK)
        return Stay(TICK) if self.hand.undo() else Pop(TICK)

    def _take(self) -> Action:
        """Take the card that was keyed; only one that is refused is shown any longer."""
        keyed, card, self.keyed = self.keyed, self._card(), ""
        self.refused = self.hand.game.card_text(card) if card else keyed
        if not card:
            self.why = self.tx("verdict", "there is no such card")
            return Stay(BAD)
        hand = self.hand
        if hand.lacks() < 0:
            return self._left(card)
        self.why = self._objection(card)
        if self.why:
            return Stay(BAD)
        hand.add(card)
        return self._finish_card()

    def _left(self, card: str) -> Action:
        if card not in self.hand.cards():
            self.why = self.tx("verdict", "not one of these cards")
            return Stay(BAD)
        self.hand.leave(card)
        return self._finish_card()

    def _finish_card(self) -> Action:
        return Stay(OK) if self.hand.lacks() else Pop(OK, self.done)

    def _objection(self, card: str) -> str:
        """Say why it cannot hold this card as well, "" where it can."""
        tx, game, position = self.tx, self.hand.game, self.hand.table.position
        copies, own = game.copies(position, card), self.hand.cards().count(card)
        if own >= copies:
            return tx("verdict", "all of these are there already")
        elsewhere = sum(other.cards().count(card) for other in self.others)
        if own + elsewhere + game.count_face_up(position, card) < copies or card == self.doubted:
            self.doubted = ""
            return ""
        self.doubted = card
        return tx("verdict", "all of these were seen. Look again!")
