"""Just 4 Fun: the referee. Positions, moves, corrections, and the game for the registry."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from engines.board import shipped
from engines.game import (
    Event,
    Facts,
    Game,
    GivenError,
    HouseRule,
    IllegalMoveError,
    Move,
    Player,
    Position,
    Refusal,
    Result,
    Setup,
    SetupError,
)
from engines.just4fun_board import Board, board_data, read_board
from engines.just4fun_cards import (
    DECK,
    DECK_SIZE,
    HAND,
    LIFT,
    CardMove,
    Hand,
    count_in,
    read_cards,
    read_hand,
    sums_of,
)
from engines.just4fun_table import (
    Counts,
    FieldScore,
    Layout,
    describe_layout,
    empty_layout,
    is_secured,
    owned_by,
    owner_of,
    points_facts,
    points_result,
    read_layout,
    rows_of,
    settle,
    shut_for,
)
from engines.notation import correction
from engines.seating import check_table

COLOURS = ("yellow", "red", "white", "pink")
COUNTS_OF_PLAYERS = frozenset({2, 3, 4})
DEFAULT_BOARD = "kosmos-2006"
HOUSE_RULES = (
    HouseRule("rounds", "", least=1),
    HouseRule("secured", "open", choices=("open", "closed")),
)

_CORRECTED = Event("corrected", {})
_EXCHANGED = Event("exchanged", {})
_STONES_OUT = Event("stones-out", {})
_ROUNDS_OVER = Event("rounds-over", {})
_RESHUFFLE = Event("reshuffle", {})


@dataclass(frozen=True, slots=True)
class SetMove(Move):
    """A correction: the table is exactly as `layout` says, and `seat` is to move."""

    layout: Layout
    seat: int


Just4FunMove = CardMove | SetMove


@dataclass(frozen=True, slots=True)
class Sum:
    """One sum of a hand: the move that makes it, and why it is illegal (None: it is legal)."""

    move: CardMove
    refusal: Refusal | None


@dataclass(frozen=True, slots=True)
class Table:
    """What does not change during a game. `rounds` is None where stones alone end it."""

    players: tuple[Player, ...]
    board: Board
    rounds: int | None = None
    secured_closed: bool = False


@dataclass(frozen=True, slots=True)
class Just4Fun(Position[Just4FunMove, Hand]):
    """A game of Just 4 Fun at one moment.

    `counts[field][seat]` are the stones on a field (counts[0] is unused). Sets of fields are
    ints with bit n for field n: `shut[seat]` where the seat may not place, `owned[seat]`
    where it has the majority. `pile` is the discard pile (see just4fun_cards), `discards` its
    size, `draw` the size of the draw pile; `turns[seat]` are the turns taken.
    """

    table: Table
    players: tuple[Player, ...]
    seat: int
    result: Result | None
    counts: tuple[tuple[int, ...], ...]
    stones_left: tuple[int, ...]
    shut: tuple[int, ...]
    owned: tuple[int, ...]
    pile: int
    discards: int
    draw: int
    turns: tuple[int, ...]

    def parse(self, token: str) -> Just4FunMove | Refusal:
        if not token.startswith("<"):
            return read_cards(token) or Refusal("bad-move", token)
        parts = correction(token, self.players)
        if parts is None:
            return Refusal("bad-move", token)
        try:
            layout = read_layout(parts.position, self.players, self.table.board)
        except ValueError as error:
            return Refusal("bad-move", token, {"reason": str(error)})
        return SetMove(token, layout, self.seat if parts.seat is None else parts.seat)

    def legal(self, given: Hand) -> Sequence[CardMove]:
        """Return a move for each legal sum, ascending, or else the exchange.

        GivenError where nobody can hold this hand; nothing is legal when the game is over.
        """
        sums = sums_of(given)
        if self.result is not None:
            return ()
        shut = self.shut[self.seat]
        free = sums.fields & ~shut
        if free == sums.fields:
            return sums.moves
        if not free:
            return (sums.exchange,)
        return tuple([move for move in sums.moves if not move.bit & shut])

    def refusal(self, move: Just4FunMove) -> Refusal | None:
        if self.result is not None:
            return Refusal("game-over", move.token)
        if isinstance(move, SetMove):
            return None
        if move.fault is not None:
            return move.fault
        if move.exchange:
            free = sums_of(move.cards).fields & ~self.shut[self.seat]
            if not free:
                return None
            fields = [field for field in self.table.board.fields if free >> field & 1]
            return Refusal("exchange-not-allowed", move.token, {"fields": sorted(fields)})
        if move.bit & self.shut[self.seat]:
            return self._shut(move)
        return None

    def _shut(self, move: CardMove) -> Refusal:
        """Say why the player to move may not place on the move's field."""
        here = self.counts[move.total]
        most = max(here)
        if most - here[self.seat] >= 2:
            leader = self.players[here.index(most)].name
            lead = most - here[self.seat]
            facts = {"field": move.total, "leader": leader, "lead": lead}
            return Refusal("field-blocked", move.token, facts)
        return Refusal("field-secured", move.token, {"field": move.total})

    def play(self, move: Just4FunMove) -> tuple["Just4Fun", tuple[Event, ...]]:
        refusal = self.refusal(move)
        if refusal is not None:
            raise IllegalMoveError(refusal)
        if isinstance(move, SetMove):
            return self.laid(move.layout, move.seat), (_CORRECTED,)
        seat = self.seat
        events: list[Event] = []
        pile = self.pile + move.pile
        doubtful = (pile + LIFT) & move.marks
        if doubtful:
            events += _doubts(doubtful)
        turns = _raised(self.turns, seat)
        counts, left, shut, owned = self.counts, self.stones_left, self.shut, self.owned
        rows: tuple[int, list[list[int]]] | None = None
        if move.exchange:
            events.append(_EXCHANGED)
        else:
            left = (*left[:seat], left[seat] - 1, *left[seat + 1 :])
            counts, shut, owned, rows = self._place(move.total, events)
        result = _result(self.table, counts, left, turns, rows)
        if result is not None:
            events += _endings(result, left)
        discards, draw = self.discards + len(move.cards), self.draw
        if result is None:
            draw -= len(move.cards)
            if draw <= 0:
                # what the old pile could not give comes from the discards, which are then it
                events.append(_RESHUFFLE)
                draw, discards, pile = draw + discards, 0, 0
            seat = _next_with_stones(left, seat + 1)
        # fmt: off
        after = Just4Fun(
            self.table, self.players, seat, result,
            counts, left, shut, owned, pile, discards, draw, turns,
        )
        # fmt: on
        return after, tuple(events)

    def _place(
        self, field: int, events: list[Event]
    ) -> tuple[Counts, tuple[int, ...], tuple[int, ...], tuple[int, list[list[int]]] | None]:
        """Put a stone of the player to move on a field; add what happens to `events`.

        Returns the new counts, shut, owned, and the rows this completes (None: no row).
        """
        seat, bit = self.seat, 1 << field
        shut, owned, rows = self.shut, self.owned, None
        here = _raised(self.counts[field], seat)
        stones = here[seat]
        lead = stones - max(here[:seat] + here[seat + 1 :])
        events.append(Event("placed", {"field": field, "stones": stones}))
        if stones >= 2:
            # only now can somebody be two behind
            shut = tuple(
                [
                    mask | bit if stones - there >= 2 else mask
                    for mask, there in zip(shut, here, strict=True)
                ]
            )
        if lead == 2:
            # from here on nobody else may place: the lead of two is reached once
            others = zip(self.players, here, strict=True)
            removed = {player.name: n for player, n in others if n and n != stones}
            events.append(Event("secured", {"field": field, "removed": removed}))
            here = tuple([n if n == stones else 0 for n in here])
            if self.table.secured_closed:
                shut = tuple([mask | bit for mask in shut])
        elif lead == 1:
            mine = owned[seat] | bit
            owned = (*owned[:seat], mine, *owned[seat + 1 :])
            for row in self.table.board.rows_at[field]:
                if row & mine == row:
                    rows = (seat, self.table.board.complete(mine))
                    break
        elif lead == 0:
            owned = tuple([mask & ~bit for mask in owned])
        counts = (*self.counts[:field], here, *self.counts[field + 1 :])
        return counts, shut, owned, rows

    def laid(self, layout: Layout, seat: int) -> "Just4Fun":
        """Return the position with the table as in `layout`; cards and turns stay."""
        counts, left = layout.counts, layout.stones_left
        closed = self.table.secured_closed
        seats = range(len(self.players))
        rows = rows_of(counts, self.table.board)
        return replace(
            self,
            seat=_next_with_stones(left, seat),
            result=_result(self.table, counts, left, self.turns, rows),
            counts=counts,
            stones_left=left,
            shut=tuple(shut_for(counts, each, secured_closed=closed) for each in seats),
            owned=tuple(owned_by(counts, each) for each in seats),
        )

    def describe(self) -> str:
        return describe_layout(Layout(self.counts, self.stones_left), self.players)

    def owner(self, field: int) -> Player | None:
        """Return who has the majority on a field."""
        seat = owner_of(self.counts[field])
        return None if seat is None else self.players[seat]

    def stones(self, field: int, seat: int) -> int:
        """Return how many stones a seat has on a field."""
        return self.counts[field][seat]

    def secured(self, field: int) -> bool:
        """Tell whether somebody leads there by two over every other."""
        return is_secured(self.counts[field])

    def discarded(self, card: int) -> int:
        """Return how many copies of a card lie in the discard pile."""
        return count_in(self.pile, card)

    def verdict(self, field: int) -> Refusal | None:
        """Return why the player to move may not place on a field, or None."""
        if self.result is not None:
            return Refusal("game-over", str(field))
        bit = 1 << field
        move = CardMove(
            token=str(field),
            cards=(),
            exchange=False,
            fault=None,
            total=field,
            bit=bit,
            pile=0,
            marks=0,
        )
        return self._shut(move) if self.shut[self.seat] & bit else None

    def sums(self, hand: Hand) -> tuple[Sum, ...]:
        """Return every sum of a hand, ascending; GivenError where nobody can hold it."""
        return tuple(Sum(move, self.refusal(move)) for move in sums_of(hand).all)

    def settling(self) -> tuple[FieldScore, ...]:
        """Return field by field what to remove and who counts, as if the game ended now."""
        return settle(self.counts)


