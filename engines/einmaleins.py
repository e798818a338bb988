"""Einmaleins: every card is laid as a product of two factors that share one with the open card.

Hands and the draw pile are not seen; what was laid is counted. The cards in hand come in as
an argument where somebody asks what they allow.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from engines.einmaleins_cards import (
    FREE,
    LAYING,
    PAIRS,
    SQUARES,
    Cards,
    OpenCard,
    Pair,
    read_position,
    unannounced,
    whole,
)
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
from engines.notation import correction, number
from engines.seating import check_table

COLOURS = ("yellow", "red", "green", "blue", "white", "pink")
COUNTS = frozenset(range(2, 7))
HOUSE_RULES = (HouseRule("free", "2", ("0", "1", "2")),)


@dataclass(frozen=True, slots=True)
class Placement:
    """What a correction sets: cards in hand by seat, the open card, and who is to move."""

    hands: tuple[int, ...]
    open: OpenCard
    seat: int | None


@dataclass(frozen=True, slots=True)
class EinmaleinsMove(Move):
    """A card laid with its factors as announced, or, with neither, one card drawn.

    A correction made at the table has a `placement` instead.
    """

    number: int = 0
    factors: Pair = (0, 0)
    free: bool = False
    placement: Placement | None = None

    @property
    def draws(self) -> bool:
        return not self.number and self.token == DRAW.token

    @property
    def pair(self) -> Pair:
        """The announced factors, the smaller one first."""
        a, b = self.factors
        return (a, b) if a <= b else (b, a)


DRAW = EinmaleinsMove("d")


@cache
def _laying(card: str, factors: tuple[int, ...]) -> tuple[EinmaleinsMove, ...]:
    """Return the ways to lay this card on these factors; GivenError for a card of no deck."""
    free = card == FREE
    value = number(card, max(PAIRS))
    if not free and value not in PAIRS:
        raise GivenError(f"no card is called {card[:40]!r}")
    mark = FREE if free else ""
    return tuple(
        EinmaleinsMove(f"{mark}{product}={a}x{b}", product, (a, b), free)
        for product in (PAIRS if value is None else (value,))
        for a, b in PAIRS[product]
        if a in factors or b in factors
    )


@dataclass(frozen=True, slots=True)
class EinmaleinsPosition(Position[EinmaleinsMove, tuple[str, ...]]):
    """The table at one moment: `hands` counts the cards of each seat.

    `free` is the number of free cards in the deck; `idle` how many players in a row drew
    nothing because nothing was left.
    """

    players: tuple[Player, ...]
    free: int
    hands: tuple[int, ...]
    open: OpenCard
    cards: Cards
    idle: int
    seat: int
    result: Result | None = None

    @property
    def announced(self) -> tuple[int, ...]:
        """The factors that a card must share one of, ascending."""
        return self.open.factors

    @property
    def pile(self) -> int:
        """Cards left to draw."""
        return self.cards.pile

    @property
    def discards(self) -> int:
        """Cards under the open one."""
        return self.cards.under

    def fitting_numbers(self) -> dict[int, tuple[int, ...]]:
        """Return the times table around each announced factor: 2: (2, 4, ... 20)."""
        return {
            factor: tuple(factor * other for other in range(1, 11)) for factor in self.announced
        }

    def fitting_pairs(self, product: int) -> tuple[Pair, ...]:
        """Return the announcements with which this number can be laid now; none for no card."""
        return tuple(pair for pair in PAIRS.get(product, ()) if self.common(pair))

    def common(self, pair: Pair) -> tuple[int, ...]:
        """Return the announced factors that this pair shares, ascending."""
        return tuple(factor for factor in self.announced if factor in pair)

    def parse(self, token: str) -> EinmaleinsMove | Refusal:
        if self.result is not None:
            return Refusal("game-over", token)
        if token.startswith("<"):
            return self._parse_correction(token)
        if token == DRAW.token:
            return DRAW
        found = LAYING.fullmatch(token)
        if found is None:
            return Refusal("bad-move", token)
        value, a, b = (whole(found[group]) for group in (2, 3, 4))
        return EinmaleinsMove(token, value, (a, b), bool(found[1]))

    def _parse_correction(self, token: str) -> EinmaleinsMove | Refusal:
        found = correction(token, self.players)
        if found is None:
            return Refusal("bad-move", token)
        try:
            hands, card = read_position(found.position, self.players, self.free)
        except ValueError as error:
            return Refusal("bad-move", token, {"reason": str(error)})
        if card is None:
            return Refusal("bad-move", token, {"reason": "the open card is not named"})
        return EinmaleinsMove(token, placement=Placement(hands, card, found.seat))

    def legal(self, given: tuple[str, ...]) -> Sequence[EinmaleinsMove]:
        """Every legal move with these cards, by card as given, `d` last; one held twice once.

        GivenError for a card that the deck does not have.
        """
        if self.result is not None:
            return ()
        factors = self.open.factors
        moves: list[EinmaleinsMove] = []
        for card in dict.fromkeys(given):
            if card == FREE and not self.free:
                raise GivenError("this deck has no free cards")
            moves += _laying(card, factors)
        moves.append(DRAW)
        return moves

    def refusal(self, move: EinmaleinsMove) -> Refusal | None:
        if self.result is not None:
            return Refusal("game-over", move.token)
        if move.placement is not None or move.draws:
            return None
        pairs = PAIRS.get(move.number)
        if pairs is None:
            return Refusal("not-a-product", move.token, _announcement(move))
        if move.pair not in pairs:
            right = [list(pair) for pair in pairs]
            return Refusal("wrong-factors", move.token, {**_announcement(move), "pairs": right})
        if move.free and not self.free:
            return Refusal("no-free-card", move.token, _announcement(move))
        if self.common(move.pair):
            return None
        facts = {
            **_announcement(move),
            "open": self.open.number,
            "announced": list(self.announced),
            "fitting": [list(pair) for pair in self.fitting_pairs(move.number)],
        }
        return Refusal("no-common-factor", move.token, facts)

    def play(self, move: EinmaleinsMove) -> tuple["EinmaleinsPosition", tuple[Event, ...]]:
        refused = self.refusal(move)
        if refused is not None:
            raise IllegalMoveError(refused)
        if move.placement is not None:
            return self._correct(move.placement), (Event("corrected", {}),)
        events: list[Event] = []
        after = self._draw(events) if move.draws else self._lay(move, events)
        return after, tuple(events)

    def _correct(self, placement: Placement) -> "EinmaleinsPosition":
        """Set hands and open card; discards, draw pile and the idle turns stay."""
        seat = self.seat if placement.seat is None else placement.seat
        result = _decided(self.players, placement.hands)
        return EinmaleinsPosition(
            self.players,
            self.free,
            placement.hands,
            placement.open,
            self.cards,
            self.idle,
            seat,
            result,
        )

    def _draw(self, events: list[Event]) -> "EinmaleinsPosition":
        hands, cards, idle, seat = self.hands, self.cards, self.idle + 1, self.seat
        result = None
        if cards.pile:
            events.append(Event("drew", {"player": self.players[seat].name}))
            hands, idle = _changed(hands, seat, 1), 0
            cards = cards.drawn().reshuffled(events)
        elif idle == len(self.players):
            events.append(Event("stalemate", {}))
            least = min(hands)
            winners = [p.name for p, hand in zip(self.players, hands, strict=True) if hand == least]
            result = Result(tuple(winners), "stalemate")
        if result is None:
            seat = (seat + 1) % len(self.players)
        return EinmaleinsPosition(
            self.players, self.free, hands, self.open, cards, idle, seat, result
        )

    def _lay(self, move: EinmaleinsMove, events: list[Event]) -> "EinmaleinsPosition":
        seat = self.seat
        name = self.players[seat].name
        if self._face_up(move):
            card = FREE if move.free else move.number
            events.append(Event("card-doubtful", {"card": card}))
        events.append(Event("laid", _announcement(move)))
        laid = OpenCard(move.number, move.pair, move.free)
        hands = _changed(self.hands, seat, -1)
        cards = self.cards.covering(self.open)
        result = None
        if not hands[seat]:
            # Ruling: the game is over at once, nobody shuffles, draws or misses a turn.
            events.append(Event("out", {"player": name}))
            result = _decided(self.players, hands)
        else:
            if hands[seat] == 1:
                events.append(Event("last-card", {"player": name}))
            cards = cards.reshuffled(events)
            seat = (seat + 1) % len(self.players)
            if move.number in SQUARES:
                hands, cards = self._miss(seat, hands, cards, events)
                seat = (seat + 1) % len(self.players)
        return EinmaleinsPosition(self.players, self.free, hands, laid, cards, 0, seat, result)

    def _miss(
        self, seat: int, hands: tuple[int, ...], cards: Cards, events: list[Event]
    ) -> tuple[tuple[int, ...], Cards]:
        """Let this seat draw one card, if there is one, and miss its turn."""
        name = self.players[seat].name
        if cards.pile:
            events.append(Event("drew", {"player": name}))
            hands, cards = _changed(hands, seat, 1), cards.drawn()
        events.append(Event("skipped", {"player": name}))
        return hands, cards.reshuffled(events)

    def _face_up(self, move: EinmaleinsMove) -> bool:
        """Whether this number card, or every free card, lies face up since the last shuffle."""
        if move.free:
            return self.cards.frees + self.open.free >= self.free
        is_open = self.open.number == move.number and not self.open.free
        return is_open or bool(self.cards.numbers >> move.number & 1)

    def describe(self) -> str:
        parts = [
            f"{player.colour} {hand}" for player, hand in zip(self.players, self.hands, strict=True)
        ]
        return "; ".join([*parts, f"open {self.open.words()}"])


def _announcement(move: EinmaleinsMove) -> Facts:
    return {"card": move.number, "factors": list(move.pair), "free": move.free}


def _changed(hands: tuple[int, ...], seat: int, by: int) -> tuple[int, ...]:
    return (*hands[:seat], hands[seat] + by, *hands[seat + 1 :])


def _decided(players: tuple[Player, ...], hands: tuple[int, ...]) -> Result | None:
    """Return the result where somebody has no card left, else None."""
    return Result((players[hands.index(0)].name,), "out") if 0 in hands else None


def begin(setup: Setup) -> EinmaleinsPosition:
    """Return the first position; SetupError where the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS, HOUSE_RULES)
    if setup.board is not None:
        raise SetupError("Board", "einmaleins has no board")
    if setup.board_data is not None:
        raise SetupError("BoardData", "einmaleins has no board")
    free = int(setup.rules.get("free", HOUSE_RULES[0].default))
    hands = (_dealt(setup, free),) * len(setup.players)
    # after a Position too, the draw pile is as at the start of a game
    pile = len(PAIRS) + free - sum(hands) - 1
    card = _opened(setup)
    if setup.position is not None:
        try:
            hands, named = read_position(setup.position, setup.players, free)
        except ValueError as error:
            raise SetupError("Position", str(error)) from error
        card = named or card
    if card is None:
        raise SetupError("Open", 'is needed: the first open card, such as [Open "24"]')
    result = _decided(setup.players, hands)
    return EinmaleinsPosition(setup.players, free, hands, card, Cards(pile), 0, setup.start, result)


