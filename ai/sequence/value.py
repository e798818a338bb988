"""The worth of moves and positions of Sequence: a linear score of fives, and learnt chances."""

from collections.abc import Sequence
from functools import cache
from math import sqrt
from typing import NamedTuple

from ai.api import final_shares, softmax
from ai.weights_file import read_weights
from engines.sequence import board as printed
from engines.sequence.board import (
    BITS,
    CARD_BITS,
    COPIES,
    CORNERS,
    JACKS,
    ONE_EYED,
    SIDE,
    TWO_EYED,
    share_two,
)
from engines.sequence.notation import Place, SequenceMove, Take
from engines.sequence.rules import SequencePosition

FIVES = tuple(printed.WINDOW_NAMES)
"""Every five in a line as a bit set; elsewhere here a five is an index into these."""
INDEX = {five: index for index, five in enumerate(FIVES)}
AT = [[INDEX[five] for five in fives] for fives in printed.THROUGH]
"""By square the fives through it."""
CORNER = [1 if five & CORNERS else 0 for five in FIVES]
"""1 for a five with a corner, which counts as a chip of everybody."""
BEHIND = 0.06
"""The largest loss of chance for scoring lower than the best move."""
FAR = 2_000
"""At this difference of scores a move loses BEHIND; below, in proportion."""
SEEN = True
"""The model knows hands (`tools.learn`)."""
CHIPS = 5
KNOWN_AT = 2 * CHIPS * 3
JACKS_AT = KNOWN_AT + 2 * CHIPS * 6 * 3 * 3
PILE_AT = JACKS_AT + 4 + 4 + 3
WIN = 1_000_000_000
"""The score of a sequence that wins; one chip can make several."""
TURN_IN = 4_000_000_000
"""The score of turning a dead card in, above all moves: it costs nothing."""


class ScoreWeights(NamedTuple):
    """A hundred times the weights of the score, in whole numbers.

    `own[chips][filled]` is for a chip in an own five that has so many chips, and in which the hand
    can fill so many other squares. `block[chips][live]` is for a chip in a rival's five, `live` if
    the square's card may still come. `free` and `taker` are for keeping a two-eyed or a one-eyed
    jack. `last_own` and `last_rival` are percentages for when one more sequence wins.
    """

    own: list[list[int]]
    block: list[list[int]]
    free: int
    taker: int
    last_own: int
    last_rival: int


@cache
def score_weights() -> ScoreWeights:
    """Return the weights of the file."""
    read = read_weights("sequence")
    own = [
        [round(100 * worth * held**filled) for filled in range(5)]
        for worth, held in zip(read["own"], read["held"], strict=True)
    ]
    block = [[round(100 * worth * read["gone"]), round(100 * worth)] for worth in read["block"]]
    names = "keep_two_eyed", "keep_one_eyed", "last_own", "last_rival"
    return ScoreWeights(own, block, *(round(100 * read[name]) for name in names))


@cache
def along(line: int) -> frozenset[int]:
    """Return the fives that share two squares with this one."""
    return frozenset(index for index, five in enumerate(FIVES) if share_two(five, line))


class Fives:
    """Everybody's chips in every five.

    `chips` are by team and five, `shut` by team the fives along its sequences, which cannot count
    again; `closing` tells by team whether one sequence more wins; `free` are squares.
    """

    def __init__(self, position: SequencePosition) -> None:
        self.chips = [[(five & own).bit_count() for five in FIVES] for own in position.chips]
        self.shut: list[set[int]] = [set().union(*map(along, own)) for own in position.sequences]
        self.closing = [len(own) + 1 >= position.needed for own in position.sequences]
        self.free = printed.PLACES
        for own in position.chips:
            self.free &= ~own

    def count(self, team: int, five: int) -> int:
        """Return a team's chips in a five; an unnamed complete five counts as 4."""
        return min(4, self.chips[team][five] + CORNER[five])