def _raised(numbers: tuple[int, ...], index: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + 1, *numbers[index + 1 :])


def _doubts(marks: int) -> list[Event]:
    """Return an event for each card whose mark is set, ascending."""
    return [
        Event("card-doubtful", {"card": card}) for card in sorted(DECK) if count_in(marks, card)
    ]


def _next_with_stones(left: Sequence[int], seat: int) -> int:
    """Return the first seat from `seat` on that has stones; `seat` itself where nobody has."""
    players = len(left)
    for step in range(players):
        if left[(seat + step) % players]:
            return (seat + step) % players
    return seat % players


def _result(
    table: Table,
    counts: Counts,
    left: Sequence[int],
    turns: Sequence[int],
    rows: tuple[int, list[list[int]]] | None,
) -> Result | None:
    """Return how the game ended here, None while it goes on. `rows`: the seat and its rows."""
    if rows is not None:
        return Result((table.players[rows[0]].name,), "row", {"rows": rows[1]})
    if any(left) and (table.rounds is None or not _rounds_over(table.rounds, left, turns)):
        return None
    return points_result(counts, table.players)


def _rounds_over(rounds: int, left: Sequence[int], turns: Sequence[int]) -> bool:
    return all(not stones or taken >= rounds for stones, taken in zip(left, turns, strict=True))


