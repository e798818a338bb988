"""Sequence: sequences, jacks, dead cards, draw pile and every violation in its order."""

import pytest

from engines.game import Event, Refusal
from engines.notation import Fault
from engines.sequence.notation import Place
from tests.engines.sequence_table import THREE, TWO, full_board, sequences, table, tokens
from tests.engines.steps import codes, play, refused

SIX_GAP = "blue r5c2 r5c3 r5c4 r5c6 r5c7"
LINE = "blue r5c5; green r4c1-r4c5 r7c7"


# Sequences.


def test_a_corner_counts_for_every_team() -> None:
    position, events = play(table("blue r1c2 r1c3 r1c4"), "5S@r1c5")
    assert sequences(events) == ["r1c1-r1c5"]
    assert position.result is None
    _, events = play(table("green r2c2 r3c3 r4c4", start=1), "JC@r5c5")
    assert sequences(events) == ["r1c1-r5c5"]


def test_a_second_sequence_may_share_one_field() -> None:
    position, events = play(table("blue r4c1-r4c5 r5c5 r6c5 r7c5"), "JC@r8c5")
    assert sequences(events) == ["r4c5-r8c5"]
    assert position.result is not None
    assert position.result.winners == ("P0",)
    assert position.result.reason == "sequences"
    assert position.result.facts == {"team": "blue", "sequences": {"blue": 2, "green": 0}}
    assert position.to_move is None
    assert position.seat == 0


def test_nine_in_a_row_made_by_the_middle_are_two_sequences_and_win() -> None:
    chips = "blue r5c1 r5c2 r5c3 r5c4 r5c6 r5c7 r5c8 r5c9"
    position, events = play(table(chips), "5H@r5c5")
    assert codes(events) == ["placed", "sequence", "sequence"]
    assert sequences(events) == ["r5c1-r5c5", "r5c5-r5c9"]
    assert position.result is not None
    # with a five from the inside, nine are one
    position, events = play(table(chips), "5H@r5c5=r5c2-r5c6")
    assert sequences(events) == ["r5c2-r5c6"]
    assert position.result is None


@pytest.mark.parametrize(
    ("choice", "line"),
    [("", "r5c2-r5c6"), ("=r5c3-r5c7", "r5c3-r5c7"), ("=r5c7-r5c3", "r5c3-r5c7")],
)
def test_six_in_a_row_are_one_sequence_with_a_choice_of_five(choice: str, line: str) -> None:
    position = table(SIX_GAP)
    plain = position.parse("5H@r5c5")
    assert isinstance(plain, Place)
    assert [(five[0], five[-1]) for five in position.choices(plain)] == [
        ("r5c2", "r5c6"),
        ("r5c3", "r5c7"),
    ]
    _, events = play(position, f"5H@r5c5{choice}")
    assert sequences(events) == [line]


def test_one_chip_in_four_lines_is_read_in_the_documented_order() -> None:
    steps = ((0, 1), (1, 0), (1, 1), (-1, 1))
    chips = " ".join(f"r{5 + i * r}c{5 + i * c}" for r, c in steps for i in (-2, -1, 1, 2))
    rules = {"sequences": "9"}
    _, events = play(table(f"blue {chips}", rules=rules), "5H@r5c5")
    assert sequences(events) == ["r5c3-r5c7", "r3c5-r7c5", "r3c3-r7c7", "r7c3-r3c7"]
    _, events = play(table(f"blue {chips}", rules=rules), "5H@r5c5=r3c7-r7c3")
    assert sequences(events) == ["r7c3-r3c7", "r5c3-r5c7", "r3c5-r7c5", "r3c3-r7c7"]


def test_three_teams_need_one_sequence_and_the_whole_team_wins() -> None:
    position, _ = play(table("blue r1c2 r1c3 r1c4", colours=THREE * 2), "5S@r1c5")
    assert position.result is not None
    assert position.result.winners == ("P0", "P3")
    assert position.result.facts["sequences"] == {"blue": 1, "green": 0, "red": 0}
    six = table("blue r1c2 r1c3 r1c4", colours=TWO * 3)
    assert play(six, "5S@r1c5")[0].result is None
    one = table("blue r1c2 r1c3 r1c4", rules={"sequences": "1"})
    assert play(one, "5S@r1c5")[0].result is not None


# Jacks.


def test_a_jack_against_a_completed_sequence_is_refused() -> None:
    assert refused(table(LINE), "JS-r4c3") == "in-sequence"
    _, events = play(table(LINE), "JS-r7c7")
    assert list(events) == [Event("removed", {"square": "r7c7", "team": "green"})]


