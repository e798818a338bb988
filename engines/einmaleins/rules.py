"""The rules of Einmaleins: a card is laid as a product that shares a factor with the open card.

Hands and the draw pile are hidden; only the cards that were laid are counted. `legal` takes the
hand as an argument.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from engines.einmaleins.cards import (
    FACTORS,
    FREE,
    PAIRS,
    SQUARES,
    Lacking,
    OpenCard,
    Pair,
    Piles,
    after_draw,
    after_laying,
    read_unannounced,
)
from engines.einmaleins.notation import (
    DRAW,
    Draw,
    EinmaleinsMove,
    Lay,
    Layout,
    describe_layout,
    layings,
    read_laying,
    read_layout,
)
from engines.game import Event, Facts, Game, HouseRule, Player, Position, Refusal, Result, Setup
from engines.notation import QUOTED, Fault, number
from engines.seating import check_table

COLOURS = ("yellow", "red", "green", "blue", "white", "pink")
COUNTS_OF_PLAYERS = frozenset(range(2, 7))
HOUSE_RULES = (HouseRule("free", "2", ("0", "1", "2")),)


@dataclass(frozen=True, slots=True, repr=False)
class EinmaleinsPosition(Position[EinmaleinsMove, tuple[str, ...]]):
    """The table at one moment: `hands` counts the cards of each seat.

    `free` is the number of free cards in the deck; `idle` counts the players in a row who could not
    draw because no card was left. `lacking` has by seat the factors that each card in the hand
    lacks; empty if nothing is known yet.
    """

    players: tuple[Player, ...]
    free: int
    hands: tuple[int, ...]
    open: OpenCard
    piles: Piles
    idle: int
    seat: int
    result: Result | None = None
    lacking: tuple[Lacking, ...] = ()

    @property
    def announced(self) -> tuple[int, ...]:
        """The announced factors, ascending; a card must share one of them."""
        return self.open.factors

    @property
    def draw_pile(self) -> int:
        """Cards left to draw."""
        return self.piles.draw_pile

    @property
    def discards(self) -> int:
        """Cards under the open one."""
        return self.piles.under

    def fitting_numbers(self) -> dict[int, tuple[int, ...]]:
        """Return the times table of each announced factor: 2: (2, 4, ... 20)."""
        return {
            factor: tuple(factor * other for other in range(1, 11)) for factor in self.announced
        }

    def fitting_pairs(self, product: int) -> tuple[Pair, ...]:
        """Return the pairs with which this number can be laid now; () if no card has it."""
        return tuple(pair for pair in PAIRS.get(product, ()) if self.shared_factors(pair))

    def shared_factors(self, pair: Pair) -> tuple[int, ...]:
        """Return the announced factors that this pair shares, ascending."""
        return tuple(factor for factor in self.announced if factor in pair)

    def _read(self, token: str) -> EinmaleinsMove | None:
        return DRAW if token == DRAW.token else read_laying(token)

    def legal(self, given: tuple[str, ...]) -> Sequence[EinmaleinsMove]:
        """Every legal move with these cards, each card once, in the order of the hand, `d` last.

        Fault for a card that the deck does not have.
        """
        if self.result is not None:
            return ()
        factors = self.open.factors
        moves: list[EinmaleinsMove] = []
        for card in dict.fromkeys(given):
            if card == FREE and not self.free:
                raise Fault("no-free-cards")
            moves += layings(card, factors)
        moves.append(DRAW)
        return moves

    def candidates(self, given: tuple[str, ...]) -> Sequence[EinmaleinsMove]:
        """Return every card with each of its tasks, `d` last; Fault for an unknown card."""
        moves: list[EinmaleinsMove] = []
        for card in dict.fromkeys(given):
            moves += layings(card, FACTORS)
        return (*moves, DRAW)

    def _refuse(self, move: EinmaleinsMove) -> Refusal | None:
        if isinstance(move, Draw):
            return None
        pairs = PAIRS.get(move.number)
        if pairs is None:
            return Refusal("not-a-product", move.token, _announcement(move))
        if move.pair not in pairs:
            correct = [list(pair) for pair in pairs]
            return Refusal("wrong-factors", move.token, {**_announcement(move), "pairs": correct})
        if move.free and not self.free:
            return Refusal("no-free-card", move.token, _announcement(move))
        if self.shared_factors(move.pair):
            return None
        facts = {
            **_announcement(move),
            "open": self.open.number,
            "announced": list(self.announced),
            "fitting": [list(pair) for pair in self.fitting_pairs(move.number)],
        }
        return Refusal("no-common-factor", move.token, facts)

    def _play(self, move: EinmaleinsMove) -> tuple["EinmaleinsPosition", tuple[Event, ...]]:
        events: list[Event] = []
        after = self._draw(events) if isinstance(move, Draw) else self._lay(move, events)
        return after, tuple(events)

    def _draw(self, events: list[Event]) -> "EinmaleinsPosition":
        hands, seat = self.hands, self.seat
        lacking = self._known_lacking()
        idle = self.idle + 1  # unless there is a card to draw
        result = None
        # only a correction can leave cards to shuffle and none to draw
        piles = self.piles.reshuffle(events)
        if piles.draw_pile:
            events.append(Event("drew", {"player": self.players[seat].name}))
            hands, idle = _add_to(hands, seat, 1), 0
            lacking[seat] = after_draw(lacking[seat], self.open)
            piles = piles.draw().reshuffle(events)
        elif idle == len(self.players):
            events.append(Event("stalemate", {}))
            result = stalemate_result(self.players, hands)
        if result is None:
            seat = (seat + 1) % len(self.players)
        return EinmaleinsPosition(
            self.players, self.free, hands, self.open, piles, idle, seat, result, tuple(lacking)
        )

    def _lay(self, move: Lay, events: list[Event]) -> "EinmaleinsPosition":
        seat = self.seat
        name = self.players[seat].name
        # the card cannot be in a hand if it lies face up: its one copy, or all free cards
        if move.free:
            all_face_up = self.piles.frees + self.open.free >= self.free
        else:
            is_open = self.open.number == move.number and not self.open.free
            all_face_up = is_open or bool(self.piles.numbers >> move.number & 1)
        if all_face_up:
            card = FREE if move.free else move.number
            events.append(Event("card-doubtful", {"card": card}))
        events.append(Event("laid", _announcement(move)))
        laid = OpenCard(move.number, move.pair, move.free)
        hands = _add_to(self.hands, seat, -1)
        lacking = self._known_lacking()
        lacking[seat] = after_laying(lacking[seat], laid)
        piles = self.piles.cover(self.open)
        result = None
        if not hands[seat]:
            # Ruling: the game is over at once, nobody shuffles, draws or misses a turn.
            events.append(Event("out", {"player": name}))
            result = out_result(self.players, hands)
        else:
            if hands[seat] == 1:
                events.append(Event("last-card", {"player": name}))
            piles = piles.reshuffle(events)
            seat = (seat + 1) % len(self.players)
            if move.number in SQUARES:  # after a square the next player misses a turn
                hands, piles = self._miss(seat, hands, piles, events)
                # a card that was drawn without a choice: nothing is known of it
                lacking[seat] += (0,) * (hands[seat] - len(lacking[seat]))
                seat = (seat + 1) % len(self.players)
        return EinmaleinsPosition(
            self.players, self.free, hands, laid, piles, 0, seat, result, tuple(lacking)
        )

    def _known_lacking(self) -> list[Lacking]:
        return list(self.lacking or ((0,) * hand for hand in self.hands))

    def _miss(
        self, seat: int, hands: tuple[int, ...], piles: Piles, events: list[Event]
    ) -> tuple[tuple[int, ...], Piles]:
        """Let this seat draw one card, if there is one, and miss its turn."""
        name = self.players[seat].name
        if piles.draw_pile:
            events.append(Event("drew", {"player": name}))
            hands, piles = _add_to(hands, seat, 1), piles.draw()
        events.append(Event("skipped", {"player": name}))
        return hands, piles.reshuffle(events)

    def _read_layout(self, text: str) -> Layout:
        layout = read_layout(text, self.players, self.free)
        if layout.open is None:
            raise Fault("open-missing")
        return layout

    def _set(self, layout: Layout, seat: int) -> "EinmaleinsPosition":
        """Set hands and open card; the cards under it and the idle turns stay.

        The draw pile becomes the rest of the deck, at least 0.
        """
        hands, under = layout.hands, self.piles.under
        left = len(PAIRS) + self.free - sum(hands) - 1 - under  # 1: the open card
        piles = Piles(max(0, left), under, self.piles.numbers, self.piles.frees)
        return EinmaleinsPosition(
            self.players,
            self.free,
            hands,
            layout.open or self.open,  # `_read_layout` has made sure that it is named
            piles,
            self.idle,
            seat,
            out_result(self.players, hands),
        )

    def describe(self) -> str:
        return describe_layout(self.hands, self.open, self.players)


def _announcement(move: Lay) -> Facts:
    return {"card": move.number, "factors": list(move.pair), "free": move.free}


def _add_to(hands: tuple[int, ...], seat: int, change: int) -> tuple[int, ...]:
    return (*hands[:seat], hands[seat] + change, *hands[seat + 1 :])


def out_result(players: tuple[Player, ...], hands: tuple[int, ...]) -> Result | None:
    """Return the result if somebody has no card left, else None."""
    return Result((players[hands.index(0)].name,), "out") if 0 in hands else None


def stalemate_result(players: tuple[Player, ...], hands: tuple[int, ...]) -> Result:
    """Return the result if no card is left to draw: fewest cards win, ties share (ruling)."""
    least = min(hands)
    winners = [player.name for player, hand in zip(players, hands, strict=True) if hand == least]
    return Result(tuple(winners), "stalemate")


def begin(setup: Setup) -> EinmaleinsPosition:
    """Return the first position; Fault if the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS, HOUSE_RULES)
    for tag, value in (("Board", setup.board), ("BoardData", setup.board_data)):
        if value is not None:
            raise Fault("no-board", tag, game="einmaleins")
    free = int(setup.rules.get("free", HOUSE_RULES[0].default))
    count = len(setup.players)
    most = largest_hand_size(count, free)
    word = setup.tags.get("Hand", str(default_hand_size(count)))
    dealt = number(word, most)
    if not dealt:  # None, or 0
        raise Fault("bad-hand", "Hand", most=most, word=word[:QUOTED])
    hands = (dealt,) * len(setup.players)
    card = _read_open_card(setup)
    if setup.position is not None:
        try:
            layout = read_layout(setup.position, setup.players, free)
        except Fault as fault:
            raise Fault(fault.code, "Position", **fault.facts) from fault
        hands = layout.hands
        # a Position need not name the open card if the tag Open does
        card = layout.open or card
    if card is None:
        raise Fault("open-needed", "Open")
    return EinmaleinsPosition(
        players=setup.players,
        free=free,
        hands=hands,
        open=card,
        piles=Piles(len(PAIRS) + free - sum(hands) - 1),  # 1: the open card
        idle=0,
        seat=setup.start,
        result=out_result(setup.players, hands),  # a Position may show the end of a game
    )


