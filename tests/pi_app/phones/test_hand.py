"""A hand on a phone: what it can do, as far as help goes, and that nobody else knows it."""

import json
import logging
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engines.record import write
from pi_app.settings.schema import HelpLevel
from pi_app.system import log as logs
from pi_app.table.players import KnownPlayer, save_players
from pi_app.table.table import record_of
from tests.pi_app.phones.client import Client, Phone, Table, table
from tests.stand_ins.waiting import wait_for

TWO = "Anna yellow, Ben red"


@pytest.fixture
def game() -> Iterator[Table]:
    with table({"Game": "just4fun", "Players": TWO}) as opened:
        save_players(
            opened.ctx.store,
            [KnownPlayer("Anna", help=HelpLevel.LEGAL), KnownPlayer("Ben", help=HelpLevel.SUMS)],
        )
        yield opened


def seated(opened: Table, seat: int) -> Phone:
    phone = opened.phone(f"phone {seat}")
    assert phone.sit(seat=seat)["ok"]
    return phone


def by_token(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    assert answer.get("ok"), answer
    return {option["token"]: option for option in answer["options"]}


def test_every_sum_of_the_hand_is_told_with_its_field(game: Table) -> None:
    with seated(game, 0) as anna:
        answer = anna.own("hand", seat=0, cards="5 11 13 19")
        options = by_token(answer)
    assert (answer["help"], answer["turn"]) == ("legal", True)
    assert answer["cards"] == ["5", "11", "13", "19"]
    assert options["5+11+13"] == {
        "token": "5+11+13",
        "text": "29 (5+11+13)",
        "cell": "29",
        "uses": ["5", "11", "13"],
        "legal": True,
        "why": "",
        "then": "",
    }
    assert options["5+13+19"]["legal"] is False
    assert options["5+13+19"]["why"] == "37: too high"


def test_who_wants_sums_only_is_told_no_more_than_which_are_too_high(game: Table) -> None:
    with seated(game, 1) as ben:
        answer = ben.own("hand", seat=1, cards="5,11,13,19")
        options = by_token(answer)
    assert (answer["help"], answer["turn"]) == ("sums", False)
    high = {option["cell"]: option for option in options.values() if int(option["cell"]) > 36}
    told = {cell: (option["legal"], option["why"]) for cell, option in high.items()}
    assert told == {cell: (False, f"{cell}: too high") for cell in ("37", "43", "48")}
    others = [option for option in options.values() if option["cell"] not in high]
    assert others
    assert all(option["legal"] is None and not option["why"] for option in others)


def test_what_is_barred_is_barred_for_the_seat_that_asks() -> None:
    with table({"Game": "just4fun", "Players": TWO}) as opened:
        save_players(
            opened.ctx.store, [KnownPlayer(name, help=HelpLevel.LEGAL) for name in ("Anna", "Ben")]
        )
        with seated(opened, 0) as anna, seated(opened, 1) as ben:
            for phone, seat, move in ((anna, 0, "9"), (ben, 1, "1"), (anna, 0, "9"), (ben, 1, "2")):
                assert phone.play(seat, move)["ok"]
            mine = by_token(anna.own("hand", seat=0, cards="9 1 2 3"))["9"]
            his = by_token(ben.own("hand", seat=1, cards="9 1 2 3"))["9"]
    assert mine["legal"] is True
    assert his["legal"] is False
    assert "Anna" in his["why"]


def test_who_plays_without_help_is_told_nothing(game: Table) -> None:
    save_players(game.ctx.store, [KnownPlayer("Anna", help=HelpLevel.NONE)])
    with seated(game, 0) as anna:
        answer = anna.own("hand", seat=0, cards="5 11 13 19")
    assert answer["options"] == []
    assert answer["text"] == "Anna plays without help."


def test_an_option_is_played_with_one_tap_in_turn(game: Table) -> None:
    with seated(game, 0) as anna, seated(game, 1) as ben:
        option = anna.own("hand", seat=0, cards="5 11 13 19")["options"][-1]
        assert ben.play(1, "9")["error"] == "turn"
        first = next(o for o in anna.own("hand", seat=0, cards="5 11 13 19")["options"])
        assert anna.play(0, first["token"])["ok"]
        assert game.tokens() == (first["token"],)
        assert option["cell"]


@pytest.mark.parametrize(
    "cards", ["", "5", "5 11 13", "5 11 13 99", "a b c d", "-1 2 3 4", "1" * 200, "5 5 5 5 5"]
)
def test_cards_that_nobody_holds_are_refused(game: Table, cards: str) -> None:
    with seated(game, 0) as anna:
        assert anna.own("hand", seat=0, cards=cards)["error"] == "cards"
        assert anna.own("hand", seat=0, cards="5 11 13 19")["ok"]


def test_only_who_has_the_seat_may_ask_for_its_hand(game: Table) -> None:
    with seated(game, 0) as anna, game.phone() as other, Client(game.path) as looker:
        assert other.own("hand", seat=0, cards="5 11 13 19")["error"] == "unclaimed"
        assert anna.own("hand", seat=1, cards="5 11 13 19")["error"] == "unclaimed"
        assert looker.ask("hand", seat=0, cards="5 11 13 19")["error"] == "unpaired"
        assert anna.own("hand", seat=0, cards="5" * 300)["error"] == "bad"


@pytest.mark.parametrize(
    ("tags", "holds", "free"),
    [
        ({"Game": "just4fun"}, 4, 0),
        ({"Game": "sequence", "Players": "Anna blue, Ben green"}, 7, 0),
        ({"Game": "einmaleins", "Open": "24", "Hand": "5"}, 5, 2),
        ({"Game": "einmaleins", "Open": "24", "Hand": "5", "Rules": "free=1"}, 5, 1),
        ({"Game": "numeri"}, None, 0),
    ],
)
def test_a_seat_tells_how_many_cards_it_holds_and_the_deck_how_many_are_free(
    tags: dict[str, str], holds: int | None, free: int
) -> None:
    with table({"Players": TWO, **tags}) as opened, opened.phone("any") as phone:
        answer = phone.own("seats")
    assert [seat["holds"] for seat in answer["seats"]] == [holds, holds]
    assert answer["free"] == free


def test_a_card_that_is_drawn_is_one_more_to_hold() -> None:
    tags = {"Game": "einmaleins", "Players": TWO, "Open": "24", "Hand": "5"}
    with table(tags) as opened, seated(opened, 0) as anna:
        assert anna.play(0, "d")["ok"]
        assert [seat["holds"] for seat in anna.own("seats")["seats"]] == [6, 5]


def test_a_game_without_cards_and_dice_has_no_hand_and_no_tip() -> None:
    with (
        table({"Game": "muehle", "Players": "Anna white, Ben red"}) as opened,
        seated(opened, 0) as anna,
    ):
        assert anna.own("hand", seat=0, cards="5 11 13 19")["error"] == "none"
        save_players(opened.ctx.store, [KnownPlayer("Anna", help=HelpLevel.TIPS)])
        assert anna.tip(0, cards="5 11 13 19")["error"] == "none"


LEVELS = (HelpLevel.SUMS, HelpLevel.LEGAL)


@pytest.mark.parametrize("level", LEVELS)
def test_a_hand_is_in_its_answer_and_nowhere_else(level: HelpLevel, tmp_path: Path) -> None:
    """Cards that no move shows: they are looked for wherever anything is kept or sent."""
    handler = logs.set_up(tmp_path / "log", {})
    try:
        with table({"Game": "just4fun", "Players": TWO}) as opened:
            save_players(opened.ctx.store, [KnownPlayer("Anna", help=level)])
            with seated(opened, 0) as anna, Client(opened.path) as looker, opened.phone() as other:
                anna.own("hand", seat=0, cards="17 18 16 19")
                assert anna.own("hand", seat=0, cards="17 18 16 19 nonsense")["error"] == "cards"
                anna.play(0, "17")
                other.keys("1", "2", "ENTER")
                number = opened.ctx.store.latest_game()
                assert number is not None
                seen = [other.own("history"), other.own("game", game=number), other.own("seats")]
                last = other.key("3")["shown"]
                looker.until(lambda line: line.get("n") == last)
                seen += [*looker.lines, *other.lines]
                text = json.dumps(seen) + repr(opened.recorder.frames)
                entry = opened.ctx.store.find_game(number)
                assert entry is not None
                text += write(record_of(opened.ctx.store.load(entry.id)))
            folder = opened.path.parent
            kept = b"".join(path.read_bytes() for path in folder.rglob("*") if path.is_file())
            handler.flush()
            kept += (tmp_path / "log").read_bytes()
    finally:
        logging.getLogger().removeHandler(handler)
        handler.close()
    assert "17" in text, "what was played is known"
    assert b"17" in kept
    for secret in ("17+18", "18+16", "16+19", "17 18 16", "16, 17", "17, 18", "nonsense"):
        assert secret not in text
        assert secret.encode() not in kept


def test_the_hand_screen_of_the_table_is_sent_to_nobody(game: Table) -> None:
    with game.phone() as phone, Client(game.path) as looker:
        phone.keys("UP", "1", "7", "STAR", "1", "8", "STAR", "1", "6", "STAR", "1", "9", "ENTER")
        assert game.recorder.frames[-1].body.choices is not None, "the table's own display shows it"
        last = phone.key("UP")["shown"]
        looker.until(lambda line: line.get("n") == last)
        for line in (*phone.lines, *looker.lines):
            if line["kind"] == "frame" and line["frame"]["secret"]:
                frame = line["frame"]
                assert not any(
                    frame[name]
                    for name in ("title", "lines", "entry", "choices", "picture", "seats", "corner")
                )
        assert phone.newest["secret"]
        phone.keys("MENU")
        assert not phone.newest["secret"]
        assert phone.newest["title"] == "Anna"


# --- tips

THREATENED = {"Game": "just4fun", "Players": TWO, "Position": "red 16 20 36; yellow 8"}
"""Ben makes a row on 29, if nobody stops him."""


@pytest.fixture
def tipped() -> Iterator[Table]:
    """Open a game in which Anna may have tips and Ben may not."""
    with table(THREATENED) as opened:
        save_players(
            opened.ctx.store,
            [KnownPlayer("Anna", help=HelpLevel.TIPS), KnownPlayer("Ben", help=HelpLevel.LEGAL)],
        )
        yield opened


def test_a_phone_is_told_what_would_be_good_and_why(tipped: Table) -> None:
    with seated(tipped, 0) as anna:
        hand = anna.own("hand", seat=0, cards="3 5 11 13")
        assert (hand["help"], hand["turn"]) == ("tips", True)
        assert hand["tips"] is True
        assert by_token(hand)["5+11+13"]["legal"] is True
        answer = anna.tip(0, cards="3 5 11 13")
        assert answer["ok"]
        assert len(answer["tips"]) == 3
        told = {tip["token"]: tip for tip in answer["tips"]}
        best = told["5+11+13"]
        assert best["text"] == "5+11+13 = 29"
        assert 0 <= best["chance"] <= 100
        assert best["reasons"][0] == "Stops Ben's row on 29."
        assert set(told) <= set(by_token(hand))
        assert anna.play(0, answer["tips"][0]["token"])["ok"]
    number = tipped.ctx.store.latest_game()
    assert number is not None
    entry = tipped.ctx.store.find_game(number)
    assert entry is not None
    kept = record_of(tipped.ctx.store.load(entry.id))
    assert [(note.before, note.text) for note in kept.notes] == [(1, "tip")]


def test_a_tip_is_for_the_own_turn_at_the_highest_level_only(tipped: Table) -> None:
    with seated(tipped, 0) as anna, seated(tipped, 1) as ben:
        cards = "3 5 11 13"
        assert ben.tip(1, cards=cards)["error"] == "turn"
        assert ben.tip(0, cards=cards)["error"] == "unclaimed"
        assert anna.tip(0, cards="5 99")["error"] == "cards"
        assert anna.own("tip", seat=0)["error"] == "bad"
        assert anna.play(0, "5")["ok"]
        hand = ben.own("hand", seat=1, cards=cards)
        assert not hand["tips"]
        answer = ben.tip(1, cards=cards)
        assert answer["error"] == "help"
        assert answer["text"] == "Your level of help gives no tips."
        settings = tipped.ctx.settings
        tipped.ctx.settings = replace(settings, help=replace(settings.help, tips=False))
        assert ben.play(1, "7")["ok"]
        assert anna.tip(0, cards=cards)["error"] == "help"


def test_a_hand_that_is_not_keyed_whole_gets_no_tip_on_a_phone_either() -> None:
    tags = {"Game": "sequence", "Players": "Anna blue, Ben green"}
    with table(tags) as opened:
        save_players(opened.ctx.store, [KnownPlayer("Anna", help=HelpLevel.TIPS)])
        with seated(opened, 0) as anna:
            answer = anna.tip(0, cards="QH 10S")
    assert answer["tips"] == []
    assert answer["text"] == "Key all 7 cards of the hand for a tip."


def test_a_roll_of_numeri_gets_a_tip_where_there_is_a_choice() -> None:
    tags = {"Game": "numeri", "Players": TWO, "Position": "yellow 1@1 2@2 3@3 4@4 5@5 6@6; red 1@7"}
    with table(tags) as opened:
        save_players(opened.ctx.store, [KnownPlayer("Anna", help=HelpLevel.TIPS)])
        with seated(opened, 0) as anna:
            hand, answer = anna.own("hand", seat=0, cards="6"), anna.tip(0, cards="6")
    assert len(hand["options"]) > 1
    assert {tip["token"] for tip in answer["tips"]} <= {o["token"] for o in hand["options"]}
    assert answer["tips"]


def test_tips_of_a_hand_are_in_their_answer_and_nowhere_else(tipped: Table) -> None:
    with seated(tipped, 0) as anna, Client(tipped.path) as looker, tipped.phone() as other:
        answer = anna.tip(0, cards="17 18 16 19")
        assert answer["tips"]
        last = other.key("3")["shown"]
        looker.until(lambda line: line.get("n") == last)
        text = json.dumps([*looker.lines, *other.lines]) + repr(tipped.recorder.frames)
    kept = b"".join(path.read_bytes() for path in tipped.path.parent.iterdir() if path.is_file())
    for secret in ("17+18", "18+16", "16+19", "17 18 16", "16, 17", "17, 18"):
        assert secret not in text
        assert secret.encode() not in kept


def test_the_tip_screen_of_the_table_is_sent_to_nobody(tipped: Table) -> None:
    with tipped.phone() as phone, Client(tipped.path) as looker:
        phone.keys("UP", "3", "STAR", "5", "STAR", "1", "1", "STAR", "1", "3", "ENTER", "STAR")
        wait_for(lambda: tipped.recorder.frames[-1].header.title == "Tip Anna")
        wait_for(lambda: tipped.recorder.frames[-1].body.choices is not None)
        last = phone.key("DOWN")["shown"]
        looker.until(lambda line: line.get("n") == last)
        for line in (*phone.lines, *looker.lines):
            if line["kind"] == "frame" and line["frame"]["secret"]:
                frame = line["frame"]
                assert not any(frame[name] for name in ("title", "lines", "choices", "picture"))
        assert phone.newest["secret"]
