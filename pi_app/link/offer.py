"""A hub's assignments to this table: offered to the people there, and set up with one key."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

from engines.notation import Fault
from hardware.keys import Key
from pi_app.link.contract import AssignedSeat, Assignment, AssignmentAnswer, OfferState
from pi_app.link.outbox import NOTE, Outbox, read_stored
from pi_app.screens.base import BAD, OK, TICK, Action, Open, PageScreen, Pop, Push, Screen, Stay
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.boards import board_tags
from pi_app.screens.playing.games import SCREENS, missing_screen, playable_games
from pi_app.screens.starting.drafts import draft_tags
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.common import join_names
from pi_app.view.frame import Body, Frame, Header, Heed, Utterance, Viewers, clamp, scroll, soft
from pi_app.wire.messages import Message, Word

KEY = "assignment"
"""The store's key for the last assignment and its answer."""
NOT_IN_NAMES = str.maketrans({",": " ", '"': "'", "[": "(", "]": ")", "{": "(", "}": ")"})
"""Signs that the tag `Players` cannot have."""


class Offer(Message):
    """The last assignment of a hub's era, and its answer."""

    hub: Word
    era: Word
    assignment: Assignment
    answer: OfferState = "offered"


class Offers:
    """The joined hub's last assignment, and the table's answer to it."""

    def __init__(self, ctx: Context, outbox: Outbox) -> None:
        self._ctx = ctx
        self._outbox = outbox
        self._stored = read_stored(Offer, ctx.store.recall(KEY))
        self.shown: Assignment | None = None
        """The assignment that was put on the screen in this run."""

    def _offer(self) -> Offer | None:
        """Return the current hub's last assignment."""
        stored, club = self._stored, self._outbox.club
        return stored if stored is not None and club and stored.hub == club.hub else None

    @property
    def evening(self) -> str | None:
        """The evening that is open at the hub."""
        offer = self._offer()
        return None if offer is None else offer.assignment.evening

    @property
    def assignment(self) -> Assignment | None:
        """The assignment, answered or not; None if nothing is assigned."""
        offer = self._offer()
        return offer.assignment if offer is not None and offer.assignment.round else None

    @property
    def is_open(self) -> bool:
        """Whether there is an unanswered assignment."""
        offer = self._offer()
        return self.assignment is not None and offer is not None and offer.answer == "offered"

    def answer(self) -> AssignmentAnswer | None:
        """Return the answer to the assignment, for the hub."""
        offer, assignment = self._offer(), self.assignment
        if offer is None or assignment is None or assignment.round is None:
            return None
        return AssignmentAnswer(
            evening=assignment.evening or "",
            round=assignment.round,
            rev=assignment.rev,
            answer=offer.answer,
        )

    def accept_assignment(self, hub: str, era: str, assignment: Assignment) -> bool:
        """Store an assignment; False if there is a newer one.

        They are compared within an era and an evening only.
        """
        club, before = self._outbox.club, self._offer()
        if club is None or club.hub != hub:
            return False
        if before is not None and (before.era, before.assignment.evening) == (
            era,
            assignment.evening,
        ):
            if assignment.rev < before.assignment.rev:
                return False
            if assignment.rev == before.assignment.rev:
                return True
        # a restored hub, or one with a new name of somebody, repeats the round
        again = (
            before is not None
            and before.answer == "started"
            and _round(before.assignment) == _round(assignment)
        )
        answer: OfferState = "started" if again else "offered"
        self._store_offer(Offer(hub=hub, era=era, assignment=assignment, answer=answer))
        return True

    def settle(self, answer: OfferState) -> None:
        """Store people's answer."""
        offer = self._offer()
        if offer is not None and self.assignment is not None:
            self._store_offer(replace(offer, answer=answer))

    def note(self) -> str:
        """Return the note for the assigned game."""
        offer = self.assignment
        if offer is None:
            return ""
        return self._outbox.note_text(offer.evening, offer.round, offer.people)

    def _store_offer(self, offer: Offer) -> None:
        self._stored = offer
        self._ctx.store.remember(KEY, json.dumps(offer.facts()))


def _round(assignment: Assignment) -> tuple[object, ...]:
    """Return a key that is equal for the same round of the same people."""
    people = tuple(seat.p or seat.show for seat in assignment.seats)
    same = (assignment.evening, assignment.round, assignment.game, assignment.rules)
    return *same, assignment.board, people


def shown_name(seat: AssignedSeat) -> str:
    """Return a person's shown name: the name, else the number, else the seat."""
    return seat.show or seat.p or f"S{seat.seat}"