def default_hand_size(count: int) -> int:
    """Return how many cards each of `count` players gets unless a tag says otherwise.

    The printed rules say 5 from four players on; 7 is our ruling.
    """
    return 7 if count < 4 else 5


def largest_hand_size(count: int, free: int) -> int:
    """Return the most cards that each of `count` players can get; one card must be left over."""
    return (len(PAIRS) + free - 1) // count


def _read_open_card(setup: Setup) -> OpenCard | None:
    """Return the first open card, which nobody announced; None without the tag `Open`."""
    word = setup.tags.get("Open")
    if word is None:
        return None
    card = read_unannounced(word)
    if card is None:
        raise Fault("no-product", "Open", word=word[:QUOTED])
    return card


def given(position: EinmaleinsPosition, hand: str | None, _roll: str | None) -> tuple[str, ...]:
    """Read the hand; Fault if it is missing or the deck does not have it."""
    if hand is None:
        raise Fault("hand-needed", word="12,24,*")
    # split would find one card in an empty hand
    cards = tuple(card.strip() for card in hand.split(",")) if hand.strip() else ()
    for card in dict.fromkeys(cards):
        if card != FREE and number(card, max(PAIRS)) not in PAIRS:
            raise Fault("no-card", card=card[:QUOTED])
        if card == FREE and not position.free:
            raise Fault("no-free-cards")
        copies = position.free if card == FREE else 1
        if cards.count(card) > copies:
            raise Fault("deck-has", card=card[:QUOTED], copies=copies)
    return cards


GAME = Game(
    name="einmaleins",
    colours=COLOURS,
    player_counts=COUNTS_OF_PLAYERS,
    begin=begin,
    given=given,
    house_rules=HOUSE_RULES,
    own_tags=frozenset({"Hand", "Open"}),
)
