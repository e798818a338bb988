"""What a hub assigns to this table: offered to the people there, and set up with one key."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from engines.game import SetupError
from hardware.keys import Key
from pi_app.link.contract import Assignment, ContractError
from pi_app.link.outbox import GAME
from pi_app.link.protocol import OfferAnswer
from pi_app.link.results import game_facts
from pi_app.screens.base import BAD, OK, TICK, Action, Open, PageScreen, Pop, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.keeping.boards import board_tags
from pi_app.screens.playing.games import SCREENS, missing_screen, playable_games
from pi_app.screens.starting.set_up import draft_tags
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.common import join_names
from pi_app.view.frame import Body, Frame, Header, Heed, Utterance, clamp, scroll, soft

KEY = "assignment"
"""The key in the store's memory of the last assignment and what became of it."""
NOT_IN_NAMES = str.maketrans({",": " ", '"': "'", "[": "(", "]": ")", "{": "(", "}": ")"})
"""Signs that the tag `Players` cannot have."""


class Offers:
    """The last assignment of the broker that is joined, and the table's answer to it."""

    def __init__(self, ctx: Context, broker: Callable[[], str]) -> None:
        self._ctx = ctx
        self._broker = broker
        self._stored: tuple[str, Assignment, str] | None = self._read()
        self.shown: tuple[int, int] | None = None
        """The pair of the assignment that was put on the screen in this run."""

    def _read(self) -> tuple[str, Assignment, str] | None:
        text = self._ctx.store.recall(KEY)
        try:
            stored = json.loads(text or "null")
            return stored["broker"], Assignment.read(stored["assignment"]), str(stored["answer"])
        except (ValueError, KeyError, TypeError, ContractError):
            return None

    @property
    def assignment(self) -> Assignment | None:
        """The assignment, also one that was answered; None if nothing is assigned."""
        stored = self._of_broker()
        return stored[1] if stored is not None and stored[1].round is not None else None

    @property
    def is_open(self) -> bool:
        """Whether there is an assignment that nobody has answered."""
        stored = self._of_broker()
        return self.assignment is not None and stored is not None and stored[2] == "offered"

    def _of_broker(self) -> tuple[str, Assignment, str] | None:
        is_mine = self._stored is not None and self._stored[0] == self._broker()
        return self._stored if is_mine else None

    def answer(self) -> OfferAnswer | None:
        """Return what became of the assignment, for the hub."""
        assignment, stored = self.assignment, self._of_broker()
        if assignment is None or stored is None:
            return None
        evening, number = assignment.evening or "", assignment.round or 0
        return OfferAnswer(evening, number, assignment.era, assignment.rev, stored[2])

    def take(self, assignment: Assignment) -> bool:
        """Take note of an assignment; False if a newer one was there before."""
        stored = self._of_broker()
        if stored is not None and assignment.pair < stored[1].pair:
            return False
        if stored is None or assignment.pair > stored[1].pair:
            # a hub that was restored, or knows somebody's name now, says the same round again
            begun = stored is not None and stored[2] == "started"
            again = stored is not None and begun and _round(stored[1]) == _round(assignment)
            self._keep(assignment, "started" if again else "offered")
        return True

    def settle(self, answer: str) -> None:
        """Take note of what people have answered."""
        if self.assignment is not None:
            self._keep(self.assignment, answer)

    def _keep(self, assignment: Assignment, answer: str) -> None:
        self._stored = self._broker(), assignment, answer
        facts = {"broker": self._broker(), "assignment": assignment.facts(), "answer": answer}
        self._ctx.store.remember(KEY, json.dumps(facts))


def _round(assignment: Assignment) -> tuple[object, ...]:
    """Return what makes two assignments the same round of the same people."""
    people = tuple(seat.p or seat.show for seat in assignment.seats)
    same = (assignment.evening, assignment.round, assignment.game, assignment.rules)
    return *same, assignment.board, people