class Score(Fives):
    """The score of the moves of one hand."""

    def __init__(self, position: SequencePosition, hand: Sequence[str]) -> None:
        super().__init__(position)
        self.weights = score_weights()
        self.piles, self.codes = position.piles, position.codes
        self.hand, self.team = hand, position.terms.team_of[position.seat]
        self.wild = sum(card in TWO_EYED for card in hand)
        self.fillable = [0] * len(FIVES)
        """By five how many times the hand can fill a square of it."""
        for card in hand:
            squares = 0 if card in JACKS else position.terms.board.targets[card] & self.free
            while squares:
                bit = squares & -squares
                squares ^= bit
                for five in AT[SIDE * SIDE - bit.bit_length()]:
                    self.fillable[five] += 1
        self._rate_fives()

    def _rate_fives(self) -> None:
        """Work out for each five the worth of a chip in it.

        `own` has two numbers: with one filler less in the hand (the card that is played), and with
        two less (a jack is played although the hand has the square's card). `block` has two: the
        square's card can no longer come, or it can.
        """
        weights, team = self.weights, self.team
        mine, closing = self.chips[team], self.closing[team]
        rivals = [other for other in range(len(self.chips)) if other != team]
        self.own = [0] * len(FIVES), [0] * len(FIVES)
        self.block = [0] * len(FIVES), [0] * len(FIVES)
        for five in range(len(FIVES)):
            there = [rival for rival in rivals if self.chips[rival][five]]
            if not there:
                if five not in self.shut[team]:
                    chips = self.count(team, five)
                    gains = weights.own[chips]
                    for less in (1, 2):
                        filled = self.fillable[five] + self.wild - less
                        gain = gains[max(0, min(filled, 4 - chips))]
                        if closing:
                            gain = gain * weights.last_own // 100 + (WIN if chips == 4 else 0)
                        self.own[less - 1][five] = gain
            elif len(there) == 1 and not mine[five] and five not in self.shut[there[0]]:
                rival = there[0]
                for live, gain in enumerate(weights.block[self.count(rival, five)]):
                    last = weights.last_rival if self.closing[rival] else 100
                    self.block[live][five] = gain * last // 100

    def of_place(self, card: str, square: int) -> int:
        """Return the worth of a chip on a free square."""
        code = self.codes[square]
        in_hand = self.hand.count(code)
        gone = self.piles.count_discarded(code)
        jack = card in TWO_EYED
        own = self.own[jack and in_hand > 0]
        block = self.block[gone + in_hand < COPIES]
        total = sum(own[five] + block[five] for five in AT[square])
        return total - self.weights.free if jack else total

    def of_take(self, square: int, chips: Sequence[int]) -> int:
        """Return the worth of taking away the chip on a square; `chips` are sets by team."""
        weights, team = self.weights, self.team
        rival = next(other for other, squares in enumerate(chips) if squares & BITS[square])
        third = [other for other in range(len(chips)) if other not in (team, rival)]
        last = weights.last_rival if self.closing[rival] else 100
        total = 0
        for five in AT[square]:
            if any(self.chips[other][five] for other in third):
                continue
            theirs, mine = self.chips[rival][five], self.chips[team][five]
            if not mine and five not in self.shut[rival]:
                total += weights.block[self.count(rival, five)][1] * last // 100
            # this chip alone blocks the own five
            elif theirs == 1 and mine + CORNER[five] and five not in self.shut[team]:
                total += weights.own[mine + CORNER[five] - 1][0]
        return total - weights.taker


def score_moves(position: SequencePosition, given: Sequence[str]) -> list[tuple[SequenceMove, int]]:
    """Return every legal move with its score, best first; dead cards are turned in first of all."""
    score = Score(position, given)
    scored: list[tuple[SequenceMove, int]] = []
    for move in position.legal(tuple(given)):
        if isinstance(move, Place):
            scored.append((move, score.of_place(move.card, move.square)))
        elif isinstance(move, Take):
            scored.append((move, score.of_take(move.square, position.chips)))
        else:
            scored.append((move, TURN_IN))
    scored.sort(key=lambda each: -each[1])
    return scored


def rate(position: SequencePosition, given: Sequence[str]) -> list[tuple[SequenceMove, float]]:
    """Return every legal move with the chance after it, best first.

    The best move has the chance of the position; a move with a lower score has up to BEHIND less.
    """
    scored = score_moves(position, given)
    if not scored:
        return []
    wins = [move for move, score in scored if WIN <= score < TURN_IN]
    if wins:
        usual = chances(position, given)[position.seat]
        return [(move, 1.0 if score >= WIN else usual) for move, score in scored]
    usual, most = chances(position, given)[position.seat], scored[0][1]
    rated = [
        (move, max(0.0, usual - BEHIND * min(1.0, (most - score) / FAR))) for move, score in scored
    ]
    made = len(position.sequences[position.terms.team_of[position.seat]])
    # two fives at once win too, and a pass may end the game
    if made + 2 == position.terms.needed or len(rated) == 1:
        for place, (move, _) in enumerate(rated[:3]):
            after, _ = position.play(move)
            if after.result is not None:
                rated[place] = move, final_shares(after)[position.seat]
        rated.sort(key=lambda each: -each[1])
    return rated


def reply(position: SequencePosition, given: Sequence[str]) -> SequenceMove:
    """Return the move with the best score."""
    return score_moves(position, given)[0][0]


