"""Keying a turn of Sequence: the card, then one of its squares, then perhaps which five."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial

from engines.game import Move, Refusal, Step
from engines.sequence.board import CARD_BITS, CORNER, INDEX, JACKS, ONE_EYED
from engines.sequence.notation import Place, TurnIn, read_move
from engines.sequence.rules import SequencePosition
from hardware.keys import Key
from pi_app.games.sequence.cards import (
    SUIT_SIGNS,
    Five,
    UnnamedFives,
    card_text,
    different_fives,
    fives_words,
)
from pi_app.games.sequence.extras import ExtrasScreen
from pi_app.games.sequence.form import form_items
from pi_app.games.sequence.hand import HAND_OF_GAME
from pi_app.games.sequence.keying import CardKeying, keyed_card, suit_words
from pi_app.games.sequence.picture import board_picture, seat_side, turn_to_side
from pi_app.games.sequence.presentation import place_words, square_of
from pi_app.screens.base import AGAIN, BAD, ROW, TICK, TURN, Action, DeclinedError, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.hand import HandScreen
from pi_app.screens.playing.game_turn import GameTurn
from pi_app.screens.playing.games import GameScreens
from pi_app.table.table import Table
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Body,
    Choices,
    Entry,
    Frame,
    Heed,
    Mark,
    Picture,
    Seat,
    Signal,
    Speech,
    Tone,
    Utterance,
    soft,
)
from pi_app.view.keying import NO_WHEEL, Marked, Wheel, choose


@dataclass(frozen=True, slots=True)
class Square:
    """A square where the keyed card could be played."""

    square: str
    """Its name in the record."""
    token: str
    """The token of the move that plays there."""
    refusal: Refusal | None
    """Why that move is illegal; None if it is legal."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """What has been keyed."""

    keys: CardKeying = field(default_factory=CardKeying)
    """A card that is not complete yet."""
    jack: str = ""
    """The jack to play; then the card printed on its square is keyed."""
    card: str = ""
    """The card with the offered squares."""
    selected: int = 0
    """Index of the marked square."""
    fives: tuple[Five, ...] = ()
    """The moves to choose from if several fives could become the sequence."""
    five: int = 0
    """Index of the marked one of `fives`."""


class SequenceTurn(GameTurn[SequencePosition]):
    """The turn: card, STAR, suit; its squares by number; ENTER plays."""

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.unnamed = UnnamedFives(table)
        self.clear()
        self.big = ""
        if table.steps:
            self.tell_move(table.steps[-1])

    @property
    def side(self) -> int:
        """The side of the table of the player to move."""
        return seat_side(self.position.seat, len(self.position.players))

    def clear(self) -> None:
        self.keyed = Keyed()

    def save_keyed(self) -> Callable[[], None]:
        keyed = self.keyed

        def restore_keyed() -> None:
            self.keyed = Keyed(keyed.keys, keyed.jack)
            if keyed.card:
                self.take_card(keyed.card)  # its squares may have been taken

        return restore_keyed

    def keying(self) -> bool:
        return self.keyed != Keyed()

    def has_question(self) -> bool:
        """Whether an unnamed five in a line waits for people's decision."""
        return self.answer is None and bool(self.unnamed.fives)

    def judge(self, token: str) -> Move:
        if self.has_question():
            raise DeclinedError(
                self.tx("line", "First say at the table which five are a sequence.")
            )
        return super().judge(token)

    def tell(self, *notice: str, about: Step | None = None) -> None:
        super().tell(*notice, about=about)
        self.big = ""

    # --- what is shown

    def turn_frame(self) -> Frame:
        tx = self.tx
        if self.has_question():
            # ask which unnamed fives are a sequence
            bare = self.bare()
            picture = self._plain_board().with_mark(Mark.SELECTED, self.unnamed.squares())
            line = tx("line", "Five in a row count nothing yet. Which are a sequence?")
            return replace(
                bare,
                body=Body(lines=(line,), choices=self.unnamed.choices(tx)),
                board=replace(bare.board, picture=picture, close_up=True),
                keys=soft((Key.ENTER, tx("soft", "ok")), (Key.MENU, tx("soft", "menu"))),
            )
        if self.keyed.fives:
            # ask which five become the sequence; the first is the default
            bare = self.bare()
            _, squares = self.keyed.fives[self.keyed.five]
            picture = self._plain_board().with_mark(Mark.SELECTED, squares)
            return replace(
                bare,
                body=Body(
                    lines=(tx("line", "Which five are the sequence?"),), choices=self._fives()
                ),
                board=replace(bare.board, picture=picture, close_up=True),
                keys=soft((Key.ENTER, tx("soft", "play")), (Key.BACK, tx("soft", "back"))),
            )
        if self.keyed.card:
            return self._squares_frame()
        if self.keyed.keys or self.keyed.jack:
            return self._keying_frame()
        return replace(
            self.bare(),
            body=Body(big=self.big, lines=self._lines(), top=self.notice_top),
            keys=soft((Key.UP, tx("soft", "other")), (Key.MENU, tx("soft", "menu"))),
        )

    def _lines(self) -> tuple[str, ...]:
        if self.ctx.dials:
            return (*self.notice, self.tx("line", "Turn to your card, push takes it."))
        return (*self.notice, self.tx("line", "Key your card: 12*2 is Q♥."))

    def score(self, seats: tuple[Seat, ...]) -> str:
        del seats  # several may be one team
        return self.corner()

    def corner(self) -> str:
        """Return the sequences of the player's team, of the only other one, and how many win."""
        position = self.position
        own = len(position.sequences[position.teams.index(position.team)])
        others = [
            str(len(lines))
            for team, lines in position.completed_sequences().items()
            if team != position.team
        ]
        # with two other teams, counts would not show which team they belong to
        counts = [str(own), *others] if len(others) == 1 else [str(own)]
        return f"{':'.join(counts)}/{position.needed}"

    def _keying_frame(self) -> Frame:
        tx, keys = self.tx, self.keyed.keys
        choices = keys.choices(tx)
        forward = (
            (Key.STAR, tx("soft", "suit")) if choices is None else (Key.ENTER, tx("soft", "ok"))
        )
        delete = (Key.BACK, tx("soft", "delete"))
        return replace(
            self.bare(),
            body=Body(entry=self._entry(), choices=choices),
            keys=soft(forward, delete) if keys.complete else soft(delete),
        )

    def _entry(self) -> Entry:
        """Return the card that is being keyed, or what the jack keyed before it does."""
        tx, keys = self.tx, self.keyed.keys
        jack = card_text(self.keyed.jack) if self.keyed.jack else ""
        if keys:
            entry = keys.entry(tx)
            return replace(entry, text=f"{jack} {entry.text}".strip())
        if self.keyed.jack not in ONE_EYED:
            return Entry(jack, tx("verdict", "place anywhere: key the card printed there"))
        if not self.position.removable_squares():
            return Entry(jack, tx("verdict", "no chip to take away"), Tone.BAD)
        return Entry(jack, tx("verdict", "take away: key the card printed there"))

    def _squares_frame(self) -> Frame:
        tx, bare = self.tx, self.bare()
        targets = self.targets()
        text = " ".join(card_text(card) for card in (self.keyed.jack, self.keyed.card) if card)
        verdict, tone = self._verdict(targets)
        keys = ((Key.ENTER, tx("soft", "play")), (Key.BACK, tx("soft", "back")))
        picture = mark_numbers(self._plain_board(), self._target_marks(targets))
        choices = None  # with one legal square, or none, there is nothing to choose
        if not self._dead() and sum(target.refusal is None for target in targets) > 1:
            choices = Choices(tuple(map(self._owner_word, targets)), self.keyed.selected)
        return replace(
            bare,
            body=Body(entry=Entry(text, verdict, tone), choices=choices),
            board=replace(bare.board, picture=picture, close_up=True),
            keys=soft(*(keys[1:] if tone is Tone.BAD else keys)),  # ENTER would be refused
        )

    def speech(self, frame: Frame) -> Speech:
        keyed = self.keyed
        if keyed.fives or keyed.keys.misled or frame.body.entry is None:
            return super().speech(frame)
        if frame.body.choices is not None and not keyed.card:
            return partial(suit_sentences, keyed.keys)
        if not keyed.card or self._dead():
            return super().speech(frame)
        target = self.targets()[keyed.selected]
        number = frame.body.choices.digit(keyed.selected) if frame.body.choices else ""
        return partial(
            square_sentences,
            self.tx,
            frame.body.entry,
            number,
            target,
            self.side,
            self._owner_word(target),
        )

    def _owner_word(self, target: Square) -> str:
        """Return the team on a square, or "free"."""
        team = self.position.chips_by_square().get(target.square)
        return self.tx("soft", "free") if team is None else colour_word(self.tx, team)

    def _verdict(self, targets: tuple[Square, ...]) -> tuple[str, Tone]:
        """Return the verdict on the chosen square or the dead card, before it is played."""
        tx = self.tx
        if self._dead():
            refusal = self.table.refusal(f"{self.keyed.card}!")
            if refusal is None:
                return tx("verdict", "dead: # turns it in"), Tone.GOOD
            return self.presentation.words.refusal(tx, refusal), Tone.BAD
        target = targets[self.keyed.selected]
        refusals = [target.refusal for target in targets if target.refusal is not None]
        if len(refusals) == len(targets):
            # team None means "no chip here"; another square with a chip has a better reason
            about_chips = [why for why in refusals if why.facts.get("team", "") is not None]
            why = (
                self.presentation.words.refusal(tx, refusal) for refusal in about_chips or refusals
            )
            return "; ".join(dict.fromkeys(why)), Tone.BAD  # each sentence once
        if target.refusal is not None:
            return self.presentation.words.refusal(tx, target.refusal), Tone.BAD
        if self.keyed.jack in ONE_EYED:
            return tx("verdict", "# takes it away"), Tone.GOOD
        move = self.table.judge(target.token)
        if isinstance(move, Place) and self.position.choices(move):
            return tx("verdict", "Sequence!"), Tone.WIN
        # nothing to object to: the suit in words
        return suit_words(tx)[self.keyed.card[-1]], Tone.PLAIN

    def _fives(self) -> Choices:
        return Choices(fives_words(self.tx, self.position, self.keyed.fives), self.keyed.five)

    def _plain_board(self) -> Picture:
        """Return the board as the player to move sees it, without marks."""
        return board_picture(self.tx, self.position, self.side)

    def draw_board(self) -> Picture:
        square = square_of(self.table.steps[-1]) if self.table.steps else ""  # "" marks nothing
        return self._plain_board().with_mark(Mark.LAST, (square,))

    def _target_marks(self, targets: tuple[Square, ...]) -> dict[str, tuple[Mark, str]]:
        """Return by square its mark (chosen, legal or blocked) and its number in the list."""
        marks, dead = {}, self._dead()
        for index, target in enumerate(targets):
            mark = Mark.BLOCKED if target.refusal else Mark.LEGAL
            # a dead card is turned in, so no square is chosen
            if index == self.keyed.selected and not dead:
                mark = Mark.SELECTED
            marks[target.square] = (mark, str(index + 1))
        return marks

    # --- what the card means here

    def targets(self) -> tuple[Square, ...]:
        """Return the squares of the keyed card, top left first as the player sees them."""
        sign = "-" if self.keyed.jack in ONE_EYED else "@"  # takes a chip away or places one
        squares = sorted(
            self.position.squares_of(self.keyed.card),
            key=lambda name: INDEX[turn_to_side(name, self.side)],
        )
        tokens = [f"{self.keyed.jack or self.keyed.card}{sign}{square}" for square in squares]
        return tuple(
            Square(square, token, self.table.refusal(token))
            for square, token in zip(squares, tokens, strict=True)
        )

    def _dead(self) -> bool:
        """Whether the keyed card can only be turned in: both its squares are taken."""
        return not self.keyed.jack and self.position.is_dead(self.keyed.card)

    def take_card(self, code: str) -> Action:
        """Act on a complete card: the one to play, or, after a jack, the one on the square."""
        if code in JACKS:
            if self.keyed.jack:
                return Stay(BAD)
            self.keyed = Keyed(jack=code)
            return Stay(TICK)
        self.keyed = Keyed(jack=self.keyed.jack, card=code)
        legal = [n for n, target in enumerate(self.targets()) if target.refusal is None]
        self.keyed = replace(self.keyed, selected=legal[0] if legal else 0)
        return Stay(TICK)

    # --- what keys do

    def turn_wheel(self) -> Wheel | None:
        if self.keyed.card and not self._dead():  # no values: the dial goes through the squares
            return Wheel((), more=((Key.DOWN, self.tx("soft", "next")),))
        no_digits = self.has_question() or self.keyed.fives or self.keyed.card
        return NO_WHEEL if no_digits else self.keyed.keys.wheel()

    def key(self, key: Key) -> Action:
        if self.has_question():
            return self._answer_unnamed(key)
        if self.keyed.fives:
            return self._ask_key(key)
        if self.keyed.card:
            return self._choose_key(key)
        if not self.keyed.keys:
            if self.keyed.jack and key is Key.BACK:
                self.keyed = Keyed(reopened(self.keyed.jack))
                return Stay(TICK)
            if not self.keyed.jack and key is Key.UP:
                return self.open_part(ExtrasScreen(self, self._hand_screen))
            if not self.keyed.jack and key is Key.DOWN:
                return self.turn_notice(key.step, self._lines())
        keys = self.keyed.keys.after(key)
        if keys is None:
            return Stay(BAD)
        if keys.done is not None:
            return self.take_card(keys.done)
        self.keyed = Keyed(keys, self.keyed.jack)
        return Stay(BAD if keys.impossible else TICK)

    def _hand_screen(self) -> Screen:
        def play(token: str) -> Action:
            if token not in CARD_BITS:  # the pass
                return self.play_token(token)
            self.clear()
            return self.take_card(token)

        return HandScreen(self.ctx, self.table, HAND_OF_GAME, play)

    def _choose_key(self, key: Key) -> Action:
        targets = self.targets()
        if key is Key.ENTER:
            return self._enter(targets[self.keyed.selected])
        if key is Key.BACK:
            self.keyed = Keyed(reopened(self.keyed.card), self.keyed.jack)
        elif key in (Key.UP, Key.DOWN):
            self._mark((self.keyed.selected + key.step) % len(targets))
        elif key.digit and key.digit <= len(targets) and not self._dead():  # numbered from 1
            self._mark(key.digit - 1)
            return self._enter(targets[self.keyed.selected])
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _mark(self, selected: int) -> None:
        self.keyed = replace(self.keyed, selected=selected)

    def _enter(self, target: Square) -> Action:
        if self._dead():
            return self.play_token(f"{self.keyed.card}!")  # turns it in
        move = self.table.judge(target.token)
        if isinstance(move, Place):
            fives = different_fives(self.position, move)
            if fives:
                self.keyed = replace(self.keyed, fives=fives)
                return Stay(TICK)
        return self.play_token(target.token)

    def _ask_key(self, key: Key) -> Action:
        chosen = choose(self._fives(), Marked(self.keyed.five), key)
        if isinstance(chosen, int):
            move, _ = self.keyed.fives[chosen]
            return self.play(move)
        if chosen is not None:
            self.keyed = replace(self.keyed, five=chosen.selected)
        elif key is Key.BACK:
            self.keyed = replace(self.keyed, fives=(), five=0)
        else:
            return Stay(BAD)
        return Stay(TICK)

    def _answer_unnamed(self, key: Key) -> Action:
        unnamed = self.unnamed
        chosen = choose(unnamed.choices(self.tx), Marked(unnamed.selected), key)
        if chosen is None:
            return Stay(BAD)
        if isinstance(chosen, Marked):
            unnamed.selected = chosen.selected
            return Stay(TICK)
        before = self.notice  # for example "Anna draws a card"
        action = self.play_token(unnamed.token(chosen))
        self.tell(*dict.fromkeys((*before, *self.notice)))
        return action

    def signals_of(self, step: Step) -> tuple[Signal, ...]:
        if isinstance(read_move(step.token), TurnIn):
            return AGAIN  # the player goes on with another card
        has_sequence = any(event.code == "sequence" for event in step.events)
        return ROW + TURN if has_sequence else super().signals_of(step)

    def tell_move(self, step: Step) -> None:
        """Show what to do after the last move; a sequence in big letters."""
        super().tell_move(step)
        if any(event.code == "sequence" for event in step.events):
            self.big = self.tx("big", "SEQUENCE")

    def tap(self, name: str) -> Action:
        """Choose the tapped square as if its card had been keyed."""
        if name not in INDEX or self.keyed.fives or self.has_question():
            return Stay(BAD)
        code = self.position.codes[INDEX[name]]
        if code == CORNER:
            self.clear()
            self.tell(self.presentation.words.refusal(self.tx, Refusal("corner", "")))
            return Stay(BAD)
        self.take_card(code)
        self._mark([target.square for target in self.targets()].index(name))
        return Stay(TICK)


