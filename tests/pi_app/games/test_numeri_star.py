"""numeri of 2009 at the table: the question before it, the star, the barrier, whole games."""

import os
import pty
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import cast

import pytest

from ai import AI
from engines.game import Step, replay
from engines.numeri.rules import NumeriPosition
from engines.record import Record, begin, parse, write
from hardware.config import PadsConfig
from hardware.keys import Key
from hardware.pads.reader import PadReader
from hardware.pads.table import table_of
from hardware.serial_panel.protocol import KeyEvent, LineReader, decode, encode
from hardware.serial_panel.protocol import parse as parse_message
from pi_app.displays.serial_panel import lamp_colours
from pi_app.games.numeri.die import DIE
from pi_app.settings.schema import HelpLevel
from pi_app.table.boards import load_board
from pi_app.texts.language import Texts
from pi_app.view.frame import Tone
from tests.hardware.pads.fakes import tap
from tests.pi_app.phones.desk import Desk
from tests.pi_app.pilot import Pilot, choices_of, entry_of
from tests.players.dial import encoder_settings, stick_settings
from tests.players.voice import Listener

STAR = "with the star (2009)"
TAGS = {"Game": "numeri", "Players": "Gelb yellow, Rot red", "Rules": "edition=2009"}
TOKENS = tuple(
    word
    for line in (
        "1 4 1 3 3 2 *:5 3 2 1 4 3 4 5:1,4 5:2,3 5:4,1 *:2 *:2 5:1,4 1 *:3 *:2 1 3:1,2 4:3,1",
        "2 5:2,3 5:2,3 5:1,4 3:1,2 5:4,1 4:1,3 1 5:2,3 *:4 1 *:1 5:2,3 4 4:1,3 3:1,2 4:1,3",
        "5:1,4 3:1,2 1 2 5:4,1 2 4:1,3 3:1,2",
    )
    for word in line.split()
)
"""A whole game on the sample track, with everything that the edition of 1973 does not have."""
KEYS = (
    "d1 d4 d1 d3 d3 d2 d6d5 d3 d2 d1 d4 d3 d4 d5 2 d5 3 d5 3 d6d2 d6d2 d5 2 d1 d6d3 d6d2 d1 d3 2 "
    "d4 3 d2 d5 4 d5 3 d5 2 d3 2 d5 3 d4 2 d1 d5 3 d6d4 d1 d6d1 d5 3 d4 1 d4 2 d3 2 d4 2 d5 2 "
    "d3 2 d1 d2 d5 3 d2 d4 2 d3 2"
)
STUCK_LEFT = "Start: -5 × 5 = -25"


def game(position: str, **tags: str) -> Pilot:
    return Pilot.game("numeri", Rules="edition=2009", Position=position, **tags)


def test_the_game_holds_a_star_from_the_hand_one_with_a_chain_and_splits() -> None:
    _, position = begin(parse("".join(f'[{tag} "{TAGS[tag]}"]\n' for tag in TAGS)))
    steps = [step for step in replay(position, TOKENS) if isinstance(step, Step)]
    assert len(steps) == len(TOKENS)
    stars = [step for step in steps if step.token.startswith("*")]
    assert any(step.events[0].facts["from"] == 0 for step in stars)
    assert any(event.code == "chain" for step in stars for event in step.events)
    result = steps[-1].after.result
    assert result is not None
    assert result.facts["points"] == {"Gelb": 105, "Rot": 0}
    assert [5, 0, -25] in result.facts["stones"]["Rot"]


def test_set_up_asks_first_which_numeri_and_remembers_it(tmp_path: Path) -> None:
    store = tmp_path / "games"
    pilot = Pilot(store=store)
    frame = pilot.choose("numeri")
    assert (frame.header.title, choices_of(frame).selected) == ("Which numeri?", 0)
    boards = pilot.choose(STAR, "Which board")
    assert choices_of(boards).items == ("sample-37",)
    pilot.key("#")
    pilot.choose("Start")
    assert pilot.ctx.store.load(1).tags["Rules"] == "edition=2009"
    pilot.ctx.store.close()
    again = Pilot(store=store)
    again.key("?")
    assert choices_of(again.choose("New game", "numeri")).selected == 1


def test_a_board_of_the_other_edition_is_not_offered_nor_kept() -> None:
    pilot = Pilot()
    pilot.choose("numeri", STAR, "Which board", "sample-37")
    pilot.key("<")
    boards = pilot.choose("with the six (1973)", "Which board")
    assert choices_of(boards).items == ("sample-38",)


