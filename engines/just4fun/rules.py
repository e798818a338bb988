"""The rules of Just 4 Fun: cards are added up, the sum names the field; four in a row win."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from engines.game import Event, Facts, Game, HouseRule, Player, Position, Refusal, Result, Setup
from engines.just4fun.board import (
    BOARD,
    CARD_BITS,
    DECK,
    DECK_SIZE,
    HAND,
    LIFT,
    STONES,
    Board,
    Counts,
    Hand,
    standing,
)
from engines.just4fun.notation import (
    CardMove,
    Layout,
    card_move,
    combinations_of,
    describe_layout,
    empty_layout,
    read_cards,
    read_hand,
    read_layout,
    sums_of,
)
from engines.just4fun.settling import FieldScore, add_settlement, points_result, settle
from engines.notation import Fault
from engines.seating import board_of, check_table

COLOURS = ("yellow", "red", "white", "pink")
COUNTS_OF_PLAYERS = frozenset({2, 3, 4})
HOUSE_RULES = (
    HouseRule("rounds", "", least=1),
    HouseRule("secured", "open", choices=("open", "closed")),
)
_EXCHANGED = Event("exchanged", {})
_STONES_OUT = Event("stones-out", {})
_ROUNDS_OVER = Event("rounds-over", {})
_RESHUFFLE = Event("reshuffle", {})

Rows = tuple[int, list[list[int]]]
"""A seat and its complete rows of four."""


class Piles(NamedTuple):
    """The draw pile and the discard pile.

    `draw_pile` and `discards` count their cards; `discarded` are the cards of the discard pile,
    packed into one int (`pack_cards`).
    """

    draw_pile: int
    discards: int = 0
    discarded: int = 0

    def discard(self, count: int, cards: int, *, drawn: bool) -> "Piles":
        """Return the piles after these packed cards were discarded and, if `drawn`, replaced.

        Printed rule: the discard pile is shuffled when the draw pile is used up, and gives the
        cards that are still to be drawn. `discards` is 0 then, and only then.
        """
        if not drawn:
            return Piles(self.draw_pile, self.discards + count, self.discarded + cards)
        if count < self.draw_pile:
            return Piles(self.draw_pile - count, self.discards + count, self.discarded + cards)
        # these cards join the discards, all are shuffled, and as many as were played are drawn
        return Piles(self.draw_pile + self.discards)

    def count_discarded(self, card: int) -> int:
        """Return how many cards of this value are in the discard pile."""
        return self.discarded >> (CARD_BITS * card) & 255

    def find_doubtful(self, cards: int, marks: int) -> tuple[int, ...]:
        """Return the values that discards and these cards contain more often than the deck.

        `cards` are packed; `marks` (`marks_of` these cards) limits the search to their values.
        """
        # a count above the deck's copies reaches 128: its top bit is set
        lifted = (self.discarded + cards + LIFT) & marks
        if not lifted:
            return ()
        return tuple(card for card in sorted(DECK) if lifted >> (CARD_BITS * card) & 255)


@dataclass(frozen=True, slots=True)
class Terms:
    """The constants of a game. `rounds` is None if the game ends with the stones."""

    players: tuple[Player, ...]
    board: Board
    rounds: int | None = None
    secured_closed: bool = False


@dataclass(frozen=True, slots=True)
class Sum:
    """One sum of a hand: its move, and why it is illegal (None: it is legal)."""

    move: CardMove
    refusal: Refusal | None


@dataclass(frozen=True, slots=True, repr=False)
class Just4Fun(Position[CardMove, Hand]):
    """A game of Just 4 Fun at one moment.

    `counts[field][seat]` are the stones on a field (counts[0] is unused). Sets of fields are
    ints with bit n for field n: `barred[seat]` where the seat may not place, `owned[seat]`
    where it has the majority; both follow from `board.standing`. `turns[seat]` are the turns
    taken.
    """

    terms: Terms
    players: tuple[Player, ...]
    seat: int
    result: Result | None
    counts: Counts
    stones_left: tuple[int, ...]
    barred: tuple[int, ...]
    owned: tuple[int, ...]
    piles: Piles
    turns: tuple[int, ...]

    def _read(self, token: str) -> CardMove | None:
        return read_cards(token)

    def legal(self, given: Hand) -> Sequence[CardMove]:
        """Return a move for each legal sum, ascending, or else the exchange.

        Fault if the cards cannot be a hand; nothing is legal when the game is over.
        """
        sums = sums_of(given)
        if self.result is not None:
            return ()
        barred = self.barred[self.seat]
        free = sums.fields & ~barred
        if free == sums.fields:
            return sums.moves
        if not free:
            return (sums.exchange,)
        return tuple([move for move in sums.moves if not move.bit & barred])

    def candidates(self, given: Hand) -> Sequence[CardMove]:
        """Return every choice of these cards, by sum, then the exchange of a whole hand."""
        exchange = (card_move(given, exchange=True),) if len(given) == HAND else ()
        return (*combinations_of(given), *exchange)

    def _refuse(self, move: CardMove) -> Refusal | None:
        if move.fault is not None:
            return move.fault
        if not move.exchange:
            return self._refuse_field(move.total, move.token)
        free = sums_of(move.cards).fields & ~self.barred[self.seat]
        if not free:
            return None
        fields = [field for field in self.terms.board.fields if free >> field & 1]
        return Refusal("exchange-not-allowed", move.token, {"fields": sorted(fields)})

    def _refuse_field(self, field: int, token: str) -> Refusal | None:
        """Return why the player to move may not place on a field, or None."""
        if not self.barred[self.seat] >> field & 1:
            return None
        stones = self.counts[field]
        # a seat that is barred without being two stones behind: the field is secured, and the
        # house rule `secured=closed` holds
        if self.seat not in standing(stones).barred:
            return Refusal("field-secured", token, {"field": field})
        most = max(stones)
        leader = self.players[stones.index(most)].name
        facts = {"field": field, "leader": leader, "lead": most - stones[self.seat]}
        return Refusal("field-blocked", token, facts)

    def _play(self, move: CardMove) -> tuple["Just4Fun", tuple[Event, ...]]:
        seat = self.seat
        events: list[Event] = []
        for card in self.piles.find_doubtful(move.packed, move.marks):
            events.append(Event("card-doubtful", {"card": card}))  # noqa: PERF401  # mostly none
        counts, left, barred, owned = self.counts, self.stones_left, self.barred, self.owned
        turns = _add_to(self.turns, seat, 1)
        rows: Rows | None = None
        if move.exchange:
            events.append(_EXCHANGED)
        else:
            left = _add_to(left, seat, -1)
            counts, barred, owned, rows = self._place_stone(move.total, events)
        result = _result(self.terms, counts, left, turns, rows)
        piles = self.piles.discard(len(move.cards), move.packed, drawn=result is None)
        if result is not None:
            endings = [Event("row", {"rows": rows[1]})] if rows is not None else []
            if not any(left):
                endings.append(_STONES_OUT)
            # neither a row nor the last stone: then the agreed rounds are over
            events += endings or [_ROUNDS_OVER]
        else:
            # a move always discards cards: if none are there, they have just been shuffled
            if not piles.discards:
                events.append(_RESHUFFLE)
            seat = _next_with_stones(left, seat + 1)
        # fmt: off
        after = Just4Fun(
            self.terms, self.players, seat, result,
            counts, left, barred, owned, piles, turns,
        )
        # fmt: on
        return after, tuple(events)

    def _place_stone(
        self, field: int, events: list[Event]
    ) -> tuple[Counts, tuple[int, ...], tuple[int, ...], Rows | None]:
        """Put a stone of the player to move on a field; append what happens to `events`.

        Returns the new counts, barred, owned, and the rows that the stone completes, or None.
        """
        bit = 1 << field
        before = standing(self.counts[field])
        stones = _add_to(self.counts[field], self.seat, 1)
        after = standing(stones)
        events.append(Event("placed", {"field": field, "stones": stones[self.seat]}))
        if after.secured and not before.secured:
            by_player = zip(self.players, stones, after.stones, strict=True)
            removed = {
                player.name: count for player, count, remaining in by_player if count > remaining
            }
            events.append(Event("secured", {"field": field, "removed": removed}))
        barred = self.barred
        if after.secured and self.terms.secured_closed:
            barred = tuple([mask | bit for mask in barred])
        elif after.barred != before.barred:
            barred_seats = after.barred
            barred = tuple(
                [mask | bit if i in barred_seats else mask & ~bit for i, mask in enumerate(barred)]
            )
        owned, rows = self.owned, None
        if after.owner != before.owner:
            owner = after.owner
            owned = tuple(
                [mask | bit if i == owner else mask & ~bit for i, mask in enumerate(owned)]
            )
            # a stone completes rows only for the player who placed it
            own, board = owned[self.seat], self.terms.board
            if any(row & own == row for row in board.rows_at[field]):
                rows = self.seat, board.complete(own)
        counts = (*self.counts[:field], after.stones, *self.counts[field + 1 :])
        return counts, barred, owned, rows

    def _read_layout(self, text: str) -> Layout:
        layout = read_layout(text, self.players)
        rows_of(sets_of(layout).owned, self.terms.board)  # only to raise its fault
        return layout

    def _set(self, layout: Layout, seat: int) -> "Just4Fun":
        counts, left = layout.counts, layout.stones_left
        owned, barred = sets_of(layout, secured_closed=self.terms.secured_closed)
        rows = rows_of(owned, self.terms.board)
        result = _result(self.terms, counts, left, self.turns, rows)
        seat = _next_with_stones(left, seat)
        # fmt: off
        return Just4Fun(
            self.terms, self.players, seat, result,
            counts, left, barred, owned, self.piles, self.turns,
        )
        # fmt: on

    def describe(self) -> str:
        return describe_layout(Layout(self.counts, self.stones_left), self.players)

    @property
    def draw_pile(self) -> int:
        """Cards left to draw."""
        return self.piles.draw_pile

    @property
    def discards(self) -> int:
        """Cards in the discard pile."""
        return self.piles.discards

    def owner(self, field: int) -> Player | None:
        """Return the player with the majority on a field, or None."""
        seat = standing(self.counts[field]).owner
        return None if seat is None else self.players[seat]

    def stones(self, field: int, seat: int) -> int:
        """Return how many stones a seat has on a field."""
        return self.counts[field][seat]

    def removed_stones(self) -> tuple[int, ...]:
        """Return by seat how many stones are out of the game: neither on the board nor in hand."""
        return tuple(
            STONES - left - sum(stones[seat] for stones in self.counts)
            for seat, left in enumerate(self.stones_left)
        )

    def placing_refusal(self, field: int) -> Refusal | None:
        """Return why the player to move may not place on a field, or None."""
        if self.result is not None:
            return Refusal("game-over", str(field))
        return self._refuse_field(field, str(field))

    def sums(self, hand: Hand) -> tuple[Sum, ...]:
        """Return every sum of a hand, ascending; Fault if the cards cannot be a hand."""
        return tuple(Sum(move, self.refusal(move)) for move in sums_of(hand).all)

    def settle_fields(self) -> tuple[FieldScore, ...]:
        """Return field by field which stones to remove and who scores, as if the game ended now."""
        return settle(self.counts)


def _add_to(numbers: tuple[int, ...], index: int, change: int) -> tuple[int, ...]:
    return (*numbers[:index], numbers[index] + change, *numbers[index + 1 :])


def _next_with_stones(left: Sequence[int], seat: int) -> int:
    """Return the first seat from `seat` on that has stones; `seat` itself if nobody has."""
    players = len(left)
    for step in range(players):
        if left[(seat + step) % players]:
            return (seat + step) % players
    return seat % players


def _result(
    terms: Terms,
    counts: Counts,
    left: Sequence[int],
    turns: Sequence[int],
    rows: Rows | None,
) -> Result | None:
    """Return how the game ended, or None if it has not."""
    if rows is not None:
        seat, fields = rows
        return Result((terms.players[seat].name,), "row", {"rows": fields})
    rounds = terms.rounds
    if rounds is None:
        goes_on = any(left)
    else:
        # as long as one player has a stone to place and a round to place it in
        goes_on = any(
            stones and taken_turns < rounds for stones, taken_turns in zip(left, turns, strict=True)
        )
    return None if goes_on else points_result(counts, terms.players)


class Sets(NamedTuple):
    """Two sets of fields for each seat: those that it owns, and those where it may not place."""

    owned: tuple[int, ...]
    barred: tuple[int, ...]


def sets_of(layout: Layout, *, secured_closed: bool = False) -> Sets:
    """Return by seat the fields that it owns and where it is barred; bit n is field n.

    With `secured_closed` (a house rule) a secured field is barred to its owner too.
    """
    players = len(layout.stones_left)
    owned, barred = [0] * players, [0] * players
    for field in layout.fields:
        bit, judged = 1 << field, standing(layout.counts[field])
        if judged.owner is not None:
            owned[judged.owner] |= bit
        closed = secured_closed and judged.secured
        for seat in range(players) if closed else judged.barred:
            barred[seat] |= bit
    return Sets(tuple(owned), tuple(barred))


def rows_of(owned: Sequence[int], board: Board) -> tuple[int, list[list[int]]] | None:
    """Return the seat that has rows of four, and all its rows; None if nobody has one.

    `owned` are the sets of fields that the seats own. Fault if two players have rows,
    which no game reaches.
    """
    complete = None
    for seat, fields in enumerate(owned):
        rows = board.complete(fields)
        if rows and complete:
            raise Fault("two-rows")
        if rows:
            complete = (seat, rows)
    return complete


def begin(setup: Setup) -> Just4Fun:
    """Return the first position; Fault if the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS, HOUSE_RULES)
    rounds = setup.rules.get("rounds")
    players = len(setup.players)
    terms = Terms(
        setup.players,
        board_of(setup, BOARD),
        int(rounds) if rounds else None,
        secured_closed=setup.rules.get("secured") == "closed",
    )
    layout = empty_layout(players)
    first = Just4Fun(
        terms=terms,
        players=setup.players,
        seat=setup.start,
        result=None,
        counts=layout.counts,
        stones_left=layout.stones_left,
        barred=(0,) * players,
        owned=(0,) * players,
        piles=Piles(DECK_SIZE - HAND * players),
        turns=(0,) * players,
    )
    return first.apply_setup(setup)


def given(_position: Just4Fun, hand: str | None, _roll: str | None) -> Hand:
    """Read the hand that `legal` needs; a roll is ignored."""
    if hand is None:
        raise Fault("hand-needed", word="3,5,11,13")
    return read_hand(hand)


def legal_facts(position: Just4Fun, hand: Hand) -> Facts:
    """Return `sums`: every sum of the hand, with its cards and any reason against it."""
    sums = [
        {
            "sum": found.move.total,
            "cards": list(found.move.cards),
            "ok": found.refusal is None,
            **({"violation": found.refusal.code} if found.refusal else {}),
        }
        for found in position.sums(hand)
    ]
    return {"sums": sums}


def score(position: Just4Fun) -> Result:
    """Settle the position as if the game ended now; a completed row still wins."""
    return add_settlement(position.counts, position.players, position.result)


GAME = Game(
    name="just4fun",
    colours=COLOURS,
    player_counts=COUNTS_OF_PLAYERS,
    begin=begin,
    given=given,
    legal_facts=legal_facts,
    score=score,
    house_rules=HOUSE_RULES,
    board=BOARD,
)