def test_the_advanced_rule_lets_a_jack_break_a_sequence() -> None:
    position = table("green r4c1-r4c5 r5c5 r4c5-r8c5 r4c6", rules={"one_eyed_breaks": "yes"})
    assert position.result is not None  # two sequences are enough
    advanced = {"one_eyed_breaks": "yes", "sequences": "3"}
    position = table("green r4c1-r4c5 r4c5-r8c5 r4c6", rules=advanced)
    after, events = play(position, "JH-r4c5")
    assert codes(events) == ["removed"]
    assert after.completed_sequences() == {"blue": (), "green": ()}
    after, _ = play(position, "JH-r4c1")
    assert after.completed_sequences()["green"] == (("r4c5", "r5c5", "r6c5", "r7c5", "r8c5"),)
    # r4c2 to r4c6 are five in a line now, but nobody made them a sequence


# Dead cards, full board, passing.


def test_a_dead_card_is_turned_in_once_a_turn_and_the_turn_goes_on() -> None:
    position = table("blue r5c8 r5c7; green r10c6 r2c6")
    assert position.dead_cards() == ("AH", "9D")
    assert tokens(position, "9D", "AH", "9D") == ["9D!", "AH!"]
    after, events = play(position, "9D!")
    assert list(events) == [Event("dead-card", {"card": "9D"})]
    assert after.seat == 0
    assert refused(after, "AH!") == "one-dead-card"
    assert tokens(after, "AH") == ["pass:AH"]
    assert refused(after, "pass:AH") is None
    assert refused(position, "pass:AH") == "must-play"
    next_turn, _ = play(after, "2S@r1c2")
    assert refused(next_turn, "AH!") is None


@pytest.mark.parametrize(("allowed", "then"), [("0", "one-dead-card"), ("2", None)])
def test_dead_cards_a_turn_are_a_house_rule(allowed: str, then: str | None) -> None:
    position = table("blue r5c8 r5c7; green r10c6 r2c6", rules={"dead_cards": allowed})
    assert refused(position, "AH!") == then
    if then is None:
        position, _ = play(position, "9D!", "AH!")
        assert refused(position, "9D!") == "one-dead-card"


def test_on_a_full_board_everything_is_dead_and_two_eyed_jacks_pass() -> None:
    position = table(full_board())
    assert len(position.dead_cards()) == 48
    assert tokens(position, "JC", "7H") == ["7H!"]
    after, _ = play(position, "7H!")
    assert tokens(after, "JC", "7H", "JC") == ["pass:JC,7H,JC"]
    assert tokens(after, "JS")[0].startswith("JS-")


def test_everybody_passes_is_a_draw() -> None:
    position, events = play(table(full_board()), "pass:JC")
    assert list(events) == [Event("passed", {})]
    position, events = play(position, "talk:blue", "pass:JD")
    assert codes(events) == ["passed", "stalemate"]
    assert position.result is not None
    assert (position.result.winners, position.result.reason) == ((), "stalemate")
    assert refused(position, "rubbish") == "game-over"
    assert refused(position, "<>") == "game-over"
    assert position.legal(("7H",)) == ()


def test_a_dead_card_starts_the_count_of_passes_anew() -> None:
    position, events = play(table(full_board()), "pass:JC", "7H!", "pass:JC")
    assert codes(events) == ["passed"]
    position, events = play(position, "pass:JC")
    assert codes(events) == ["passed", "stalemate"]


# Hands, draw pile, doubts.


