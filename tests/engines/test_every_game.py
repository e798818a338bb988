"""What holds in every game alike: refusals, corrections, the end, and junk that never raises."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import AnyPosition, Event, Refusal
from engines.games import GAMES, SHIPPED
from engines.notation import Fault
from tests.engines import einmaleins_table, numeri_table, sequence_table
from tests.engines.steps import over, play, refused
from tests.engines.test_just4fun_printed import start


class Sample(NamedTuple):
    """A game's first position, and what is tried there."""

    start: AnyPosition
    legal: str
    illegal: str
    why: str
    second: str
    """The player who would be next."""
    table: str
    """The words of a position in which the game goes on."""
    decided: str
    """Those of one that is decided, and who has won it."""
    winner: str
    junk: st.SearchStrategy[str]


SAMPLES = {
    "just4fun": Sample(
        *(start(), "5+11+13", "x19+18+17+16", "exchange-not-allowed"),
        *("Ben", "yellow 23x3; red 7x2", "yellow 1 14 30 24", "Anna"),
        st.from_regex(r"\A<?[x+0-9;= redylow]{0,20}>?\Z"),
    ),
    "numeri": Sample(
        *(numeri_table.table(), "4", "4:-", "must-move"),
        *("Ben", "red 2@9", "yellow 1@8; red 1@9 2@10", "Ben"),
        st.from_regex(r"\A[0-9:,<>@; -]{0,20}\Z") | st.from_regex(r"\A<[^>]*>\Z"),
    ),
    "sequence": Sample(
        *(sequence_table.table(), "2S@r1c2", "JC!", "dead-jack"),
        *("P1", "blue r5c5; green r4c1-r4c5", "blue r2c1-r2c5 r4c5-r4c1", "P0"),
        st.text(alphabet="79JQKASHDC10rc@-!=~:,;<> passtlkgren", max_size=30)
        | st.sampled_from(["9" * 5000, "7H@r" + "1" * 5000 + "c1", f"<{'blue ' * 500}>", "\0@"]),
    ),
    "einmaleins": Sample(
        *(einmaleins_table.table(), "d", "35=5x7", "no-common-factor"),
        *(
            "Ben",
            "yellow 5; red 6; green 7; open 28=4x7",
            "yellow 5; red 0; green 7; open 24",
            "Ben",
        ),
        st.from_regex(r"\A\*?[0-9]{0,3}=?[0-9]{0,3}x?[0-9]{0,3}\Z")
        | st.from_regex(r"\A<(yellow|red|open|[0-9 ;=x*]){0,12}>\Z"),
    ),
}
every_game = pytest.mark.parametrize("game", SAMPLES)


@every_game
def test_play_raises_what_refusal_says(game: str) -> None:
    position, token = SAMPLES[game].start, SAMPLES[game].illegal
    assert refused(position, token) == SAMPLES[game].why
    with pytest.raises(Fault) as caught:
        position.play(position.parse(token))
    assert caught.value.code == SAMPLES[game].why


@every_game
def test_a_correction_may_say_who_is_to_move(game: str) -> None:
    position, table, second = SAMPLES[game].start, SAMPLES[game].table, SAMPLES[game].second
    assert play(position, f"<{table}>")[0].seat == 0
    assert play(position, f"<{table}; to-move={second}>")[0].seat == 1
    assert refused(position, f"<{table}; to-move=Nobody>") == "bad-move"


@every_game
def test_a_correction_to_a_decided_position_ends_the_game(game: str) -> None:
    after, events = play(SAMPLES[game].start, f"<{SAMPLES[game].decided}>")
    assert events == (Event("corrected", {}),)
    assert over(after).winners == (SAMPLES[game].winner,)


@every_game
def test_after_the_end_every_token_is_game_over(game: str) -> None:
    sample = SAMPLES[game]
    after, _ = play(sample.start, f"<{sample.decided}>")
    for token in (sample.legal, sample.illegal, "junk", "", "<", f"<{sample.table}>", "9" * 5000):
        assert refused(after, token) == "game-over"
    move = sample.start.parse(sample.legal)
    assert not isinstance(move, Refusal)
    assert after.refusal(move) == Refusal("game-over", sample.legal)


@every_game
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_junk_never_raises(game: str, data: st.DataObject) -> None:
    position = SAMPLES[game].start
    token = data.draw(st.text(max_size=30) | SAMPLES[game].junk)
    move = position.parse(token)
    if isinstance(move, Refusal):
        assert move.code == "bad-move"
    elif position.refusal(move) is None:
        after, _ = position.play(move)
        assert after is not position


def test_every_shipped_game_is_tried_and_those_with_points_have_a_score() -> None:
    assert SAMPLES.keys() == SHIPPED.keys()
    assert {game for game in SAMPLES if GAMES[game].score} == {"just4fun", "numeri"}