def chances(position: SequencePosition, hand: Sequence[str] | None = None) -> list[float]:
    """Return each player's chance, which is the team's; `hand` is that of the player to move."""
    if position.result is not None:
        return final_shares(position)
    table, rows = features(position, hand)
    weights = read_weights("sequence", "model")[table]["weights"]
    teams = softmax(
        [sum([weights[role][at] * amount for at, amount in row.items()]) for role, row in rows]
    )
    return [teams[team] for team in position.terms.team_of]


def spread(position: SequencePosition) -> list[float]:
    """Return the standard deviation of each player's chance over possible hands.

    The model says how far one hand moves the log-odds; all other hands are assumed to do the same.
    """
    if position.result is not None:
        return [0.0] * len(position.players)
    table = read_weights("sequence", "model")[table_of(position)]
    odds = table["spread"] * sqrt(len(position.teams))
    return [chance * (1 - chance) * odds for chance in chances(position)]


class HandReading(Fives):
    """The model's input from a position; `hand` is that of the player to move, None if hidden."""

    def __init__(self, position: SequencePosition, hand: Sequence[str] | None) -> None:
        super().__init__(position)
        self.hidden = hand is None
        cards = hand or ()
        self.mover = position.terms.team_of[position.seat]
        self.pile = PILE_AT + min(10, position.draw_pile // 10)
        self.wild = sum(card in TWO_EYED for card in cards)
        self.takers = sum(card in ONE_EYED for card in cards)
        # free squares: the hand has a card for it, one card for it is gone, both
        self.fill = self.one_gone = self.both_gone = 0
        for card in CARD_BITS:
            squares = 0 if card in JACKS else position.terms.board.targets[card] & self.free
            held = cards.count(card)
            gone = position.piles.count_discarded(card) + held
            if held:
                self.fill |= squares
            if gone >= COPIES:
                self.both_gone |= squares
            elif gone:
                self.one_gone |= squares

    def row(self, team: int) -> dict[int, float]:
        """Return how often a team has each feature."""
        others = [chips for other, chips in enumerate(self.chips) if other != team]
        rest = [max(column) for column in zip(*others, strict=True)]
        shut, closing = self.shut[team], CHIPS * self.closing[team]
        known = team == self.mover and not self.hidden
        row: dict[int, float] = {self.pile: 1.0}
        completes = 0
        for five, squares in enumerate(FIVES):
            if rest[five] or five in shut:
                continue
            chips = self.count(team, five)
            if known:
                at = self._known(closing, chips, squares)
                if chips == CHIPS - 1 and (self.wild or squares & self.fill):
                    completes += 1
            else:
                at = self._hidden(closing, chips, squares)
            row[at] = row.get(at, 0.0) + 1
        if known:
            row[JACKS_AT + min(3, self.wild)] = row[JACKS_AT + 4 + min(3, self.takers)] = 1.0
            row[JACKS_AT + 8 + min(2, completes)] = 1.0
        return row

    def _known(self, closing: int, chips: int, squares: int) -> int:
        """Return the feature of a five of the player to move."""
        filled = (squares & self.fill).bit_count()
        lost = min(2, (squares & self.both_gone & ~self.fill).bit_count())
        wilds = min(self.wild, 2) if chips >= 2 else 0
        return KNOWN_AT + (((closing + chips) * 6 + filled) * 3 + wilds) * 3 + lost

    def _hidden(self, closing: int, chips: int, squares: int) -> int:
        """Return the feature of a five of a team with a hidden hand."""
        lost = min(2, (squares & self.both_gone).bit_count())
        if chips == CHIPS - 1:  # the feature says how many cards for the last square are gone
            lost = 2 if lost else int(squares & self.one_gone > 0)
        return (closing + chips) * 3 + lost


def features(
    position: SequencePosition, hand: Sequence[str] | None = None
) -> tuple[str, list[tuple[int, dict[int, float]]]]:
    """Return the table of the model, and each team's role and features in it, by number.

    The role counts teams from the one to move. There are tables for two players, for two teams of
    several, and for three sides; and the same for a known hand. The features are:

    - the fives that the team can still complete, by whether one sequence more wins, by their chips,
      and by how many of their squares nobody can have a card for; with four chips by how many cards
      for the last square are gone
    - with a known hand also by how many squares the hand fills, and by its wild cards
    - of a known hand the number of wild cards, of takers, and of fives of four that it completes
    - the draw pile, in tens
    """
    reading, count = HandReading(position, hand), len(position.teams)
    rows = [((team - reading.mover) % count, reading.row(team)) for team in range(count)]
    return table_of(position) + ("" if hand is None else "-seen"), rows


def table_of(position: SequencePosition) -> str:
    """Return the name of the model's table for hidden hands."""
    return "three" if len(position.teams) == 3 else "two" if len(position.players) == 2 else "teams"