@pytest.mark.parametrize(
    ("count", "size"), [(2, 7), (3, 6), (4, 6), (6, 5), (8, 4), (9, 4), (10, 3), (12, 3)]
)
def test_hand_sizes_by_number_of_players(count: int, size: int) -> None:
    for teams in (TWO, THREE):
        names = teams.split()
        if count % len(names) == 0:
            position = table(colours=teams * (count // len(names)))
            assert position.hands == (size,) * count
            assert position.draw_pile == 104 - count * size


def test_forgetting_and_talk_empty_a_hand_until_pass_alone_is_legal() -> None:
    position, events = play(table(full_board(), colours=TWO * 6), "talk:blue", "talk:blue")
    assert list(events) == [Event("talk", {"team": "blue"})]
    assert position.seat == 0
    assert refused(position, "pass") == "bad-move"
    with pytest.raises(Fault):
        position.legal(())
    position, events = play(position, "7H!~")
    assert list(events) == [
        Event("dead-card", {"card": "7H"}),
        Event("no-draw", {"player": "P0"}),
    ]
    assert tokens(position) == ["pass"]
    position, _ = play(position, "pass")
    assert position.hands[:3] == (0, 3, 1)
    position, _ = play(position, "talk:blue", "talk:blue")
    assert min(position.hands) == 0


def test_the_reshuffle_comes_with_the_last_card_drawn_and_takes_all_discards() -> None:
    position = table(colours=TWO * 6)
    position, _ = play(position, "talk:green")
    for turn in range(67):
        token = ("JC@r2c2", "JS-r2c2")[turn % 2]
        position, events = play(position, token)
        assert "reshuffle" not in codes(events)
    assert position.draw_pile == 1
    position, events = play(position, "JS-r2c2")
    assert codes(events) == ["card-doubtful", "removed", "reshuffle"]
    assert (position.draw_pile, position.discards) == (68 + 6, 0)
    _, events = play(position, "JC@r2c2")
    assert codes(events) == ["placed"]


def test_the_third_copy_since_the_shuffle_is_doubtful_and_stands() -> None:
    position, events = play(table(), "JC@r2c2", "JC@r2c3", "JC@r2c4")
    assert list(events) == [
        Event("card-doubtful", {"card": "JC"}),
        Event("placed", {"square": "r2c4"}),
    ]
    assert position.chips_by_square()["r2c4"] == "blue"


def test_who_forgets_to_draw_leaves_the_pile_alone() -> None:
    position, events = play(table(), "2S@r1c2~")
    assert codes(events) == ["placed", "no-draw"]
    assert position.hands == (6, 7)
    assert position.draw_pile == 90
    assert position.discards == 1


def test_nobody_draws_after_a_win() -> None:
    position, events = play(table("blue r4c1-r4c5 r1c2 r1c3 r1c4"), "5S@r1c5~")
    assert codes(events) == ["placed", "sequence"]
    assert position.draw_pile == 90


# Violations.


@pytest.mark.parametrize(
    "token",
    [
        *("", "7H", "7h@r5c9", "7H@r05c9", "7H@r5c09", "7H@r11c1", "7H@r0c1", "7H@r1c11"),
        *("7H@", "@r5c9", "7H@r5c9@r5c9", "7H@r5c9~~", "~7H@r5c9", "7H@r5c9=r5c5", "9D!!"),
        *("JS-r3c2=r3c1-r3c5", "9D!=r3c1-r3c5", "7H@r5c9~=r5c5-r5c9", "7H@r5c9=r5c5-r5c11"),
        *("pass", "pass:", "pass:7h", "pass:7H,", "pass:,7H", "pass:7H~", "PASS:7H", "pass:7H, QD"),
        *("talk", "talk:", "talk:red", "talk:Blue", "talk:green~", "7H@R5C9", "7♥@r5c9"),
        *("7H@r٣c2", "\0", "7H@r5c9\n", "<blue r1c1>", "<blue", "<blue r2c2; to-move=Nobody>"),
    ],
)
def test_what_is_not_notation_is_a_bad_move(token: str) -> None:
    assert refused(table(), token) == "bad-move"


@pytest.mark.parametrize(
    ("token", "code"),
    [
        ("1H@r5c9", "unknown-card"),
        ("11H-r1c1", "unknown-card"),
        ("7X!", "unknown-card"),
        ("pass:JC,ZZ", "unknown-card"),
        ("JS@r1c1", "wrong-jack"),
        ("JC-r1c1", "wrong-jack"),
        ("7H-r4c3", "wrong-jack"),
        ("7H@r1c1", "corner"),
        ("JC@r10c10", "corner"),
        ("JS-r1c10", "corner"),
        ("7H@r4c3", "wrong-square"),
        ("6C@r4c3", "square-taken"),
        ("JC@r5c5=r1c1-r1c5", "square-taken"),
        ("JS-r5c5", "not-opponent"),
        ("JS-r9c9", "not-opponent"),
        ("JH-r4c1", "in-sequence"),
        ("JC!", "dead-jack"),
        ("7H!", "not-dead"),
        ("JC@r5c6=r5c2-r5c6", "bad-choice"),
        ("JC@r5c6=r5c5-r5c6", "bad-choice"),
        ("pass:7H", "must-play"),
        ("pass:JC", "must-play"),
        ("pass:JS", "must-play"),
    ],
)
def test_violations_in_their_order(token: str, code: str) -> None:
    position = table(LINE)
    assert refused(position, token) == code
    move = position.parse(token)
    assert not isinstance(move, Refusal)
    with pytest.raises(Fault):
        position.play(move)


def test_a_choice_must_be_new_and_hold_the_placed_square() -> None:
    position = table("blue r4c1-r4c5 r4c6 r4c7 r9c2 r9c3 r9c4 r9c5 r9c6", rules={"sequences": "9"})
    assert refused(position, "JC@r4c8=r4c4-r4c8") == "bad-choice"
    assert refused(position, "JC@r8c8=r9c2-r9c6") == "bad-choice"


# Legal moves.


@pytest.mark.parametrize("hand", [("7H", "7H", "7H"), ("1H",), ("",), ("7h",)])
def test_impossible_hands_are_refused(hand: tuple[str, ...]) -> None:
    with pytest.raises(Fault):
        table().legal(hand)