@pytest.mark.parametrize("star", ["d6", "6"])
@pytest.mark.parametrize("stone", ["d4", "4"])
def test_the_star_asks_which_stone_and_its_number_plays_it(star: str, stone: str) -> None:
    pilot = game("yellow 1@10 2@11 4@8; red 5@9")
    frame = pilot.key(star)
    assert choices_of(frame).items == ("1→12", "2→12", "3→1", "4→12 chain", "5→1")
    assert (frame.keys.dice, frame.keys.star) == ((6,), 6)
    frame = pilot.key(stone)
    assert pilot.tokens() == ("*:4",)
    assert frame.header.title == "Anna"
    assert "AGAIN" in frame.body.big


def test_a_stone_that_a_star_cannot_move_is_not_offered_and_keeps_its_number() -> None:
    pilot = game("yellow 1@7 2@6 4@4 5@3; red 1@2", BoardData="0 |234 0 0 0 20 25 30")
    assert choices_of(pilot.key("d6")).digits == ("3", "4", "5")
    assert pilot.key("1").body.choices is not None
    pilot.key("4")
    assert pilot.tokens() == ("*:4",)


def test_before_the_barrier_nothing_is_split_and_a_key_says_why_a_stone_is_stuck() -> None:
    pilot = game("yellow 5@10; red 1@9")
    pilot.key("d5")
    assert pilot.tokens() == ("5",)
    assert len(choices_of(game("yellow 5@11; red 1@9").key("d5")).items) == 5
    stuck = game("yellow 1@37; red 1@9").key("d1")
    assert stuck.body.lines == ("No free field ahead of 37.",)


@pytest.mark.parametrize(("fields", "crossed"), [((10, 11), True), ((11, 10), False)])
def test_a_check_of_the_table_across_the_barrier_decides_about_splits(
    fields: tuple[int, int], crossed: bool
) -> None:
    before, after = fields
    pilot = game(f"yellow 1@1 4@4 5@{before}; red 1@9")
    splits = len(pilot.table.position.legal(5)) > 1
    assert splits != crossed
    pilot.key("?")
    pilot.choose("Check table")
    pilot.key(f"vvvv {after} ?#")
    assert pilot.tokens()[-1].startswith(f"<yellow 1@1 2@0 3@0 4@4 5@{after};")
    assert [move.token for move in pilot.table.position.legal(5)] == (
        ["5", "5:1,4", "5:4,1", "5:2,3", "5:3,2"] if crossed else ["5"]
    )
    stored = pilot.ctx.store.load(1)
    _, again = begin(parse(write(Record(stored.tags, stored.tokens))))
    *_, last = [step.after for step in replay(again, stored.tokens) if isinstance(step, Step)]
    assert last.legal(5) == pilot.table.position.legal(5)
    pilot.key("<<")  # the correction is taken back
    assert (len(pilot.table.position.legal(5)) > 1) == splits


def pad_keys(*names: str) -> list[Key]:
    reading = PadReader(table_of(PadsConfig()), {}, lambda _: ())
    events = [event for at, name in enumerate(names) for event in tap(name, at * 0.5)]
    return [key for event in events for key in reading.hear(event)]


def panel_keys(*names: str) -> list[Key]:
    sent = b"".join(encode(f"KEY 01234567 {at} {name} down") for at, name in enumerate(names))
    messages = [parse_message(decode(line)) for line in LineReader().feed(sent)]
    return [message.key for message in messages if isinstance(message, KeyEvent)]


PORTS = {
    "keypad": (None, [Key.D6, Key.D4]),
    "die buttons": (None, [Key("DIE6"), Key("DIE4")]),
    "stick": (stick_settings(), [*[Key.STICK_RIGHT] * 3, Key.PUSH, Key.PUSH]),
    "encoder": (encoder_settings(), [*[Key.TURN_RIGHT] * 3, Key.PUSH, Key.PUSH]),
    "pad": (None, pad_keys("KP6", "KP4")),
    "keyboard": (None, pad_keys("F6", "4")),
    "panel": (None, panel_keys("DIE6", "4")),
}
"""By port its settings and what it sends for a star that moves stone 4."""


@pytest.mark.parametrize("port", PORTS)
def test_a_star_is_played_by_every_port_and_said(port: str) -> None:
    settings, keys = PORTS[port]
    pilot = game("yellow 1@10 2@11 4@8; red 5@9")
    pilot.ctx.settings = settings or pilot.ctx.settings
    listener = Listener(pilot)
    *before, last = keys
    listener.press(before)
    assert listener.hears("star")
    assert lamp_colours(pilot.frame, 6)[5]
    listener.press([last])
    assert pilot.tokens() == ("*:4",)
    assert listener.hears("four")


def test_a_wrong_number_is_told_and_what_the_die_shows_is_lit() -> None:
    pilot = game("yellow 1@1; red 1@2")
    assert (pilot.frame.keys.dice, pilot.frame.keys.star) == ((1, 2, 3, 4, 5, 6), 6)
    entry = entry_of(pilot.key("7"))
    assert (entry.verdict, entry.tone) == ("a die has 1 to 6", Tone.BAD)