def dealt_unless_said(count: int) -> int:
    """Return the cards each of `count` players gets where no tag says so.

    Printed: 5 from four players on; 7 is a ruling.
    """
    return 7 if count < 4 else 5


def most_dealt(count: int, free: int) -> int:
    """Return the most cards that each of `count` players can get, one being left to lie open."""
    return (len(PAIRS) + free - 1) // count


def _dealt(setup: Setup, free: int) -> int:
    """Return the cards dealt to each player."""
    count = len(setup.players)
    most = most_dealt(count, free)
    word = setup.tags.get("Hand", str(dealt_unless_said(count)))
    dealt = number(word, most)
    if not dealt:
        raise SetupError("Hand", f"must be a number from 1 to {most}, not {word[:40]!r}")
    return dealt


def _opened(setup: Setup) -> OpenCard | None:
    """Return the first open card, which nobody announced; None without its tag."""
    word = setup.tags.get("Open")
    if word is None:
        return None
    card = unannounced(word)
    if card is None:
        raise SetupError("Open", f"{word[:40]!r} is no product of the table of 1 to 10")
    return card


def given(position: EinmaleinsPosition, hand: str | None, _roll: str | None) -> tuple[str, ...]:
    """Read the hand; GivenError where it is missing or the deck cannot give it."""
    if hand is None:
        raise GivenError("einmaleins needs the hand: --hand 12,24,*")
    cards = tuple(card.strip() for card in hand.split(",")) if hand.strip() else ()
    for card in dict.fromkeys(cards):
        value = number(card, max(PAIRS))
        copies = position.free if card == FREE else int(value in PAIRS)
        if cards.count(card) > copies:
            raise GivenError(f"the deck has {copies} of the card {card[:40]!r}")
    return cards


def legal_facts(_position: EinmaleinsPosition, _given: tuple[str, ...]) -> Facts:
    return {}


GAME = Game(
    name="einmaleins",
    colours=COLOURS,
    player_counts=COUNTS,
    begin=begin,
    given=given,
    legal_facts=legal_facts,
    house_rules=HOUSE_RULES,
)
