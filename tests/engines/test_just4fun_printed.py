"""Just 4 Fun: the examples that the printed rules give, by name."""

import pytest

from engines.game import Event, Player, Refusal, Setup
from engines.just4fun.rules import Just4Fun, begin, score
from engines.notation import Fault
from tests.engines.steps import play

ANNA, BEN, CARO, DORA = (
    Player("Anna", "yellow"),
    Player("Ben", "red"),
    Player("Caro", "white"),
    Player("Dora", "pink"),
)
# row by row; the shipped board
FIELDS = (
    (1, 14, 30, 24, 19, 8),
    (33, 11, 9, 16, 35, 21),
    (6, 27, 31, 20, 3, 12),
    (15, 32, 5, 29, 17, 26),
    (22, 10, 18, 36, 25, 2),
    (28, 7, 23, 4, 13, 34),
)


def start(*players: Player, position: str | None = None, at: int = 0, **rules: str) -> Just4Fun:
    return begin(Setup(players or (ANNA, BEN), start=at, position=position, rules=rules))


def copies(position: Just4Fun, card: int) -> int:
    """Return how many of a card lie in the discard pile, eight bits a value."""
    return position.piles.discarded >> 8 * card & 255


def refused(position: Just4Fun, token: str) -> Refusal:
    """Return why a token is refused; playing it raises the same."""
    move = position.parse(token)
    if isinstance(move, Refusal):
        return move
    refusal = position.refusal(move)
    assert refusal is not None, token
    with pytest.raises(Fault) as caught:
        position.play(move)
    fault = caught.value
    assert Refusal(fault.code, fault.place, fault.facts) == refusal
    return refusal


def test_5_and_11_and_13_go_to_field_29() -> None:
    after, events = play(start(), "5+11+13")
    assert events == (Event("placed", {"field": 29, "stones": 1}),)
    assert after.stones(29, 0) == 1
    assert after.stones_left == (19, 20)
    assert after.owner(29) == ANNA
    assert after.to_move == BEN


@pytest.mark.parametrize(("field", "two", "one", "none"), [(18, BEN, ANNA, CARO), (12, 0, 1, 3)])
def test_a_player_two_behind_is_blocked_and_one_behind_may_compete(
    field: int, two: Player | int, one: Player | int, none: Player | int
) -> None:
    table = (ANNA, BEN, CARO, DORA)
    seats = [table.index(who) if isinstance(who, Player) else who for who in (two, one, none)]
    colours = [table[seat].colour for seat in seats]
    text = f"{colours[0]} {field}x2; {colours[1]} {field}"
    cards = f"{field - 7}+7"
    blocked = start(*table, position=text, at=seats[2])
    assert refused(blocked, cards) == Refusal(
        "field-blocked", cards, {"field": field, "leader": table[seats[0]].name, "lead": 2}
    )
    _, events = play(start(*table, position=text, at=seats[1]), cards)
    assert events == (Event("placed", {"field": field, "stones": 2}),)


def test_two_stones_more_than_any_other_secure_a_field() -> None:
    position = start(ANNA, BEN, CARO, position="yellow 18x2; red 18; white 18")
    after, events = play(position, "10+8")
    assert events == (
        Event("placed", {"field": 18, "stones": 3}),
        Event("secured", {"field": 18, "removed": {"Ben": 1, "Caro": 1}}),
    )
    assert [after.stones(18, seat) for seat in range(3)] == [3, 0, 0]
    assert after.stones_left == (17, 19, 19)
    assert refused(after, "9+9").facts == {"field": 18, "leader": "Anna", "lead": 3}


def test_field_23_counts_for_yellow_and_field_7_for_nobody() -> None:
    position = start(
        ANNA, BEN, CARO, position="yellow 23x3 7x1; red 23x2 7x2; white 23x2 7x2 left=0"
    )
    result = score(position)
    assert result.winners == ("Anna",)
    assert result.reason == "points"
    assert result.facts["points"] == {"Anna": 23, "Ben": 0, "Caro": 0}
    assert result.facts["fields"] == {"Anna": [23], "Ben": [], "Caro": []}
    seven, twenty_three = position.settle_fields()
    assert (seven.field, seven.owner, seven.removed) == (7, None, (1, 2, 2))
    assert (twenty_three.owner, twenty_three.removed) == (0, (0, 2, 2))


