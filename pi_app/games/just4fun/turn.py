"""Keying a turn of Just 4 Fun: cards, a live verdict, playing or exchanging."""

from engines.game import Refusal
from engines.just4fun.board import HAND
from engines.just4fun.rules import Just4Fun
from hardware.keys import Key
from pi_app.games.just4fun.hand import CARD, HAND_OF_GAME
from pi_app.games.just4fun.presentation import PRESENTATION
from pi_app.screens.base import BAD, TICK, Action, Stay
from pi_app.screens.hand import HandScreen
from pi_app.screens.playing.game_turn import KeyedTurn
from pi_app.screens.playing.games import GameScreens
from pi_app.settings.schema import HelpLevel
from pi_app.view.frame import Entry, Mark, Picture, SoftKey, Tone
from pi_app.view.keying import KeyedCards, NumberKeying


class Just4FunTurn(KeyedTurn[Just4Fun]):
    """The turn: cards with STAR between them, a live verdict, ENTER plays or exchanges."""

    blank = KeyedCards(CARD, CARD, HAND_OF_GAME.most, HAND, HAND_OF_GAME.sign)
    keyed: KeyedCards[NumberKeying]
    tapped = ""
    """The field that was tapped last; "" after a key."""

    def clear(self) -> None:
        super().clear()
        self.tapped = ""

    @property
    def _values(self) -> tuple[int, ...]:
        """The keyed cards, also one that the deck does not have."""
        row = (*self.keyed.complete, self.keyed.current)
        return tuple(int(card.digits) for card in row if card.digits)

    def tokens(self) -> tuple[str, ...]:
        token = "+".join(map(str, self._values))
        return (token, f"x{token}") if token else ()

    def labels(self, entry: Entry | None) -> tuple[SoftKey, ...]:
        tx = self.tx
        if entry is None:
            hand = () if self.help is HelpLevel.NONE else (SoftKey(Key.UP, tx("soft", "hand")),)
            return (*hand, SoftKey(Key.MENU, tx("soft", "menu")))
        *play, delete = super().labels(entry)
        more = () if self.keyed.impossible else (SoftKey(Key.STAR, tx("soft", "next")),)
        return (*play, *more, delete)

    def prompt(self) -> tuple[str, ...]:
        if self.ctx.dials:
            turn = self.tx("line", "Turn to your card, push takes it.")
            return (turn, self.tx("line", "Hold the push to play."))
        return (
            self.tx("line", "Key your cards, * between them, then #."),
            self.tx("line", "29 with 3 cards: 5*11*13#"),
        )

    def lines(self) -> tuple[str, ...]:
        """Return what to do or how to key, and the round if rounds are limited."""
        return (*super().lines(), *PRESENTATION.round_line(self.tx, self.position))

    def keyed_picture(self) -> Picture:
        """Return the board with the keyed field marked, or the tapped one."""
        picture = self.cached_picture()
        if self.keyed and self.judges():
            mark = Mark.SELECTED if self._refusal() is None else Mark.BLOCKED
            return picture.with_mark(mark, (str(sum(self._values)),))
        return picture.with_mark(Mark.SELECTED, (self.tapped,))

    def entry(self) -> Entry:
        text, values = self.keyed.text, self._values
        if not self.judges():
            return Entry(text)
        refusal, total = self._refusal(), sum(values)
        result = str(total) if len(values) > 1 else ""  # one card shows its sum
        if refusal is None:
            return Entry(text, self.tx("verdict", "{field} free", field=total), Tone.GOOD, result)
        if self.table.refusal(self.tokens()[1]) is None:
            return Entry(text, self.tx("verdict", "no legal field: # exchanges"), Tone.GOOD)
        return Entry(text, self.presentation.words.refusal(self.tx, refusal), Tone.BAD, result)

    def _refusal(self) -> Refusal | None:
        return self.table.refusal(self.tokens()[0])

    def key(self, key: Key) -> Action:
        self.tapped = ""
        if key is not Key.UP or self.keyed:
            return super().key(key)
        if self.help is HelpLevel.NONE:
            return Stay(BAD)
        return self.open_part(HandScreen(self.ctx, self.table, HAND_OF_GAME, self.play_token))

    def tap(self, name: str) -> Action:
        """Say who leads the tapped field and whether the player may place there."""
        self.clear()
        tx, field = self.tx, int(name)
        refusal = self.position.placing_refusal(field)
        owner = self.position.owner(field)
        if refusal is not None:
            line = self.presentation.words.refusal(tx, refusal)
        elif owner is None:
            line = tx("line", "{field}: nobody leads, you may place there.", field=field)
        else:
            facts = {"field": field, "name": owner.name}
            line = tx("line", "{field}: {name} leads, you may place there.", **facts)
        self.tell(line)
        self.tapped = name
        return Stay(TICK)


SCREENS = GameScreens(Just4FunTurn, given=HAND_OF_GAME)
