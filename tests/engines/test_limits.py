"""What is beyond any game is refused before anything looks at it, in little time and memory."""

import time
import tracemalloc

import pytest

from engines.board import read_table
from engines.game import Refusal
from engines.games import SHIPPED
from engines.notation import TOKEN_LIMIT_LETTERS, Fault
from engines.record import (
    NAME_LIMIT_LETTERS,
    TAG_LIMIT,
    TAG_LIMIT_LETTERS,
    TOKEN_LIMIT,
    Note,
    Reading,
    Record,
    begin,
    begin_game,
    parse,
    write,
)

TAGS = {
    "just4fun": {"Game": "just4fun", "Players": "Anna yellow, Ben red"},
    "numeri": {"Game": "numeri", "Players": "Anna yellow, Ben red"},
    "sequence": {"Game": "sequence", "Players": "Anna blue, Ben green"},
    "einmaleins": {"Game": "einmaleins", "Players": "Anna yellow, Ben red", "Open": "24"},
}
MIB = 1024 * 1024


@pytest.mark.parametrize("game", TAGS)
@pytest.mark.parametrize("start", ["1+1+", "6:1,1,", "pass:JS,JS,", "<yellow 1 1 ", "24=4x6"])
def test_a_token_without_end_is_a_bad_move_that_nobody_takes_apart(game: str, start: str) -> None:
    _, position = begin_game(TAGS[game])
    token = start + "1," * (4 * MIB) + (">" if start[0] == "<" else "1")
    tracemalloc.start()
    refusal = position.verdict(token)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert refusal is not None
    assert (refusal.code, refusal.facts["fault"]) == ("bad-move", "too-long")
    assert peak < 64 * 1024


def test_a_token_at_the_limit_is_still_read() -> None:
    _, position = begin_game(TAGS["just4fun"])
    refusal = position.verdict("1+" * (TOKEN_LIMIT_LETTERS // 2 - 1) + "1")
    assert refusal is not None
    assert refusal.code == "too-many-cards"


def test_moves_and_comments_are_read_without_being_kept() -> None:
    head = "".join(f'[{name} "{value}"]\n' for name, value in TAGS["just4fun"].items())
    text = head + "{a}5 " * (TOKEN_LIMIT // 20)
    tracemalloc.start()
    reading = Reading(text)
    assert sum(1 for _ in reading.moves()) == reading.count == TOKEN_LIMIT // 20
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < MIB // 4


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("a " * (TOKEN_LIMIT + 1), "moves"),
        ("<>" * (TOKEN_LIMIT + 1), "moves"),
        ("".join(f'[t{n} ""]\n' for n in range(TAG_LIMIT + 1)), "tags"),
    ],
    ids=["tokens", "corrections", "tags"],
)
def test_more_than_any_game_has_is_no_record(text: str, reason: str) -> None:
    with pytest.raises(Fault, match=f"too-many-{reason}"):
        parse(text)


@pytest.mark.parametrize("tag", ["Players", "Board", "BoardData", "Rules", "Position", "Start"])
def test_a_tag_without_end_is_refused_by_its_name(tag: str) -> None:
    with pytest.raises(Fault) as caught:
        begin_game({**TAGS["just4fun"], tag: "a " * TAG_LIMIT_LETTERS})
    assert caught.value.place == tag


def test_a_name_without_end_is_refused() -> None:
    name = "a" * (NAME_LIMIT_LETTERS + 1)
    with pytest.raises(Fault) as caught:
        begin_game({"Game": "just4fun", "Players": f"{name} yellow, Ben red"})
    assert caught.value.place == "Players"


@pytest.mark.parametrize(
    "text",
    ["x = " + "9" * 5000, "x = " + "[" * 1000, "x = " + "{a = " * 1000, "\x00", "=" * 5000],
    ids=["digits", "lists", "tables", "control", "signs"],
)
def test_a_board_file_of_garbage_is_one_short_line(text: str) -> None:
    with pytest.raises(Fault) as caught:
        read_table(f'game = "numeri"\nname = "x"\n{text}')
    assert len(str(caught.value)) <= 200
    assert "\n" not in str(caught.value)


def _seconds_to_write(notes: int) -> float:
    record = Record({"Game": "x"}, ("5",) * 10, tuple(Note(3, "a") for _ in range(notes)))
    best = 1e9
    for _ in range(3):
        start = time.process_time()
        write(record)
        best = min(best, time.process_time() - start)
    return best


def test_writing_comments_takes_as_long_as_they_are_many() -> None:
    few, many = _seconds_to_write(2_000), _seconds_to_write(32_000)
    assert many < 16 * few * 4


CORRECTIONS = {
    "just4fun": "<yellow 23x3 left=4 {n}; red 7x2 12 30x2>",
    "numeri": "<yellow 1@36 2@{n}; red 3@7 4@5>",
    "sequence": "<blue r3c3 r4c1-r4c5 r7c{n}; green r9c9>",
    "einmaleins": "<yellow 5; red {n}; open 24=4x6>",
}


def _cost(game: str, plain: str) -> float:
    """Return what a correction costs, as a multiple of a token that is none of the game's."""
    _, start = begin_game(TAGS[game])

    def each(tokens: list[str]) -> float:
        best = 1e9
        for _ in range(5):
            begun = time.process_time()
            for token in tokens:
                start.attempt(token)
            best = min(best, time.process_time() - begun)
        return best

    text = CORRECTIONS[game]
    corrections = [text.replace("{n}", str(2 + n % 9)) for n in range(300)]
    assert not isinstance(start.attempt(corrections[0]), Refusal)
    return each(corrections) / each([plain] * 300)


def test_a_correction_of_just_4_fun_costs_no_more_than_a_few_of_the_others() -> None:
    others = max(_cost(game, "junk") for game in ("numeri", "sequence"))
    assert _cost("just4fun", "junk") < 5 * others


@pytest.mark.parametrize("game", SHIPPED)
def test_a_refused_correction_says_why_as_a_code_with_its_facts(game: str) -> None:
    _, position = begin_game(TAGS[game])
    for words, fault in [("nobody 1", "unknown-colour"), (";", "empty-part")]:
        refusal = position.verdict(f"<{words}>")
        assert refusal is not None
        assert refusal.facts["fault"] == fault
    colour = position.players[0].colour
    refusal = position.verdict(f"<{colour} 1; to-move=Nobody>")
    assert refusal is not None
    assert (refusal.facts["fault"], refusal.facts["name"]) == ("nobody-called", "Nobody")
    with pytest.raises(Fault) as caught:
        begin_game({**TAGS[game], "Position": "nobody 1"})
    assert (caught.value.code, caught.value.facts) == ("unknown-colour", {"colour": "nobody"})


def test_a_position_is_shown_by_its_words() -> None:
    record = parse('[Game "just4fun"]\n[Players "Anna yellow, Ben red"]')
    _, position = begin(record)
    played = position.attempt("5+11+13")
    assert not isinstance(played, Refusal)
    assert repr(played[0]) == "<Just4Fun 'yellow 29x1', to move: Ben>"