def _endings(result: Result, left: Sequence[int]) -> list[Event]:
    """Return the events of a game's last move."""
    events = []
    if result.reason == "row":
        events.append(Event("row", {"rows": result.facts["rows"]}))
    if not any(left):
        events.append(_STONES_OUT)
    return events or [_ROUNDS_OVER]


def _board(setup: Setup) -> Board:
    """Return the board of the tags; `Board` is only a name beside `BoardData`."""
    if setup.board_data is not None:
        try:
            return read_board(setup.board_data)
        except ValueError as error:
            raise SetupError("BoardData", str(error)) from error
    name = DEFAULT_BOARD if setup.board is None else setup.board
    table = shipped("just4fun").get(name)
    if table is None:
        raise SetupError("Board", f"{name[:40]!r} is no known board")
    return read_board(board_data(table))


def begin(setup: Setup) -> Just4Fun:
    """Return the first position; SetupError where the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS, HOUSE_RULES)
    rounds = setup.rules.get("rounds")
    players = len(setup.players)
    table = Table(
        setup.players,
        _board(setup),
        int(rounds) if rounds else None,
        setup.rules.get("secured") == "closed",
    )
    layout = empty_layout(players)
    first = Just4Fun(
        table=table,
        players=setup.players,
        seat=setup.start,
        result=None,
        counts=layout.counts,
        stones_left=layout.stones_left,
        shut=(0,) * players,
        owned=(0,) * players,
        pile=0,
        discards=0,
        draw=DECK_SIZE - HAND * players,
        turns=(0,) * players,
    )
    if setup.position is None:
        return first
    try:
        return first.laid(read_layout(setup.position, setup.players, table.board), setup.start)
    except ValueError as error:
        raise SetupError("Position", str(error)) from error


def given(position: Just4Fun, hand: str | None, roll: str | None) -> Hand:  # noqa: ARG001  # every game's has it
    """Read the hand that `legal` needs; a roll is of no use here and not looked at."""
    if hand is None:
        raise GivenError("the hand is missing, four cards such as 3,5,11,13")
    return read_hand(hand)


def legal_facts(position: Just4Fun, hand: Hand) -> Facts:
    """Return `sums`: every sum of the hand, with its cards and why it is illegal."""
    sums: list[Mapping[str, Any]] = []
    for entry in position.sums(hand):
        fact: dict[str, Any] = {
            "sum": entry.move.total,
            "cards": list(entry.move.cards),
            "ok": entry.refusal is None,
        }
        if entry.refusal is not None:
            fact["violation"] = entry.refusal.code
        sums.append(fact)
    return {"sums": sums}


def score(position: Just4Fun) -> Result:
    """Settle the position as if the game ended now; a row keeps its winner and its rows."""
    result = position.result or points_result(position.counts, position.players)
    names = [player.name for player in position.players]
    settled = [
        {
            "field": field.field,
            "stones": _named(names, field.stones),
            "removed": _named(names, field.removed),
            "counts": None if field.owner is None else names[field.owner],
        }
        for field in position.settling()
    ]
    facts = {**result.facts, **points_facts(position.counts, position.players)}
    return Result(result.winners, result.reason, {**facts, "settled": settled})


def _named(names: Sequence[str], stones: Sequence[int]) -> dict[str, int]:
    return {name: count for name, count in zip(names, stones, strict=True) if count}


GAME = Game(
    name="just4fun",
    colours=COLOURS,
    player_counts=COUNTS_OF_PLAYERS,
    begin=begin,
    given=given,
    legal_facts=legal_facts,
    score=score,
    house_rules=HOUSE_RULES,
    default_board=DEFAULT_BOARD,
    board_data=board_data,
)
