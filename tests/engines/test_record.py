"""Records: reading, writing, beginning and replaying them."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from engines.game import Player, Step, Violation, replay
from engines.notation import Fault
from engines.record import Note, Record, begin, begin_game, decode, parse, setup_of, write

TAGS = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'


def test_tags_comments_numbers_and_moves_are_told_apart() -> None:
    text = (
        "; before\n\n"
        '[Game "just4fun"] ; behind\n'
        "; between [x] {y}\n"
        '  [Players "Anna yellow, Ben; x red"]\n'
        '[Made "[by] {us} <>"]\n'
        "\n1. 5+11+13 {two\nlines; [}7\n"
        "2.5 12. 12.. 5{x}4;rest {of} <the line\n"
        "[Game] <red 7;{ \n8> <a>b a<b c> }"
    )
    record = parse(text)
    assert record.tags == {
        "Game": "just4fun",
        "Players": "Anna yellow, Ben; x red",
        "Made": "[by] {us} <>",
    }
    assert record.tokens == (
        *("5+11+13", "7", "2.5", "12..", "5", "4", "[Game]", "<red 7;{ \n8>"),
        *("<a>", "b", "a<b", "c>", "}"),
    )
    assert record.lines == (8, 9, 10, 10, 10, 10, 11, 11, 12, 12, 12, 12, 12)
    assert record.tag_lines == {"Game": 3, "Players": 5, "Made": 6}
    assert [note.before for note in record.notes] == [0, 0, 0, 1, 5, 6]


def test_windows_lines_and_a_byte_order_mark_are_read() -> None:
    record = parse(decode(b"\xef\xbb\xbf" + (TAGS + "; c\n5 7").replace("\n", "\r\n").encode()))
    assert (record.tokens, record.lines) == (("5", "7"), (4, 4))


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (TAGS + '[Game "just4fun"]', 3),
        (TAGS + "[Oops]", 3),
        (TAGS + '[Oops "x]', 3),
        (TAGS + '[Oops "x"] 5', 3),
        (TAGS + '[A "x"] [B "y"]', 3),
        (TAGS + "5\n\n7 {never\nclosed", 5),
        (TAGS + "5 <never\nclosed", 3),
        (TAGS + "{never", 3),
    ],
)
def test_a_text_that_cannot_be_taken_apart_names_its_line(text: str, line: int) -> None:
    with pytest.raises(Fault) as caught:
        parse(text)
    assert caught.value.facts["line"] == line


def test_bytes_that_are_not_utf8_name_their_line() -> None:
    with pytest.raises(Fault) as caught:
        decode(b"a\nb\n\xff")
    assert caught.value.facts["line"] == 3


@pytest.mark.parametrize(
    ("tags", "tag"),
    [
        ({}, "Game"),
        ({"Game": "chess"}, "Game"),
        ({"Game": "Just4fun"}, "Game"),
        ({"Game": "just4fun"}, "Players"),
        *(
            ({"Game": "just4fun", "Players": players}, "Players")
            for players in (
                *("", "Anna yellow", "Anna yellow,", "yellow, Ben red", "Anna yellow, Ben blue"),
                *("Anna yellow, Anna red", "Anna yellow, Ben yellow", "Anna yellow, Ben Red"),
                "A yellow, B red, C white, D pink, E yellow",
            )
        ),
        *(
            ({"Game": "just4fun", "Players": "Anna yellow, Ben red", tag: value}, tag)
            for tag, value in (
                *(("Start", "Caro"), ("Start", ""), ("Start", "anna"), ("Board", "x")),
                *(("Board", ""), ("BoardData", ""), ("Rules", "rounds"), ("Rules", "rounds=")),
                *(("Rules", "x=1"), ("Rules", "rounds=2, rounds=2"), ("Rules", "rounds=2,")),
                *(("Rules", "rounds=" + "9" * 5000), ("Position", "blue 7")),
            )
        ),
        *(
            ({"Game": "einmaleins", "Players": "A yellow, B red", "Open": "24", tag: "x"}, tag)
            for tag in ("Board", "BoardData")
        ),
    ],
)
def test_tags_that_contradict_the_game_are_named(tags: dict[str, str], tag: str) -> None:
    with pytest.raises(Fault) as caught:
        begin_game(tags)
    assert caught.value.place == tag
    text = "".join(f'[{name} "{value}"]\n' for name, value in tags.items())
    with pytest.raises(Fault) as told:
        begin(parse(text))
    assert told.value.facts["line"] == max(1, list(tags).index(tag) + 1 if tag in tags else 1)


def test_set_up_is_read_from_the_tags() -> None:
    game, setup = setup_of(
        {
            "Game": "just4fun",
            "Players": " Anna  Maria yellow ,Ben red yellow red",
            "Start": "Ben red yellow",
            "Rules": "rounds=20 ,secured = closed",
            "Date": "2026-01-01",
        }
    )
    assert game.name == "just4fun"
    assert setup.players == (Player("Anna Maria", "yellow"), Player("Ben red yellow", "red"))
    assert setup.start == 1
    assert setup.rules == {"rounds": "20", "secured": "closed"}
    assert setup.tags["Date"] == "2026-01-01"


def test_an_illegal_token_changes_nothing_and_the_next_is_tried() -> None:
    _, start = begin(parse(TAGS))
    steps = list(replay(start, ["40", "junk", "5"]))
    assert [step.player for step in steps] == [Player("Anna", "yellow")] * 3
    assert [type(step) for step in steps] == [Violation, Violation, Step]


def test_every_token_after_the_end_is_game_over() -> None:
    _, start = begin(parse(TAGS + '[Position "yellow 1 14 30 24"]'))
    for step in replay(start, ["5", "junk", "<yellow 7>", "<"]):
        assert isinstance(step, Violation)
        assert step.player is None
        assert step.refusal.code == "game-over"


def test_comments_and_unknown_tags_are_kept() -> None:
    record = parse(TAGS + '[Made "x"]\n5 {one} 7 ; two }\n 8')
    assert record.notes == (Note(1, "one"), Note(2, "two }"))
    assert parse(write(record)) == record
    assert write(record).startswith(TAGS + '[Made "x"]\n\n1. 5 {one} 7\n')


@pytest.mark.parametrize(
    "record",
    [
        Record({}, ("a b",)),
        Record({}, ("12.",)),
        Record({}, ("",)),
        Record({}, ("<x",)),
        Record({}, ("a;b",)),
        Record({"A": 'x"y'}),
        Record({"A b": "x"}),
        Record({"A": "x\ny"}),
    ],
)
def test_what_would_be_read_differently_is_not_written(record: Record) -> None:
    with pytest.raises(Fault):
        write(record)


@settings(max_examples=300)
@given(st.text(alphabet=st.sampled_from(list('[]Ab "<>{};\n\r 1.+x=')), max_size=60))
@example("5;}\n;}\n7")
@example("{a}{b};c}\n")
@example('{\n[A "b"]}')
def test_reading_what_was_written_gives_the_same_record(text: str) -> None:
    try:
        record = parse(text)
    except Fault:
        return
    written = write(record)
    assert parse(written) == record
    assert write(parse(written)) == written


def parse_lines(text: str) -> list[int]:
    """Return the lines of the tokens, or the one line at fault."""
    try:
        return list(parse(text).lines)
    except Fault as error:
        return [error.facts["line"]]


@given(st.binary(max_size=200))
def test_bytes_of_any_kind_are_read_or_refused(data: bytes) -> None:
    lines = data.count(b"\n") + data.count(b"\r") + 1
    try:
        decoded = decode(data)
    except Fault as error:
        refused_at = error.facts["line"]
    else:
        refused_at = next(iter(parse_lines(decoded)), 1)
    assert 1 <= refused_at <= lines