class OfferScreen(Screen):
    """Who plays what in this round: ENTER sets it up, BACK refuses it."""

    def __init__(self, ctx: Context, offers: Offers) -> None:
        super().__init__(ctx)
        self.offers = offers
        self._top = 0

    def frame(self) -> Frame:
        tx, offer = self.tx, self.offers.assignment
        if offer is None:
            lines: tuple[str, ...] = (tx("line", "Nothing is assigned to this table now."),)
            return Frame(Header(tx("title", "Round")), Body(lines=lines), keys=soft())
        names = tuple(seat.show for seat in offer.seats)
        kind = game_name(self.ctx, offer)
        question = tx("line", "{names}. Start?", names=join_names(tx, names))
        lines = (kind, question, *rule_lines(self.ctx, offer))
        title = tx("title", "Round {n}", n=offer.round)
        return Frame(
            Header(title),
            Body(lines=lines, top=self._top),
            keys=soft(
                (Key.ENTER, tx("soft", "start")),
                (Key.BACK, tx("soft", "no")),
                scroll(tx("soft", "more")),
            ),
            speech=lambda: (Utterance(f"{title}: {kind}. {question}", Heed.CALL),),
        )

    def press(self, key: Key) -> Action:
        if self.offers.assignment is None:
            return Pop(TICK)
        if key is Key.ENTER:
            return set_up(self.ctx, self.offers)
        if key in (Key.BACK, Key.BACK_HELD):
            self.offers.settle("refused")
            return Pop(TICK)
        if key in (Key.UP, Key.DOWN):
            self._top = clamp(self._top + key.step, self.frame().body.lines)
            return Stay(TICK)
        return Stay(BAD)

    def deadline(self) -> float | None:
        return 0.0 if self.offers.assignment is None else None

    def expire(self) -> Action:
        return Pop()


def game_name(ctx: Context, offer: Assignment) -> str:
    """Return the name of the kind of game that is assigned, as it is if nobody here knows it."""
    presentation = PRESENTATIONS.get(offer.game or "")
    return presentation.name(ctx.texts) if presentation else offer.game or ""


def rule_lines(ctx: Context, offer: Assignment) -> tuple[str, ...]:
    """Return the house rules in words, or as they are written if this table does not know them."""
    presentation = PRESENTATIONS.get(offer.game or "")
    known = {rule.key: rule for rule in presentation.rules(ctx.texts)} if presentation else {}
    pairs = _rules(offer.rules)
    if any(key not in known for key, _ in pairs):
        return (offer.rules,)
    return tuple(known[key].row(value) or f"{known[key].label}: {value}" for key, value in pairs)


@dataclass(frozen=True, slots=True)
class _Drafted:
    """An assignment as a form: what begins, and what is known of it."""

    presentation: AnyPresentation
    draft: SetupDraft
    facts: str


def set_up(ctx: Context, offers: Offers) -> Action:
    """Begin the assigned game; ask for what is missing, or say why it cannot be set up."""
    offer = offers.assignment
    if offer is None:
        return Pop(TICK)
    drafted = _draft(ctx, offer)
    if isinstance(drafted, str):
        offers.settle("refused")
        title = ctx.texts("title", "Round {n}", n=offer.round)
        return Push(BAD, screen=PageScreen(ctx, title, (drafted,)))

    def start() -> Action:
        presentation, draft = drafted.presentation, drafted.draft
        try:
            tags = draft_tags(presentation, draft)
            table = Table.begin(ctx.store, tags, {GAME: drafted.facts})
        except SetupError as error:
            form = SCREENS[presentation.game.name].form(ctx, draft)
            if not any(item.tag == error.tag for item in form):
                offers.settle("refused")
            screen = missing_screen(ctx, presentation, draft, error, form, start)
            return Push(BAD, screen=screen)
        offers.settle("started")
        return Open(OK, "table", table=table)

    return start()


def _draft(ctx: Context, offer: Assignment) -> _Drafted | str:
    """Return the assignment as a form, or a sentence that says why there is none."""
    if offer.game not in playable_games():
        return ctx.texts("line", "This table does not know the game {name}.", name=offer.game)
    presentation = PRESENTATIONS[offer.game]
    count = len(offer.seats)
    if count not in presentation.game.player_counts:
        return ctx.texts("line", "{n} cannot play this game.", n=count)
    colours = [colour for _, colour in presentation.seats(ctx.texts, count, None)]
    players = list(zip(_names(offer), colours, strict=True))
    rules = dict(_rules(offer.rules))
    tags = board_tags(offer.game, offer.board) if offer.board else {}
    if offer.board and not tags:
        return ctx.texts("line", "This table does not know the board {name}.", name=offer.board)
    facts = game_facts(offer.evening, offer.round, [seat.p for seat in offer.seats])
    return _Drafted(presentation, SetupDraft(players, 0, rules, tags), facts.text())


def _names(offer: Assignment) -> list[str]:
    """Return a name for each seat that a record can have; those alike get a number."""
    names: list[str] = []
    count: Counter[str] = Counter()
    for seat in offer.seats:
        name = " ".join(seat.show.translate(NOT_IN_NAMES).split()) or f"S{seat.seat}"
        count[name] += 1
        while count[name] > 1:
            name = f"{name} {count[name]}"
            count[name] += 1
        names.append(name)
    return names


def _rules(text: str) -> list[tuple[str, str]]:
    """Return house rules written as in a record; the game judges them."""
    pairs = (pair.partition("=") for pair in text.split(",") if pair.strip())
    return [(key.strip(), value.strip()) for key, _, value in pairs]