def reopened(card: str) -> CardKeying:
    """Return the keys of a card without its suit, which is asked again."""
    return replace(keyed_card(card), done=None)


def mark_numbers(picture: Picture, marks: dict[str, tuple[Mark, str]]) -> Picture:
    """Return the picture with these marks and numbers added, by the name of the cell."""
    cells = [
        cell.with_mark(*marks[cell.name]) if cell.name in marks else cell for cell in picture.cells
    ]
    return picture.with_cells(cells)


def suit_sentences(keys: CardKeying) -> tuple[Utterance, ...]:
    """Return the speech for the keyed rank with the offered suit."""
    card = card_text(keys.text + tuple(SUIT_SIGNS)[keys.suit])
    return (Utterance(f"{keys.suit + 1}: {card}"),)


def square_sentences(
    tx: Texts, entry: Entry, number: str, target: Square, side: int, owner: str
) -> tuple[Utterance, ...]:
    """Return the speech for a chosen square: the card, the square's place, and the verdict."""
    square_place = place_words(tx, target.square, side)
    heed = Heed.REFUSAL if entry.tone is Tone.BAD else Heed.DETAIL
    verdict = () if entry.tone is Tone.PLAIN else (Utterance(entry.verdict, heed),)
    place = f"{number}: {square_place}, {owner}." if number else f"{square_place}, {owner}."
    return (Utterance(entry.text), Utterance(place), *verdict)


SCREENS = GameScreens(SequenceTurn, form_items, given=HAND_OF_GAME)
