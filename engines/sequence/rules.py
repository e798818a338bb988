"""The rules of Sequence: cards place chips, five in a line are a sequence.

Hands and the draw pile are hidden, so only their sizes are counted.

Facts of refusals by code: `unknown-card`, `wrong-jack`, `dead-jack` {card};
`corner` {square}; `wrong-square`, `not-dead` {card, squares}; `square-taken` {square, team};
`not-opponent` {square, team or None}; `in-sequence` {square, team, squares};
`one-dead-card` {card, allowed}; `bad-choice` {squares: the two ends}; `must-play` {card, dead}.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from engines.game import Event, Game, HouseRule, Player, Position, Refusal, Result, Setup
from engines.notation import QUOTED, Fault
from engines.seating import board_of, check_table
from engines.sequence.board import (
    BITS,
    BOARD,
    CARD_BITS,
    CARDS,
    CORNERS,
    DECK,
    INDEX,
    JACKS,
    ONE_EYED,
    PLACES,
    SQUARES,
    TWO_EYED,
    WINDOW_NAMES,
    Board,
    Sequences,
    bits_of,
    candidates,
    names_in,
    new_sequences,
    unnamed_fives,
    window_between,
)
from engines.sequence.notation import (
    Layout,
    Moves,
    Pass,
    Place,
    SequenceMove,
    Take,
    Talk,
    TurnIn,
    check_hand,
    describe_layout,
    make_pass,
    make_place,
    moves_of,
    pick_squares,
    read_layout,
    read_move,
)

COLOURS = ("blue", "green", "red")
HAND_SIZES: Mapping[int, int] = {2: 7, 3: 6, 4: 6, 6: 5, 8: 4, 9: 4, 10: 3, 12: 3}
"""Cards dealt to each player, by the number of players (printed table)."""
NEEDED: Mapping[int, int] = {2: 2, 3: 1}
"""Sequences that win, by the number of teams (printed rule)."""
HOUSE_RULES = (
    # the default depends on the number of teams: NEEDED
    HouseRule("sequences", "", least=1),
    HouseRule("one_eyed_breaks", "no", ("no", "yes")),
    HouseRule("dead_cards", "1", least=0),
)

_RESHUFFLE = Event("reshuffle", {})


@dataclass(frozen=True, slots=True)
class Terms:
    """The constants of a game: board, teams in seat order, rules.

    `team_of[seat]` is the index of its team; `may_break`: one-eyed jacks may take a chip
    out of a completed sequence; `most_dead_cards` may be turned in during one turn.
    """

    board: Board
    moves: Moves
    teams: tuple[str, ...]
    team_of: tuple[int, ...]
    needed: int
    may_break: bool
    most_dead_cards: int

    def __hash__(self) -> int:
        # the mappings in `moves` cannot be hashed, and they follow from the board
        return hash((self.board, self.teams, self.team_of))


class Piles(NamedTuple):
    """Sizes of draw pile and discards, and the cards discarded since the last shuffle.

    `once` and `twice` are the cards (bits of CARD_BITS) of which one or two copies are there.
    """

    draw_pile: int
    discards: int = 0
    once: int = 0
    twice: int = 0

    def discard(self, card: str, *, drawn: bool) -> "Piles":
        """Return the piles after a card was discarded and, if `drawn`, another one drawn.

        Printed rule: the discards are shuffled as soon as the draw pile is used up. `discards`
        is 0 then, and only then.
        """
        if drawn and self.draw_pile <= 1:  # the last card is drawn: all discards are shuffled
            return Piles(self.discards + 1)
        bit = CARD_BITS[card]
        twice = self.twice | (self.once & bit)
        left = self.draw_pile - 1 if drawn else self.draw_pile
        return Piles(left, self.discards + 1, self.once | bit, twice)

    def count_discarded(self, card: str) -> int:
        """Return how many copies of this card are in the discard pile."""
        bit = CARD_BITS[card]
        # a card of which both copies lie there is in both sets
        return bool(self.once & bit) + bool(self.twice & bit)


@dataclass(frozen=True, slots=True, repr=False)
class SequencePosition(Position[SequenceMove, tuple[str, ...]]):
    """A game of Sequence at one moment.

    `chips`: one bit set a team; `hands`: by seat the number of cards, according to the record;
    `passes`: passes in a row; `turned_in`: dead cards turned in during this turn.
    """

    players: tuple[Player, ...]
    seat: int
    result: Result | None
    terms: Terms
    chips: tuple[int, ...]
    sequences: Sequences
    hands: tuple[int, ...]
    piles: Piles
    passes: int
    turned_in: int

    # reading, for screens

    @property
    def draw_pile(self) -> int:
        """Cards left to draw."""
        return self.piles.draw_pile

    @property
    def discards(self) -> int:
        """Cards in the discards."""
        return self.piles.discards

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams in the order they sit."""
        return self.terms.teams

    @property
    def team(self) -> str:
        """The team of the player to move, or once the game is over, of the last one to move."""
        return self.terms.teams[self.terms.team_of[self.seat]]

    @property
    def needed(self) -> int:
        """The number of sequences that wins."""
        return self.terms.needed

    @property
    def codes(self) -> tuple[str, ...]:
        """The card printed on each square, row by row; `--` is a corner."""
        return self.terms.board.codes

    def chips_by_square(self) -> dict[str, str]:
        """Return the team of every chip, by its square."""
        return {
            square: team
            for team, chips in zip(self.teams, self.chips, strict=True)
            for square in names_in(chips)
        }

    def completed_sequences(self) -> dict[str, tuple[tuple[str, ...], ...]]:
        """Return the completed sequences of every team, each as its five squares."""
        return {
            team: tuple(WINDOW_NAMES[line] for line in lines)
            for team, lines in zip(self.teams, self.sequences, strict=True)
        }

    def unnamed_fives(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Return (team, squares) of every five in a line that nobody named, so it counts nothing.

        () once the game is over.
        """
        if self.result is not None:
            return ()
        return tuple(
            (team, WINDOW_NAMES[line])
            for team, chips, sequences in zip(self.teams, self.chips, self.sequences, strict=True)
            for line in unnamed_fives(chips, sequences)
        )

    def name_five(self, team: str, squares: Sequence[str]) -> str:
        """Return the correction that names one of `unnamed_fives` as a sequence."""
        line = bits_of(INDEX[square] for square in squares)
        sequences = tuple(
            (*lines, line) if team == name else lines
            for name, lines in zip(self.teams, self.sequences, strict=True)
        )
        return f"<{describe_layout(Layout(self.chips, sequences), self.teams)}>"

    def squares_of(self, card: str) -> tuple[str, ...]:
        """Return the squares of a card, free or not; () for a jack or an unknown card."""
        return () if card in JACKS else names_in(self.terms.board.targets.get(card, 0))

    def free_squares(self, card: str) -> tuple[str, ...]:
        """Return the squares on which this card may place a chip now."""
        return names_in(self.terms.board.targets.get(card, 0) & self._free())

    def removable_squares(self) -> tuple[str, ...]:
        """Return the squares from which a one-eyed jack may take a chip away now."""
        return names_in(self._removable())

    def dead_cards(self) -> tuple[str, ...]:
        """Return every card of the deck that has no free square left."""
        return tuple(card for card in CARDS if self.is_dead(card))

    def is_dead(self, card: str) -> bool:
        """Tell whether a card other than a jack has no free square."""
        squares = self.terms.board.targets.get(card, 0)
        return card not in JACKS and squares != 0 and not squares & self._free()

    def choices(self, move: Place) -> tuple[tuple[str, ...], ...]:
        """Return every five that may become a new sequence by this legal move.

        Pass one of them to `with_choice`.
        """
        return tuple(WINDOW_NAMES[line] for line in self._candidates(move))

    @staticmethod
    def with_choice(move: Place, squares: Sequence[str]) -> Place:
        """Return the same move with this choice of five squares."""
        ends = (squares[0], squares[-1])
        return make_place(move.card, move.square, choice=ends, forgot=move.forgot)

    # the rules

    def _read(self, token: str) -> SequenceMove | None:
        plain = self.terms.moves.by_token.get(token)
        if plain is not None:
            return plain
        move = read_move(token)
        return None if isinstance(move, Talk) and move.team not in self.teams else move

    def legal(self, given: tuple[str, ...]) -> Sequence[SequenceMove]:
        """Return every legal move with this hand, by card as given, then by square.

        Fault if the deck has no such card or fewer copies, or if no card is given although the
        player must have some. Nothing is legal once the game is over.
        """
        if self.result is not None:
            return ()
        check_hand(given)
        moves = self.terms.moves
        free = self._free()
        may_turn_in = self.turned_in < self.terms.most_dead_cards
        playable: list[SequenceMove] = []
        for card in dict.fromkeys(given):
            if card in TWO_EYED:
                playable.extend(pick_squares(moves.anywhere[card], free))
            elif card in ONE_EYED:
                playable.extend(pick_squares(moves.takes[card], self._removable()))
            else:
                squares, by_free = moves.plays[card]
                if plays := by_free[squares & free]:
                    playable.extend(plays)
                elif may_turn_in:
                    playable.append(moves.turn_ins[card])
        if playable:
            return playable
        if not given and self.hands[self.seat] > 0:
            raise Fault("hand-needed", word="7H,JC")
        return (make_pass(given),)

    def candidates(self, given: tuple[str, ...]) -> Sequence[SequenceMove]:
        """Return each card on every square, then turned in, and at last the pass."""
        found: list[SequenceMove] = []
        for card in dict.fromkeys(given):
            found += self.terms.moves.everywhere(card)
        return (*found, make_pass(given))

    def _refuse(self, move: SequenceMove) -> Refusal | None:
        match move:
            case Place():
                return self._refuse_place(move)
            case Take():
                return self._refuse_take(move)
            case TurnIn():
                return self._refuse_turn_in(move)
            case Pass():
                return self._refuse_pass(move)
            case Talk():
                return None if move.team in self.teams else Refusal("bad-move", move.token)

    def _play(self, move: SequenceMove) -> tuple["SequencePosition", tuple[Event, ...]]:
        match move:
            case Place():
                return self._play_place(move)
            case Take():
                return self._play_take(move)
            case TurnIn():
                return self._play_turn_in(move)
            case Pass():
                return self._play_pass()
            case Talk():
                return self._play_talk(move)

    def _read_layout(self, text: str) -> Layout:
        return read_layout(text, self.teams, self.needed)

    def _set(self, layout: Layout, seat: int) -> "SequencePosition":
        return replace(
            self,
            seat=seat,
            chips=layout.chips,
            sequences=layout.sequences,
            result=self._find_result(layout.sequences),
            # a correction within a turn gives no second dead card
            turned_in=self.turned_in if seat == self.seat else 0,
        )

    def _find_result(self, sequences: Sequences) -> Result | None:
        return find_result(self.players, self.terms.teams, self.terms.needed, sequences)

    def describe(self) -> str:
        return describe_layout(Layout(self.chips, self.sequences), self.teams)

    # bit sets

    def _free(self) -> int:
        free = PLACES
        for chips in self.chips:
            free &= ~chips
        return free

    def _removable(self) -> int:
        """Return the set of squares from which the player to move may take a chip."""
        own = self.terms.team_of[self.seat]
        squares = 0
        for team, chips in enumerate(self.chips):
            if team != own:
                squares |= chips
                if not self.terms.may_break:
                    for line in self.sequences[team]:
                        squares &= ~line
        return squares

    def _team_on(self, bit: int) -> int | None:
        return next((team for team, chips in enumerate(self.chips) if chips & bit), None)

    def _candidates(self, move: Place) -> list[int]:
        team = self.terms.team_of[self.seat]
        covered = self.chips[team] | BITS[move.square]
        return candidates(covered, move.square, self.sequences[team])

    # refusals, each in the order of the record format

    def _refuse_place(self, move: Place) -> Refusal | None:
        bit = BITS[move.square]
        targets = self.terms.board.targets.get(move.card, 0)
        # nearly every move is legal, so this is tested first
        if move.choice is None and targets & self._free() & bit:
            return None
        square = SQUARES[move.square]
        if move.card not in CARD_BITS:
            return Refusal("unknown-card", move.token, {"card": move.card[:QUOTED]})
        if move.card in ONE_EYED:
            return Refusal("wrong-jack", move.token, {"card": move.card})
        if bit & CORNERS:
            return Refusal("corner", move.token, {"square": square})
        if not targets & bit:
            squares = list(self.squares_of(move.card))
            return Refusal("wrong-square", move.token, {"card": move.card, "squares": squares})
        chip_team = self._team_on(bit)
        if chip_team is not None:
            facts = {"square": square, "team": self.teams[chip_team]}
            return Refusal("square-taken", move.token, facts)
        if move.choice is not None and window_between(*move.choice) not in self._candidates(move):
            return Refusal("bad-choice", move.token, {"squares": list(move.choice)})
        return None

    def _refuse_take(self, move: Take) -> Refusal | None:
        bit = BITS[move.square]
        square = SQUARES[move.square]
        if move.card not in CARD_BITS:
            return Refusal("unknown-card", move.token, {"card": move.card[:QUOTED]})
        if move.card not in ONE_EYED:
            return Refusal("wrong-jack", move.token, {"card": move.card})
        if bit & CORNERS:
            return Refusal("corner", move.token, {"square": square})
        chip_team = self._team_on(bit)
        if chip_team is None or chip_team == self.terms.team_of[self.seat]:
            team = None if chip_team is None else self.teams[chip_team]
            return Refusal("not-opponent", move.token, {"square": square, "team": team})
        line = next((line for line in self.sequences[chip_team] if line & bit), None)
        if line is not None and not self.terms.may_break:
            facts = {"square": square, "team": self.teams[chip_team]}
            return Refusal(
                "in-sequence", move.token, {**facts, "squares": list(WINDOW_NAMES[line])}
            )
        return None

    def _refuse_turn_in(self, move: TurnIn) -> Refusal | None:
        card = move.card
        if card not in CARD_BITS:
            return Refusal("unknown-card", move.token, {"card": card[:QUOTED]})
        if card in JACKS:
            return Refusal("dead-jack", move.token, {"card": card})
        if not self.is_dead(card):
            squares = list(self.free_squares(card))
            return Refusal("not-dead", move.token, {"card": card, "squares": squares})
        if self.turned_in >= self.terms.most_dead_cards:
            allowed = self.terms.most_dead_cards
            return Refusal("one-dead-card", move.token, {"card": card, "allowed": allowed})
        return None

    def _refuse_pass(self, move: Pass) -> Refusal | None:
        if not move.cards and self.hands[self.seat] > 0:  # a player who passes must show the hand
            return Refusal("bad-move", move.token)
        for card in move.cards:
            if card not in CARD_BITS:
                return Refusal("unknown-card", move.token, {"card": card[:QUOTED]})
        for card in dict.fromkeys(move.cards):
            if card in ONE_EYED:
                playable = self._removable() != 0
            else:
                playable = self.terms.board.targets[card] & self._free() != 0
            dead = self.is_dead(card) and self.turned_in < self.terms.most_dead_cards
            if playable or dead:
                return Refusal("must-play", move.token, {"card": card, "dead": dead})
        return None

    # playing

    def _play_place(self, move: Place) -> tuple["SequencePosition", tuple[Event, ...]]:
        team = self.terms.team_of[self.seat]
        own = self.chips[team] | BITS[move.square]
        events = self._doubts(move.card)
        events.append(Event("placed", {"square": SQUARES[move.square]}))
        earlier = self.sequences[team]
        chosen = window_between(*move.choice) if move.choice else None
        lines = new_sequences(own, move.square, earlier, chosen)
        chips = (*self.chips[:team], own, *self.chips[team + 1 :])
        sequences = self.sequences
        result = None
        if lines:
            sequences = (*sequences[:team], (*earlier, *lines), *sequences[team + 1 :])
            for line in lines:
                facts = {"team": self.teams[team], "squares": list(WINDOW_NAMES[line])}
                events.append(Event("sequence", facts))
            result = self._find_result(sequences)
        return self._discard(move, chips, sequences, events, result)

    def _play_take(self, move: Take) -> tuple["SequencePosition", tuple[Event, ...]]:
        bit = BITS[move.square]
        events = self._doubts(move.card)
        team = self._team_on(bit)
        chips = tuple(own & ~bit for own in self.chips)
        # with the house rule `one_eyed_breaks` this can break a sequence
        sequences = tuple(
            tuple(line for line in lines if not line & bit) for lines in self.sequences
        )
        # `team` is None only if no chip is there, which is illegal
        facts = {"square": SQUARES[move.square], "team": self.teams[team or 0]}
        events.append(Event("removed", facts))
        return self._discard(move, chips, sequences, events)

    def _play_turn_in(self, move: TurnIn) -> tuple["SequencePosition", tuple[Event, ...]]:
        events = self._doubts(move.card)
        events.append(Event("dead-card", {"card": move.card}))
        return self._discard(move, self.chips, self.sequences, events)

    def _play_pass(self) -> tuple["SequencePosition", tuple[Event, ...]]:
        events = [Event("passed", {})]
        passes = self.passes + 1
        if passes >= len(self.players):
            events.append(Event("stalemate", {}))
            over = Result((), "stalemate")
            return replace(self, result=over, passes=passes), tuple(events)
        seat = (self.seat + 1) % len(self.players)
        return replace(self, seat=seat, passes=passes, turned_in=0), tuple(events)

    def _play_talk(self, move: Talk) -> tuple["SequencePosition", tuple[Event, ...]]:
        # each player of the team loses a card; ruling: these penalty cards go to the discards
        team = self.teams.index(move.team)
        hands = tuple(
            max(0, cards - (self.terms.team_of[seat] == team))
            for seat, cards in enumerate(self.hands)
        )
        penalty = sum(self.hands) - sum(hands)
        piles = self.piles._replace(discards=self.piles.discards + penalty)
        events = (Event("talk", {"team": move.team}),)
        return replace(self, hands=hands, piles=piles), events

    def _doubts(self, card: str) -> list[Event]:
        """Return an event if both copies of this card are discarded already, else nothing."""
        if self.piles.twice & CARD_BITS[card]:
            return [Event("card-doubtful", {"card": card})]
        return []

    def _discard(
        self,
        move: Place | Take | TurnIn,
        chips: tuple[int, ...],
        sequences: Sequences,
        events: list[Event],
        result: Result | None = None,
    ) -> tuple["SequencePosition", tuple[Event, ...]]:
        """Discard the card, draw or forget to, and end the turn unless the card was dead."""
        again = isinstance(move, TurnIn)
        seat, hands = self.seat, self.hands  # a card drawn keeps the hand as large as it was
        piles = self.piles.discard(move.card, drawn=result is None and not move.forgot)
        if result is not None:
            # after a win nobody draws, so nobody forgets to either
            hands = _less_one(hands, seat)
        elif move.forgot:
            hands = _less_one(hands, seat)
            events.append(Event("no-draw", {"player": self.players[seat].name}))
        elif not piles.discards:  # this move's card would be there without a shuffle
            events.append(_RESHUFFLE)
        turned_in = self.turned_in + 1 if again else 0
        if result is None and not again:
            seat = (seat + 1) % len(self.players)
        # fmt: off
        after = SequencePosition(
            self.players, seat, result, self.terms,
            chips, sequences, hands, piles, passes=0, turned_in=turned_in,
        )
        # fmt: on
        return after, tuple(events)


def _less_one(hands: tuple[int, ...], seat: int) -> tuple[int, ...]:
    # a hand that is empty according to the record may still have cards: somebody drew later
    return (*hands[:seat], max(0, hands[seat] - 1), *hands[seat + 1 :])


def find_result(
    players: tuple[Player, ...], teams: Sequence[str], needed: int, sequences: Sequences
) -> Result | None:
    """Return the result if a team has enough sequences to win, else None."""
    for team, lines in zip(teams, sequences, strict=True):
        if len(lines) >= needed:
            winners = tuple(player.name for player in players if player.colour == team)
            counts = {name: len(own) for name, own in zip(teams, sequences, strict=True)}
            return Result(winners, "sequences", {"team": team, "sequences": counts})
    return None


def teams_of(players: Sequence[Player]) -> tuple[str, ...]:
    """Return the teams in seat order; Fault if they do not sit in turn.

    Two or three teams of one size: every second or third seat is of the same team.
    """
    colours = [player.colour for player in players]
    for count in NEEDED:
        teams = tuple(colours[:count])
        repeated = list(teams) * (len(colours) // count)
        # `count` different teams, in the same order all around the table
        if len(set(teams)) == count and repeated == colours:
            return teams
    raise Fault("teams-in-turn", "Players")


def begin(setup: Setup) -> SequencePosition:
    """Return the first position of a game, or raise a Fault."""
    check_table(setup, COLOURS, HAND_SIZES, HOUSE_RULES, teams=True)
    teams = teams_of(setup.players)
    board = board_of(setup, BOARD)
    terms = Terms(
        board=board,
        moves=moves_of(board),
        teams=teams,
        team_of=tuple(teams.index(player.colour) for player in setup.players),
        needed=int(setup.rules.get("sequences", NEEDED[len(teams)])),
        may_break=setup.rules.get("one_eyed_breaks") == "yes",
        most_dead_cards=int(setup.rules.get("dead_cards", 1)),
    )
    players = len(setup.players)
    dealt = HAND_SIZES[players]
    first = SequencePosition(
        players=setup.players,
        seat=setup.start,
        result=None,
        terms=terms,
        chips=(0,) * len(teams),
        sequences=((),) * len(teams),
        hands=(dealt,) * players,
        piles=Piles(DECK - dealt * players),
        passes=0,
        turned_in=0,
    )
    return first.apply_setup(setup)


def given(position: SequencePosition, hand: str | None, _roll: str | None) -> tuple[str, ...]:
    """Read a hand such as "7H,JC"; Fault if it is missing or impossible.

    A player without cards needs none.
    """
    cards = tuple(card.strip() for card in hand.split(",")) if hand and hand.strip() else ()
    if not cards and position.hands[position.seat] > 0:
        raise Fault("hand-needed", word="7H,JC")
    check_hand(cards)
    return cards


def remarks(before: SequencePosition | None, after: SequencePosition) -> tuple[Event, ...]:
    """Return an event for each five in a line that counts nothing now, but not `before`."""
    known = () if before is None else before.unnamed_fives()
    return tuple(
        Event("unnamed-five", {"team": team, "squares": list(squares)})
        for team, squares in after.unnamed_fives()
        if (team, squares) not in known
    )


GAME = Game(
    name="sequence",
    colours=COLOURS,
    player_counts=frozenset(HAND_SIZES),
    begin=begin,
    given=given,
    house_rules=HOUSE_RULES,
    board=BOARD,
    remarks=remarks,
)
