"""The hand helper: key the cards in hand, see their moves, pick one to play it."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from engines.game import Refusal
from engines.notation import Fault
from hardware.keys import Key
from pi_app.screens.base import BAD, TICK, Action, Pop, Stay
from pi_app.screens.context import Context
from pi_app.screens.secret import SecretScreen
from pi_app.screens.tips import gives_tips, show_tip, tip_key
from pi_app.table.given import Hand, HandRow
from pi_app.table.table import Table
from pi_app.view.frame import Board, Body, Choices, Entry, Extras, Frame, Header, Mark, Tone, soft
from pi_app.view.keying import KeyedCards, Marked, Wheel, choose, waiting


class HandScreen(SecretScreen):
    """Accepts cards one after the other, then lists their moves; ENTER plays the marked line.

    It hides again by itself, and the hand is stored nowhere. `play` takes the token of a line.
    """

    def __init__(
        self, ctx: Context, table: Table, hand: Hand, play: Callable[[str], Action]
    ) -> None:
        super().__init__(ctx)
        self.table = table
        self.position = table.position
        self.player = self.position.players[self.position.seat]
        self.hand = hand
        self.play = play
        self.tips = gives_tips(ctx, table)
        self.size = hand.size(self.position, self.position.seat) or 0 if hand.whole else 0
        """How many cards are a whole hand; 0 if any number can be listed."""
        self.cards = KeyedCards(hand.entry, hand.entry, hand.most, self.size, hand.sign)
        self.refused: Entry | None = None
        """A card that was just keyed and that nobody can hold beside the others."""
        self.given: Any = None
        """The cards as `legal` takes them, once they are listed."""
        self.rows: tuple[HandRow, ...] = ()
        """The list; () while cards are keyed."""
        self.marked = Marked()
        self.picture = hand.presentation.seen_by(self.tx, self.position, self.position.seat)
        self.seats = hand.presentation.current_seats(self.tx, self.position)

    # --- frames

    def secret_frame(self) -> Frame:
        tx, hand = self.tx, self.hand
        marked = self.rows[self.marked.selected] if self.rows else None
        picture, body = self.picture, self._keying_body()
        if marked is not None:
            picture = picture.with_mark(Mark.LEGAL, marked.cells)
            body = Body(lines=(marked.note,) if marked.note else (), choices=self._choices())
        keys = self._keying_keys(body.entry) if marked is None else self._list_keys(marked)
        return Frame(
            Header(
                tx("title", "Hand {name}", name=self.player.name),
                colour=self.player.colour,
                corner=waiting(self.marked.typed),
            ),
            body,
            board=Board(picture, close_up=marked is not None) if hand.close_up else Board(),
            extras=Extras(seats=self.seats),
            keys=soft(*keys),
        )

    def _keying_body(self) -> Body:
        """Show the keyed cards, and why they are impossible or how many are missing."""
        tx, cards, hand = self.tx, self.cards, self.hand
        if hand.close_up and not cards.current:
            row = " ".join(card.text for card in cards.complete)
            return Body(entry=self.refused, lines=(row or hand.prompt(tx),))
        text = cards.current.text if hand.close_up else cards.text.strip()
        verdict, tone = cards.current.verdict(tx)
        missing = self.size - len(cards.words)
        if objection := self.hand.objection(self.tx, self.position, self.cards.words):
            verdict, tone = objection, Tone.BAD
        elif not verdict and cards and missing > 0:
            verdict = tx.many("verdict", "{n} more card", "{n} more cards", missing)
        choices = cards.current.choices(tx)
        lines = () if hand.close_up else (hand.prompt(tx),)
        return Body(entry=Entry(text, verdict, tone), lines=lines, choices=choices)

    def _keying_keys(self, entry: Entry | None) -> tuple[tuple[Key, str], ...]:
        """Return the key labels, without keys that would be refused."""
        tx, cards = self.tx, self.cards
        if not cards:
            return ((Key.BACK, tx("soft", "back")),)
        keys = [(Key.BACK, tx("soft", "delete"))]
        if entry is not None and entry.tone is Tone.BAD:
            return tuple(keys)
        starred, most = cards.current.after(Key.STAR), self.size or cards.most
        if starred is not None and starred.done and len(cards.complete) + 1 < most:
            keys.insert(0, (Key.STAR, tx("soft", "next")))
        if len(cards.words) >= self.size:
            keys.insert(0, (Key.ENTER, tx("soft", "show")))
        return tuple(keys)

    def _list_keys(self, marked: HandRow) -> tuple[tuple[Key, str], ...]:
        tx = self.tx
        play = () if marked.greyed else ((Key.ENTER, tx("soft", "play")),)
        return (*play, (Key.BACK, tx("soft", "back")), *((tip_key(tx),) if self.tips else ()))

    def _choices(self) -> Choices:
        return Choices(
            tuple(row.text for row in self.rows),
            self.marked.selected,
            greyed=frozenset(index for index, row in enumerate(self.rows) if row.greyed),
            sentences=tuple(row.sentence for row in self.rows),
        )

    def wheel(self) -> Wheel | None:
        return None if self.rows else self.cards.wheel()

    # --- keys

    def key(self, key: Key) -> Action:
        return self._choose(key) if self.rows else self._collect(key)

    def _collect(self, key: Key) -> Action:
        self.refused = None
        if key is Key.BACK and not self.cards:
            return Pop(TICK)
        listed = key is Key.ENTER and self.cards.current.choices(self.tx) is None
        if listed and not self.cards.current:
            return self._show()
        cards = self.cards.after(key)
        if cards is None:
            return Stay(BAD)
        objection = self.hand.objection(self.tx, self.position, cards.words)
        if self.hand.close_up and objection and not cards.current:
            self.refused = Entry(cards.complete[-1].text, objection, Tone.BAD)
            cards = replace(cards, complete=self.cards.complete)
        self.cards = cards
        if listed:
            return self._show()
        return Stay(BAD if objection or cards.current.impossible else TICK)

    def _show(self) -> Action:
        """List the keyed cards' moves."""
        words = self.cards.words
        if not words:
            return Stay(BAD)
        try:
            self.given = self.hand.read(self.position, " ".join(words))
        except Fault:
            return Stay(BAD)
        level = self.ctx.help_level(self.player.name)
        self.rows = self.hand.rows(self.tx, self.position, self.given, level)
        self.marked = Marked()
        return Stay(TICK)

    def _choose(self, key: Key) -> Action:
        chosen = choose(self._choices(), self.marked, key)
        if isinstance(chosen, int):
            self.marked = Marked(chosen)
            # close this screen and play a line; the turn interprets a line that is no move
            row = self.rows[chosen]
            move = self.position.parse(row.token)
            refused = not isinstance(move, Refusal) and self.position.refusal(move) is not None
            return Stay(BAD) if refused else Pop(TICK, lambda: self.play(row.token))
        if chosen is not None:
            self.marked = chosen
        elif key is Key.BACK:
            self.rows = ()
        elif key is Key.STAR and self.tips:
            return show_tip(self, self.table, self.given, self.play, self.picture)
        else:
            return Stay(BAD)
        return Stay(TICK)
