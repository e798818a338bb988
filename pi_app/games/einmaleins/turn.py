"""Keying a turn of Einmaleins: the number, which of its tasks, a free card, drawing."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from engines.einmaleins.cards import PAIRS, SQUARES, Pair
from engines.einmaleins.notation import DRAW, read_laying
from engines.einmaleins.rules import EinmaleinsPosition
from engines.game import Move, Refusal, Step
from hardware.keys import Key
from pi_app.games.einmaleins.form import form_items
from pi_app.games.einmaleins.hand import HAND_OF_GAME, NUMBER, TableScreen
from pi_app.games.einmaleins.help import TaskHelpScreen
from pi_app.games.einmaleins.picture import OPEN_CELL, announced_words, card_words, pair_words
from pi_app.games.einmaleins.presentation import PRESENTATION
from pi_app.games.einmaleins.saying import Saying, SayScreen
from pi_app.screens.base import BAD, TICK, Action, Open, Stay
from pi_app.screens.context import Context
from pi_app.screens.playing.game_turn import GameTurn
from pi_app.screens.playing.games import GameScreens
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import find_player
from pi_app.table.table import Table
from pi_app.view.frame import Alert, Body, Choices, Entry, Frame, Mark, Picture, Speech, Tone, soft
from pi_app.view.keying import Marked, NumberKeying, Wheel, choose

BIG_COLUMNS = 8
"""The longest big text, in characters, that leaves room for the last move below it."""


@dataclass(frozen=True, slots=True)
class Keyed:
    """The keyed part of a card."""

    free: bool = False
    """Whether it is a free card."""
    card: NumberKeying = NUMBER
    """Its number."""
    chosen_pair: Pair | None = None
    """The task chosen by an arrow key."""
    marked_pair: int | None = None
    """The marked row of the question which task was announced; None before it is asked."""

    def __bool__(self) -> bool:
        return self.free or self.digits != ""

    @property
    def digits(self) -> str:
        return self.card.digits

    @property
    def number(self) -> int:
        return int(self.digits or "0")

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return PAIRS.get(self.number, ())


class EinmaleinsTurn(GameTurn[EinmaleinsPosition]):
    """The turn: a live verdict while the number is keyed, ENTER lays the card.

    Where both tasks of a number fit, ENTER asks which was announced before it lays it.
    """

    def __init__(self, ctx: Context, table: Table) -> None:
        super().__init__(ctx, table)
        self.clear()
        self._saying: Saying | None = None
        """The last task asked for: leaving its screen and returning gives no more tries."""
        self._asked: SayScreen | None = None
        """The screen that asked for it."""
        self.doubts: tuple[str, ...] = ()
        """The notices that ask whether the last card was keyed correctly."""

    def clear(self) -> None:
        self.keyed = Keyed()
        self.refused = False
        """Whether ENTER was pressed for a card that cannot be laid: then the reason is shown."""

    def save_keyed(self) -> Callable[[], None]:
        keyed = Keyed(self.keyed.free, self.keyed.card)  # asks for the task again
        return partial(setattr, self, "keyed", keyed)

    def keying(self) -> bool:
        return bool(self.keyed)

    def _judges(self) -> bool:
        """Whether to judge what is keyed: at once, or, without help, after ENTER."""
        return self.refused or self.help is not HelpLevel.NONE

    # --- what has been keyed

    @property
    def open_pairs(self) -> tuple[Pair, ...]:
        """The tasks to choose from, if more than one fits and none was chosen."""
        fitting = self.position.fitting_pairs(self.keyed.number)
        return fitting if len(fitting) > 1 and self.keyed.chosen_pair is None else ()

    @property
    def pair(self) -> Pair:
        """The task to show: the chosen one, else one that fits, else the first."""
        keyed = self.keyed
        if keyed.chosen_pair in keyed.pairs:
            return keyed.chosen_pair
        fitting = self.position.fitting_pairs(keyed.number) or keyed.pairs
        # a number on no card has no task: the rules refuse any task of it
        return fitting[0] if fitting else (1, keyed.number)

    @property
    def other_pair(self) -> Pair:
        """The task of the number that is not shown."""
        return next(pair for pair in self.keyed.pairs if pair != self.pair)

    def token(self, pair: Pair) -> str:
        return f"{card_words(self.keyed.number, free=self.keyed.free)}={pair[0]}x{pair[1]}"

    # --- what is shown

    def turn_frame(self) -> Frame:
        tx = self.tx
        if self.notice and not self.keyed:
            # show one sentence that must not be missed; the next key shows the next one. A display
            # with room shows all of them at once
            first, *more = self.notice
            label = tx("soft", "more") if more else tx("soft", "ok")
            idle = self._idle_frame()
            # without the prompt, the first line: people read the notice before they key a card
            body = replace(idle.body, lines=idle.body.lines[1:])
            if more:  # the other sentences instead of everything else
                body = replace(idle.body, lines=tuple(more), counts=0)
            return replace(
                idle,
                body=body,
                keys=soft((Key.ENTER, label), (Key.MENU, tx("soft", "menu"))),
                alert=Alert(first, Tone.DOUBT if first in self.doubts else Tone.GOOD),
            )
        if self.keyed.marked_pair is not None and self.open_pairs:
            text = card_words(self.keyed.number, free=self.keyed.free)
            entry = Entry(text, tx("verdict", "Which task?"))
            return replace(
                self.bare(self._picture()),
                body=Body(entry=entry, choices=self._tasks(self.keyed.marked_pair)),
                keys=soft((Key.ENTER, tx("soft", "play")), (Key.BACK, tx("soft", "back"))),
            )
        return self._keyed_frame() if self.keyed else self._idle_frame()

    def speech(self, frame: Frame) -> Speech:
        """Return the speech: all notices that wait to be read, but no line of numbers."""
        if not self.keyed:
            frame = replace(frame, body=replace(frame.body, lines=self.notice))
        return super().speech(frame)

    def _idle_frame(self) -> Frame:
        """Show the open card, what to do, and the last move; at first everybody's cards."""
        tx, bare = self.tx, self.bare(self._picture())
        open_card = self.position.open
        big = (
            f"{card_words(open_card.number, free=open_card.free)} {announced_words(self.position)}"
        )
        # `moves` begins with the last one; below a long big text there is no room for it
        last = [move.line() for move in bare.extras.moves[:1] if len(big) <= BIG_COLUMNS]
        prompt = tx("line", "Key your card. None? B draws.")
        if self.ctx.dials:
            prompt = tx("line", "Turn to your card, push lays it. None? Turn back to draw.")
        keys = ((Key.DOWN, tx("soft", "draw")), (Key.UP, tx("soft", "help")))
        counts = () if last else hand_lines(self.position)  # they fill the room of the last move
        return replace(
            bare,
            body=Body(big=big, lines=(prompt, *last, *counts), counts=len(counts)),
            keys=soft(*keys, (Key.MENU, tx("soft", "menu"))),
        )

    def _keyed_frame(self) -> Frame:
        tx = self.tx
        keys = [(Key.ENTER, tx("soft", "play")), (Key.BACK, tx("soft", "delete"))]
        entry = self._entry()
        if not self.keyed.digits or entry.tone is Tone.BAD:
            keys = keys[1:]  # ENTER would be refused
        return replace(
            self.bare(self._picture()),
            body=Body(entry=entry, lines=self._hints()),
            keys=soft(*keys),
        )

    def _entry(self) -> Entry:
        tx = self.tx
        if not self.keyed.digits:
            if not self.position.free:
                why = self.presentation.words.refusal(tx, Refusal("no-free-card", "*"))
                return Entry("*", why, Tone.BAD)
            return Entry("*", tx("verdict", "free card: as which number?"))
        text = card_words(int(self.keyed.digits), free=self.keyed.free)
        if not self._judges():
            return Entry(text)
        if self.open_pairs:
            first, other = map(pair_words, self.open_pairs)
            verdict = tx("verdict", "fits as {pair} or {other}", pair=first, other=other)
            return Entry(text, verdict, Tone.GOOD)
        pair = self.pair
        refusal = self.table.refusal(self.token(pair))
        if refusal is not None:
            return Entry(text, self.presentation.words.refusal(tx, refusal), Tone.BAD)
        common = ", ".join(map(str, self.position.shared_factors(pair)))
        facts = {"card": self.keyed.number, "pair": pair_words(pair), "factors": common}
        return Entry(text, tx("verdict", "{card} = {pair} fits by {factors}", **facts), Tone.GOOD)

    def _hints(self) -> tuple[str, ...]:
        """Name the other task of a number that fits, and say what a square number does."""
        tx = self.tx
        lines: list[str] = []
        if not self._judges():
            return ()
        fits = bool(self.position.fitting_pairs(self.keyed.number))
        if fits and len(self.keyed.pairs) > 1 and not self.open_pairs:
            lines.append(tx("line", "A: as {pair}", pair=pair_words(self.other_pair)))
        if fits and self.keyed.number in SQUARES:
            players = self.position.players
            name = players[(self.position.seat + 1) % len(players)].name
            lines.append(tx("line", "{name} misses", name=name))
        return tuple(lines)

    def _picture(self) -> Picture:
        """Mark the keyed number and, at the help levels that show it, the numbers that fit."""
        picture = self.cached_picture()
        if self.keyed.digits:
            picture = picture.with_mark(Mark.SELECTED, (self.keyed.digits,))
        if not self.help.tells_legal:
            return picture
        rows = self.position.fitting_numbers().values()
        return picture.with_mark(Mark.LEGAL, (str(number) for row in rows for number in row))

    # --- what keys do

    def turn_wheel(self) -> Wheel | None:
        """Return the number cards; players who see what is legal begin at one of those."""
        if self.keyed.marked_pair is not None and self.open_pairs:
            return None
        rows = self.position.fitting_numbers().values() if self.help.tells_legal else ()
        fitting = [number for row in rows for number in row]
        more: tuple[tuple[Key, str], ...] = ()
        if self.position.free and not self.keyed:
            more = ((Key.STAR, self.tx("soft", "free")),)
        elif len(self.keyed.pairs) > 1 and self._judges():
            more = ((Key.UP, pair_words(self.other_pair)),)
        card = replace(self.keyed.card, likely=NUMBER.numbers.index(min(fitting, default=1)))
        return replace(card.wheel(), more=more)

    def key(self, key: Key) -> Action:
        if self.position.result is not None:
            return Open(TICK, "table", table=self.table)
        if self.notice and not self.keyed and key in (Key.ENTER, Key.BACK, Key.UP, Key.DOWN):
            # Scrolling with an arrow must not draw a card. A digit begins the next card; the
            # notices not yet read wait until it is laid.
            self.tell(*self.notice[1:])
            return Stay(TICK)
        self.refused = False
        if self.keyed.marked_pair is not None and self.open_pairs:
            return self._handle_task_key(key, self.keyed.marked_pair)
        if self.keyed:
            return self._keying(key)
        if key is Key.DOWN:
            return self.play(DRAW)
        if key is Key.UP:
            return self._show_help()
        if key is Key.STAR:
            self.keyed = Keyed(free=True)
            return Stay(TICK if self.position.free else BAD)
        return self._digit(key)

    def _show_help(self) -> Action:
        """Show which numbers fit, to a player who gets help."""
        name = self.title()
        if self.help is HelpLevel.NONE:
            self.tell(self.tx("alert", "{name} plays without help.", name=name))
            return Stay(BAD)
        return self.open_part(TableScreen(self.ctx, self.table, self.play_token))

    def _digit(self, key: Key) -> Action:
        card = None if key.digit is None else self.keyed.card.after(key)
        if card is None:
            return Stay(BAD)
        self.keyed = Keyed(self.keyed.free, card)
        return Stay(BAD if card.impossible else TICK)

    def _keying(self, key: Key) -> Action:
        if key is Key.BACK:
            card = self.keyed.card.after(key)
            self.keyed = Keyed() if card is None else Keyed(self.keyed.free, card)
            return Stay(TICK)
        if key in (Key.UP, Key.DOWN):
            pairs = self.keyed.pairs
            if len(pairs) < 2 or not self._judges():
                return Stay(BAD)
            # while nothing is chosen, an arrow chooses the first task, else the other one
            chosen = pairs[0] if self.open_pairs else self.other_pair
            self.keyed = replace(self.keyed, chosen_pair=chosen)
            return Stay(TICK)
        return self._enter() if key is Key.ENTER else self._digit(key)

    def _enter(self) -> Action:
        if not self.keyed.digits:
            return Stay(BAD)
        if self._must_say_task(self.keyed.number, free=self.keyed.free):
            return self._ask_task()
        if self.open_pairs:
            # if one task is refused, both are: such as a free card in a game without free cards
            if self.table.refusal(self.token(self.open_pairs[0])) is not None:
                self.refused = True
                return Stay(BAD)
            self.keyed = replace(self.keyed, marked_pair=0)
            return Stay(TICK)
        action = self.play_token(self.token(self.pair))
        self.refused = action == Stay(BAD)  # shows the reason even without help
        return action

    def _must_say_task(self, number: int, *, free: bool) -> bool:
        """Whether the player must key this card's task; never if it cannot be laid at all."""
        if self.help is not HelpLevel.NONE or self.answer is not None:
            return False  # with an `answer` an earlier move is corrected: nobody says its task
        fitting = self.position.fitting_pairs(number)
        if not fitting:
            return False
        a, b = fitting[0]
        token = f"{card_words(number, free=free)}={a}x{b}"
        return self.table.refusal(token) is None and find_player(self.ctx.store, self.title()).says

    def _task_of(self, number: int, *, free: bool) -> Saying:
        """Return the `Saying` of a card in this turn, a new one if there is none yet.

        Another card in the same turn may show that the one before was misread.
        """
        saying = self._saying
        # each move makes a new position, so the same one means the same turn
        if saying is not None and saying.position is self.position:
            if saying.words == card_words(number, free=free):
                return saying
            saying.booking.undo_misread(number)
        self._saying = Saying(self.ctx, self.position, number, free=free)
        return self._saying

    def _ask_task(self) -> Action:
        def lay(pair: Pair) -> Action:
            self._saying = None
            return self.play_token(self.token(pair))

        saying = self._task_of(self.keyed.number, free=self.keyed.free)
        if self._asked is None or self._asked.saying is not saying:
            bare = self.bare(self._picture())
            self._asked = SayScreen(self.table, saying, bare, lay)
        return self.open_part(self._asked)

    def judge(self, token: str) -> Move:
        """Judge a move from a phone; the task in it may be the answer of a player who says it."""
        laid = read_laying(token)
        if laid is None or not self._must_say_task(laid.number, free=laid.free):
            return super().judge(token)
        self._task_of(laid.number, free=laid.free).judge_factors(self.tx, *laid.factors)
        self._saying = None
        return super().judge(token)

    def _handle_task_key(self, key: Key, chosen: int) -> Action:
        """Act on a key for the question which task was announced."""
        choice = choose(self._tasks(chosen), Marked(chosen), key)
        if isinstance(choice, int):
            return self.play_token(self.token(self.open_pairs[choice]))
        if choice is None and key is not Key.BACK:
            return Stay(BAD)
        self.keyed = replace(self.keyed, marked_pair=None if choice is None else choice.selected)
        return Stay(TICK)

    def _tasks(self, chosen: int) -> Choices:
        return Choices(tuple(map(pair_words, self.open_pairs)), chosen)

    def tell_move(self, step: Step) -> None:
        self.doubts = PRESENTATION.moves.doubts(self.tx, step)
        super().tell_move(step)

    def show_undone(self, step: Step) -> None:
        # in two sentences: each is shown alone
        move = self.presentation.moves.line(self.tx, step)
        self.tell(
            self.tx("alert", "Taken back: {name}, {move}.", name=step.player.name, move=move),
            self.tx("alert", "Put the table back as it was."),
        )

    def tap(self, name: str) -> Action:
        """Key the tapped number; the open card shows what fits."""
        if self.position.result is not None or (
            self.keyed.marked_pair is not None and self.open_pairs
        ):
            return Stay(BAD)
        if name == OPEN_CELL:
            self.tell()  # removes the notice: the player asked for help, so it has been read
            return self._show_help()
        self.keyed = Keyed(self.keyed.free, replace(NUMBER, digits=name))
        return Stay(TICK)


NAME_BY_COLUMNS = {2: 5, 3: 2}
"""How many characters of each name fit, by the number of players in a line of 16 characters."""


def hand_lines(position: EinmaleinsPosition) -> tuple[str, ...]:
    """Return everybody's number of cards in at most two lines."""
    names = [player.name for player in position.players]
    columns = -(-len(names) // 2)  # half of the players, rounded up
    if columns == 1:
        return tuple(f"{name} {hand:>2}" for name, hand in zip(names, position.hands, strict=True))
    room = NAME_BY_COLUMNS[columns]
    cells = [
        f"{name:{room}}{hand:>2}"
        for name, hand in zip(short_names(names, room), position.hands, strict=True)
    ]
    return tuple(
        " ".join(cells[start : start + columns]) for start in range(0, len(cells), columns)
    )


def short_names(names: Sequence[str], room: int) -> list[str]:
    """Return the names cut to `room` characters; equal ones end with their own last character."""
    cut = [name[:room] for name in names]
    return [
        short if cut.count(short) == 1 else name[: room - 1] + name[-1]
        for name, short in zip(names, cut, strict=True)
    ]


SCREENS = GameScreens(EinmaleinsTurn, form_items, given=HAND_OF_GAME, help=TaskHelpScreen)