def sides(offer: Assignment) -> list[str]:
    """Return the names at the table, partners together."""
    teams: dict[object, list[str]] = {}
    for seat in offer.seats:
        teams.setdefault(("alone", seat.seat) if seat.team is None else seat.team, []).append(
            shown_name(seat)
        )
    return [" + ".join(names) for names in teams.values()]


class OfferScreen(Screen):
    """Shows this round's people and game: ENTER sets it up, BACK refuses it."""

    viewers = Viewers.ALL

    def __init__(self, ctx: Context, offers: Offers) -> None:
        super().__init__(ctx)
        self.offers = offers
        self._top = 0

    def frame(self) -> Frame:
        tx, offer = self.tx, self.offers.assignment
        if offer is None:
            lines: tuple[str, ...] = (tx("line", "Nothing is assigned to this table now."),)
            return Frame(Header(tx("title", "Round")), Body(lines=lines), keys=soft())
        kind = game_name(self.ctx, offer)
        question = tx("line", "{names}. Start?", names=join_names(tx, sides(offer)))
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
    """Return the assigned game's name, unchanged for an unknown game."""
    presentation = PRESENTATIONS.get(offer.game or "")
    return presentation.name(ctx.texts) if presentation else offer.game or ""


def rule_lines(ctx: Context, offer: Assignment) -> tuple[str, ...]:
    """Return the house rules in words, or unchanged if they are unknown here."""
    presentation = PRESENTATIONS.get(offer.game or "")
    known = {rule.key: rule for rule in presentation.rules(ctx.texts)} if presentation else {}
    pairs = _rules(offer.rules or "")
    if any(key not in known for key, _ in pairs):
        return (offer.rules or "",)
    return tuple(known[key].row(value) or f"{known[key].label}: {value}" for key, value in pairs)


def set_up(ctx: Context, offers: Offers) -> Action:
    """Begin the assigned game; ask for missing facts, or say why it cannot be set up."""
    offer = offers.assignment
    if offer is None:
        return Pop(TICK)
    drafted = _draft(ctx, offer)
    if isinstance(drafted, str):
        offers.settle("refused")
        title = ctx.texts("title", "Round {n}", n=offer.round)
        return Push(PageScreen(ctx, title, (drafted,)), signals=BAD)

    def start() -> Action:
        presentation, draft = drafted
        try:
            tags = draft_tags(presentation, draft)
            table = Table.begin(ctx.store, tags, {NOTE: offers.note()})
        except Fault as error:
            form = SCREENS[presentation.game.name].form(ctx, draft)
            if not any(item.tag == error.place for item in form):
                offers.settle("refused")
            screen = missing_screen(ctx, presentation, draft, error, form, start)
            return Push(screen, signals=BAD)
        offers.settle("started")
        return Open(OK, "table", table=table)

    return start()


def _draft(ctx: Context, offer: Assignment) -> tuple[AnyPresentation, SetupDraft] | str:
    """Return the assignment as a form, or a sentence that says why it is impossible."""
    if offer.game not in playable_games():
        return ctx.texts("line", "This table does not know the game {name}.", name=offer.game)
    presentation = PRESENTATIONS[offer.game]
    count = len(offer.seats)
    if count not in presentation.game.player_counts:
        return ctx.texts("line", "{n} cannot play this game.", n=count)
    colours = [colour for _, colour in presentation.seats(ctx.texts, count, None)]
    players = list(zip(_names(offer), colours, strict=True))
    rules = dict(_rules(offer.rules or ""))
    tags = board_tags(offer.game, offer.board) if offer.board else {}
    if offer.board and not tags:
        return ctx.texts("line", "This table does not know the board {name}.", name=offer.board)
    return presentation, SetupDraft(players, 0, rules, tags)


def _names(offer: Assignment) -> list[str]:
    """Return a valid record's name for each seat; equal names get a number."""
    names: list[str] = []
    count: Counter[str] = Counter()
    for seat in offer.seats:
        name = " ".join(shown_name(seat).translate(NOT_IN_NAMES).split()) or f"S{seat.seat}"
        count[name] += 1
        while count[name] > 1:
            name = f"{name} {count[name]}"
            count[name] += 1
        names.append(name)
    return names


def _rules(text: str) -> list[tuple[str, str]]:
    """Return house rules from the form of a record; the game judges them."""
    pairs = (pair.partition("=") for pair in text.split(",") if pair.strip())
    return [(key.strip(), value.strip()) for key, _, value in pairs]