def test_a_whole_game_in_german_from_the_menus_to_its_end() -> None:
    pilot = Pilot(language="de")
    pilot.choose("numeri", "mit dem Stern (2009)", "Start")
    frame = pilot.key(KEYS)
    assert pilot.tokens() == TOKENS
    assert frame.header.title == "Spielende"
    assert "Gelb: 105 Punkte" in frame.body.lines
    assert STUCK_LEFT in frame.body.lines
    stored = pilot.ctx.store.load(1)
    record = parse(write(Record(stored.tags, stored.tokens)))
    assert (record.tags["Rules"], record.tokens) == ("edition=2009", TOKENS)


def test_a_whole_game_in_german_in_the_terminal(tmp_path: Path) -> None:
    keys = tmp_path / "keys.txt"
    keys.write_text(KEYS)
    words = ["play", "numeri", "--players", "Gelb yellow, Rot red", "--rules", "edition=2009"]
    words += ["--keys", str(keys), "--display", "terminal", "--lang", "de"]
    words += ["--store", str(tmp_path / "games")]
    near, far = pty.openpty()
    program = subprocess.Popen(
        [sys.executable, "-m", "pi_app", *words], stdin=far, stdout=far, stderr=far
    )
    os.close(far)
    shown = b""
    with suppress(OSError):  # the program has closed its end
        while part := os.read(near, 65_536):
            shown += part
    os.close(near)
    assert program.wait() == 0
    for word in ("Spielende", "gewinnt!", "105 Punkte"):
        assert word in shown.decode(), word


def test_a_whole_game_on_two_phones() -> None:
    desk = Desk(TAGS, "de")
    phones = [desk.phone(name, seat) for seat, name in enumerate(("Gelb", "Rot"))]
    assert phones[0].ask("seats")["star"] == 6
    for token in TOKENS:
        table = desk.phones.table._table()
        assert table is not None
        position = cast(NumeriPosition, table.position)
        seat = position.seat
        roll = token.partition(":")[0].replace("*", "6")
        options = phones[seat].ask("hand", seat=seat, cards=roll)["options"]
        same = DIE.moves(position, int(roll))
        assert [option["token"] for option in options] == [move.token for move in same]
        assert phones[seat].ask("play", seat=seat, move=token)["ok"]
    assert desk.tokens() == TOKENS
    assert "105 Punkte" in str(phones[1].ask("seats"))


def test_a_track_of_2009_is_keyed_with_minus_and_its_barriers_are_asked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEISITZER_BOARDS", str(tmp_path))
    pilot = Pilot()
    pilot.choose("Boards", "numeri", "New board", STAR)
    pilot.key("6# *3# *1# 0# 2# 2# 20# 25# 30#")
    assert pilot.frame.body.lines == ("-3 -1 0 2 2 20 25 30",)
    for players, fields in ((2, "3"), (3, "5"), (4, "5")):
        assert f"for {players} players" in pilot.key("#").body.lines[0]
        refused = entry_of(pilot.key("8"))
        assert (refused.verdict, refused.tone) == ("numbers from 1 to 7", Tone.BAD)
        pilot.key(f"< {fields}")
    pilot.key("#")
    board = load_board(next(tmp_path.iterdir()))
    assert board.data == "-3 -1 0 |2 2 2 |34 20 25 30"
    assert "M" in choices_of(pilot.frame).items
    pilot.key("< <")
    pilot.choose("numeri", STAR, "Which board", "M", "Start")
    assert pilot.ctx.store.load(1).tags["BoardData"] == board.data


def test_a_track_of_1973_has_no_minus_and_no_barriers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BEISITZER_BOARDS", str(tmp_path))
    pilot = Pilot()
    pilot.choose("Boards", "numeri", "New board", "with the six (1973)")
    pilot.key("6# 0# 7# *^ 20# 25# 30# #")
    assert load_board(next(tmp_path.iterdir())).data == "0 7 20 25 30"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_roll_is_said_as_a_star(language: str) -> None:
    tx = Texts(language)
    pilot = Pilot.game("numeri", Rules="edition=2009", language=language)
    position = cast(NumeriPosition, pilot.table.position)
    options = DIE.options(tx, position, 0, HelpLevel.LEGAL, "*").options
    assert [option.token for option in options] == ["*:1", "*:2", "*:3", "*:4", "*:5"]
    assert DIE.sign(position, 6) == "★"


def test_a_stone_that_stays_on_a_field_of_less_than_nothing_is_no_reason() -> None:
    position = game("yellow 1@1 2@2 3@3 4@4 5@20; red 1@9").table.position
    move = position.parse("*:5")
    assert "keeps-place" not in dict(AI["numeri"].reasons(position, move, 6))