@pytest.mark.parametrize(
    "places",
    [
        [(0, 0), (0, 1), (0, 2), (0, 3)],
        [(2, 4), (3, 4), (4, 4), (5, 4)],
        [(2, 0), (3, 1), (4, 2), (5, 3)],
        [(5, 0), (4, 1), (3, 2), (2, 3)],
    ],
    ids=["across", "down", "falling", "rising"],
)
def test_four_in_a_line_win(places: list[tuple[int, int]]) -> None:
    row = sorted(FIELDS[y][x] for y, x in places)
    for last in row:
        if last > 19:
            continue
        others = " ".join(str(field) for field in row if field != last)
        after, events = play(start(position=f"yellow {others}"), str(last))
        assert events[-1] == Event("row", {"rows": [row]})
        assert after.result is not None
        assert (after.result.winners, after.result.reason) == (("Anna",), "row")
        assert after.to_move is None


@pytest.mark.parametrize(
    "places",
    [
        [(0, 0), (0, 1), (1, 0), (1, 1)],
        [(0, 0), (0, 1), (0, 2), (1, 3)],
        [(0, 4), (0, 5), (1, 0), (1, 1)],
        [(0, 0), (1, 1), (2, 2), (2, 3)],
        [(0, 0), (0, 1), (0, 2), (0, 4)],
    ],
    ids=["a square", "a bend", "round the edge", "a broken diagonal", "a gap"],
)
def test_fields_side_by_side_but_not_in_a_row_do_not_win(places: list[tuple[int, int]]) -> None:
    fields = " ".join(str(FIELDS[y][x]) for y, x in places)
    assert start(position=f"yellow {fields}").result is None


def test_a_row_counts_only_with_the_majority_on_each_field() -> None:
    after, events = play(start(position="yellow 1 14 30; red 1"), "12+12")
    assert [event.code for event in events] == ["placed"]
    after, events = play(after, "2", "1")
    assert [event.code for event in events] == ["placed", "row"]
    assert after.result is not None


def reshuffles(*tokens: str) -> tuple[Just4Fun, list[int]]:
    """Play tokens from the start; return after how many of them the cards were shuffled."""
    position, found = start(), []
    for index, token in enumerate(tokens, 1):
        position, events = play(position, token)
        if Event("reshuffle", {}) in events:
            found.append(index)
    return position, found


def test_used_cards_are_shuffled_when_the_last_card_is_drawn() -> None:
    # two players hold 8 of 55 cards: the pile has 47
    fours = ("1+2+3+4", "1+2+3+5", "1+2+3+6", "1+2+3+7", "1+2+4+7", "1+2+4+8")
    tokens = (*fours, "1+2+4+9", "1+2+4+10", "1+2+4+11", "1+2+4+12", "1+2+5+12", "1+2+6")
    position, found = reshuffles(*tokens)
    assert found == [12]
    assert (position.draw_pile, position.discards, copies(position, 1)) == (47, 0, 0)


def test_used_cards_are_shuffled_in_the_midst_of_drawing() -> None:
    fours = ("1+2+3+4", "1+2+3+5", "1+2+3+6", "1+2+3+7", "1+2+4+7", "1+2+4+8")
    tokens = (*fours, "1+2+4+9", "1+2+4+10", "1+2+4+11", "1+2+4+12", "1+2+5+12", "1+2+6+12")
    position, found = reshuffles(*tokens[:-1])
    assert (found, position.draw_pile, copies(position, 1)) == ([], 3, 11)
    position, found = reshuffles(*tokens)
    # 3 from the old pile, 1 from the 48 discards
    assert (found, position.draw_pile, copies(position, 1)) == ([12], 47, 0)


def test_a_hand_without_a_legal_field_is_exchanged() -> None:
    # 3, 9, 9, 12 make 3 9 12 18 21 24 30 33
    text = "red 3x2 9x2 12x2 15x2 18x2 21x2 24x2 30x2 33x2"
    position = start(position=text)
    assert refused(position, "9+9").code == "field-blocked"
    assert [move.token for move in position.legal((9, 3, 12, 9))] == ["x3+9+9+12"]
    after, events = play(position, "x3+9+9+12")
    assert events == (Event("exchanged", {}),)
    assert after.stones_left == position.stones_left
    assert copies(after, 9) == 2
    assert after.to_move == BEN
    free = start(position=text.replace("30x2", "30"))
    assert refused(free, "x3+9+9+12") == Refusal(
        "exchange-not-allowed", "x3+9+9+12", {"fields": [30]}
    )
