"""Einmaleins at the table: from keys to the store, what is said, what helps."""

import json
from pathlib import Path

import pytest

from engines.einmaleins.rules import EinmaleinsPosition
from engines.record import begin_game
from pi_app.games.einmaleins.turn import hand_lines, short_names
from pi_app.settings.schema import HelpLevel, HelpSettings, Settings
from pi_app.table.players import KnownPlayer, save_players
from pi_app.view.frame import Entry, Frame, Mark, Signal, Tone
from tests.pi_app.commands.called import lines, run
from tests.pi_app.pilot import Pilot, choices_of, entry_of, marked

THREE = "Anna yellow, Ben red, Cara green"
PROMPT = "Key your card. None? B draws."


def at(lies: str, players: str = THREE, hands: str = "5 5 5", **tags: str) -> Pilot:
    """Return a pilot at which this card lies open, announced, with so many cards in hand."""
    colours = [player.split()[-1] for player in players.split(",")]
    parts = [f"{colour} {hand}" for colour, hand in zip(colours, hands.split(), strict=True)]
    return Pilot.game("einmaleins", players, Position="; ".join([*parts, f"open {lies}"]), **tags)


def alert(frame: Frame) -> str:
    return "" if frame.alert is None else frame.alert.text


def test_24_on_12_is_proposed_as_the_task_that_fits() -> None:
    pilot = at("12=2x6")
    frame = pilot.key("24")
    assert entry_of(frame) == Entry("24", "24 = 4×6 fits by 6", Tone.GOOD)
    frame = pilot.key("#")
    assert pilot.tokens() == ("24=4x6",)
    assert (frame.header.title, frame.body.big) == ("Ben", "24 4×6")
    assert pilot.recorder.signals[-2:] == [Signal.OK, Signal.TURN]


@pytest.mark.parametrize("turn", ["^", "v"])
def test_the_other_task_is_shown_with_why_it_does_not_fit_and_cannot_be_laid(turn: str) -> None:
    pilot = at("12=2x6")
    frame = pilot.key(f"24{turn}")
    assert entry_of(frame) == Entry("24", "24 = 3×8: no common factor with 2×6", Tone.BAD)
    assert "A: as 4×6" in frame.body.lines
    pilot.key("#")
    assert pilot.tokens() == ()
    assert pilot.recorder.signals[-1] is Signal.BAD
    pilot.key(f"{turn}#")
    assert pilot.tokens() == ("24=4x6",)


@pytest.mark.parametrize(
    ("keys", "token"),
    [("24##", "24=3x8"), ("24#v#", "24=4x6"), ("24#2#", "24=4x6"), ("24#<v^#", "24=4x6")],
)
def test_where_both_tasks_fit_a_second_key_says_which(keys: str, token: str) -> None:
    pilot = at("32=4x8")
    assert entry_of(pilot.key("24")).verdict == "fits as 3×8 or 4×6"
    assert choices_of(pilot.key("#")).items == ("3×8", "4×6")
    assert pilot.tokens() == ()
    pilot = at("32=4x8")
    pilot.key(keys)
    assert pilot.tokens() == (token,)


def test_without_free_cards_star_is_refused_and_lays_nothing() -> None:
    pilot = at("28=4x7", Rules="free=0")
    frame = pilot.key("*")
    assert entry_of(frame) == Entry("*", "no free cards in this game", Tone.BAD)
    assert pilot.recorder.signals[-1] is Signal.BAD
    pilot.key("4#")
    assert pilot.tokens() == ()
    # 24 fits as both tasks here, but not with a card that does not exist
    pilot = at("32=4x8", Rules="free=0")
    pilot.key("*24##")
    assert pilot.tokens() == ()


def test_one_key_draws_a_card() -> None:
    pilot = at("28=4x7")
    frame = pilot.key("v")
    assert pilot.tokens() == ("d",)
    assert (frame.header.title, frame.header.score) == ("Ben", "5:5:6")
    assert frame.body.lines == (PROMPT, "Anna: draws a card")


def test_drawing_is_no_slip_of_the_finger_while_a_number_is_keyed() -> None:
    pilot = at("28=4x7")
    pilot.key("35v")
    assert pilot.tokens() == ()
    assert pilot.recorder.signals[-1] is Signal.BAD


@pytest.mark.parametrize("key", ["^", "v", "<", "#"])
def test_reading_a_sentence_on_neither_draws_nor_opens_anything(key: str) -> None:
    pilot = at("28=4x7")
    frame = pilot.key(f"36#{key}")
    assert (frame.header.title, alert(frame), pilot.tokens()) == ("Cara", "", ("36=4x9",))


def test_sentences_follow_one_another_and_any_other_key_goes_on_playing() -> None:
    pilot = at("28=4x7", hands="2 5 5")
    assert alert(pilot.key("36#")) == "Anna: last card!"
    assert alert(pilot.key("#")) == "Ben draws one card and misses the turn."
    assert alert(pilot.key("#")) == ""
    pilot = at("28=4x7", hands="2 5 5")
    pilot.key("36# 4 5#")
    assert pilot.tokens() == ("36=4x9", "45=5x9")


def test_a_third_free_card_is_doubted() -> None:
    pilot = at("28=4x7")
    pilot.key("*28# *28#")
    assert alert(pilot.key("*28#")) == "All free cards lie already. Right card?"


def test_nothing_left_to_draw_is_said_and_ends_as_a_stalemate() -> None:
    pilot = at("28=4x7", "Anna yellow, Ben red", "22 20", Hand="21", Rules="free=1")
    assert alert(pilot.key("v")) == "Nothing is left to draw."
    frame = pilot.key("#v")
    assert frame.header.title == "Game over"
    assert frame.body.big == "Ben"
    assert "The fewest cards win." in frame.body.lines
    assert pilot.tokens() == ("d", "d")


def test_a_move_is_taken_back_with_what_it_did() -> None:
    pilot = at("28=4x7")
    frame = pilot.key("*36# <<")
    assert alert(frame) == "Taken back: Anna, *36 = 4×9."
    assert alert(pilot.key("#")) == "Put the table back as it was."
    frame = pilot.key("#")
    assert (frame.header.title, frame.body.big) == ("Anna", "28 4×7")
    assert pilot.tokens() == ()


def test_back_deletes_digits_then_the_free_card() -> None:
    pilot = at("28=4x7")
    texts = [entry_of(pilot.key(key)).text for key in ("*", "3", "5", "<", "<")]
    assert texts == ["*", "*3", "*35", "*3", "*"]
    assert pilot.key("<").body.entry is None


def desk_with(level: HelpLevel) -> Pilot:
    """Return a pilot at 12 = 2x6 whose players get this much help."""
    pilot = at("12=2x6")
    pilot.ctx.settings = Settings(help=HelpSettings(level))
    pilot.restart()
    return pilot


def test_a_player_without_help_gets_no_table() -> None:
    pilot = desk_with(HelpLevel.NONE)
    frame = pilot.key("^")
    assert (frame.header.title, alert(frame)) == ("Anna", "Anna plays without help.")
    assert pilot.recorder.signals[-1] is Signal.BAD


def test_the_hand_helper_shows_what_can_be_laid_and_how() -> None:
    pilot = at("12=2x6")
    frame = pilot.key("^# 12*24*35#")
    assert frame.header.title == "Hand Anna"
    assert choices_of(frame).items == ("12 = 2×6", "24 = 4×6", "draw a card")
    pilot.key("v#")
    assert pilot.tokens() == ("24=4x6",)


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ("^# 13", "13 is on no number card"),
        ("^# 24*24", "the deck has only 1 of it"),
        ("^# 24*35", ""),
    ],
)
def test_the_hand_helper_says_why_a_card_is_not_taken(keys: str, said: str) -> None:
    assert entry_of(at("12=2x6").key(keys)).verdict == said


@pytest.mark.parametrize("keys", ["^#12*24*", "^#12*24#"])
def test_a_hand_hides_by_itself_and_nothing_of_it_is_kept(keys: str) -> None:
    pilot = at("12=2x6")
    pilot.key(keys)
    frame = pilot.wait(21)
    assert (frame.header.title, frame.body.choices, frame.body.entry) == ("Anna", None, None)
    frame = pilot.key("^#")
    assert (frame.body.entry, frame.body.choices) == (Entry(""), None)
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tokens == ()
    assert "24" not in str(stored.tags)


def test_a_tapped_number_is_keyed_and_the_open_card_shows_what_fits() -> None:
    pilot = at("12=2x6")
    pilot.program.tap("24")
    assert entry_of(pilot.frame).verdict == "24 = 4×6 fits by 6"
    assert marked(pilot.frame, Mark.SELECTED) == {"24"}
    pilot = at("12=2x6")
    pilot.program.tap("open")
    assert pilot.frame.header.title == "Fits on 12"


def test_set_up_asks_for_the_open_card_and_the_cards_to_deal() -> None:
    pilot = Pilot()
    pilot.choose("Einmaleins", "Open card: ?")
    assert entry_of(pilot.key("34#")).tone is Tone.BAD
    pilot.key("<< <")
    pilot.choose("Open card: ?")
    pilot.key("36#")
    pilot.choose("Deal: 7 each")
    assert entry_of(pilot.key("22#")).verdict == "at most 21 cards each"
    pilot.key("<< <")
    pilot.choose("Deal: 7 each")
    pilot.key("9#")
    pilot.choose("Free cards: 2", "1", "Start")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags == {
        "Game": "einmaleins",
        "Players": "Yellow yellow, Red red",
        "Rules": "free=1",
        "Open": "36",
        "Hand": "9",
    }
    assert alert(pilot.frame) == "Deal 9 cards each. 36 lies open."


def test_starting_without_an_open_card_leads_to_it_says_why_and_goes_on_by_itself() -> None:
    pilot = Pilot()
    pilot.choose("Einmaleins")
    sentences = ("No open card yet.", "Turn the first card face up and key its number.")
    assert pilot.key("#").body.lines == sentences
    assert pilot.tokens() == ()
    assert pilot.key("2").body.lines == ()
    assert pilot.key("<").body.lines == sentences[1:]  # why was said
    assert pilot.key("<").header.title == "Einmaleins"
    assert pilot.key("#24#").alert is not None  # the cards to deal: the game has begun


def test_starting_with_too_many_cards_leads_to_their_number_and_says_why() -> None:
    pilot = Pilot()
    pilot.choose("Einmaleins", "Open card: ?")
    pilot.key("36#")
    pilot.choose("Deal: 7 each")
    pilot.key("21#")
    pilot.choose("Players: 2", "6 players")
    frame = pilot.choose("Start")
    assert (frame.header.title, frame.body.lines[0]) == (
        "Cards each",
        "So many cards are not in the deck: choose fewer.",
    )
    assert pilot.key("<").header.title == "Einmaleins"
    assert pilot.key("#5#").alert is not None


def test_holding_back_clears_the_open_card_that_is_keyed_and_only_then_leaves() -> None:
    pilot = Pilot()
    pilot.choose("Einmaleins", "Open card: ?")
    pilot.key("34")
    assert (pilot.key("<<").body.entry, pilot.frame.header.title) == (None, "Open card")
    assert pilot.key("<<").header.title == "Einmaleins"


def test_a_position_can_be_entered_before_any_open_card() -> None:
    pilot = Pilot()
    pilot.choose("Einmaleins", "Position: new")
    pilot.key("5v3# 24v4v6##")
    pilot.choose("Start")
    stored = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    assert stored.tags["Position"] == "yellow 5; red 3; open 24=4x6"
    assert pilot.frame.body.big == "24 4×6"


def test_the_table_is_corrected_place_by_place() -> None:
    pilot = at("28=4x7", "Anna yellow, Ben red", "5 3")
    pilot.key("?")
    pilot.choose("Check table")
    pilot.key("v4# vvv1##")
    assert pilot.tokens() == ("<yellow 5; red 4; open *28=4x7>",)
    assert pilot.frame.body.big == "*28 4×7"


def test_everybodys_cards_fit_two_lines_of_sixteen_characters() -> None:
    names = "Konstanze yellow, Konstantin red, Maximilian green, Ben blue, Emil white, Fritz pink"
    for count in range(2, 7):
        players = ",".join(names.split(",")[:count])
        _, position = begin_game(
            {"Game": "einmaleins", "Players": players, "Open": "24", "Rules": "free=0"}
        )
        assert isinstance(position, EinmaleinsPosition)
        lines = hand_lines(position)
        assert len(lines) <= 2
        assert all(len(line) <= 16 for line in lines)
        assert " ".join(lines).count("7" if count < 4 else "5") == count


def test_names_that_begin_alike_are_told_apart() -> None:
    assert short_names(["Konstanze", "Konstantin", "Ben"], 5) == ["Konse", "Konsn", "Ben"]


def test_what_was_played_is_a_record_that_check_and_legal_read(tmp_path: Path) -> None:
    pilot = Pilot.game("einmaleins", THREE, Open="12")
    pilot.key("24v#35#v 18# 36#")
    game = pilot.ctx.store.load(pilot.ctx.store.latest_game() or 0)
    path = tmp_path / "game.txt"
    tags = "".join(f'[{name} "{value}"]\n' for name, value in game.tags.items())
    path.write_text(tags + "\n" + " ".join(game.tokens) + "\n", "utf-8")
    checked = run("check", path, "--json")
    assert checked.exit_code == 0
    first, *moves, last = lines(checked)
    assert first["board"] is None
    assert [move["move"] for move in moves] == list(game.tokens)
    assert last["to_move"] == pilot.frame.header.title
    listed = run("legal", path, "--hand", "12,24,*", "--json")
    assert listed.exit_code == 0
    answer = json.loads(listed.stdout)
    assert answer["player"] == pilot.frame.header.title
    assert answer["moves"][-1] == "d"


def test_without_help_nothing_of_the_task_is_shown_before_enter() -> None:
    store = Pilot().ctx.store
    save_players(store, [KnownPlayer("Anna", "yellow", HelpLevel.NONE)])
    tags = {"Game": "einmaleins", "Players": "Anna yellow, Ben red"}
    for number, lies in (("24", "32=4x8"), ("25", "32=4x8"), ("28", "32=4x8"), ("34", "32=4x8")):
        pilot = Pilot({**tags, "Position": f"yellow 5; red 3; open {lies}"}, store=store)
        frame = pilot.key(number)
        assert entry_of(frame) == Entry(number)
        assert frame.body.lines == ()
        assert pilot.key("^").body.lines == ()
        assert entry_of(pilot.frame) == Entry(number)
        if number in ("25", "34"):
            assert entry_of(pilot.key("#")).tone is Tone.BAD


def test_digits_over_a_notice_begin_the_next_card_and_no_notice_is_lost() -> None:
    pilot = at("28=4x7")
    frame = pilot.key("36#")
    notice = alert(frame)
    assert notice == "Ben draws one card and misses the turn."
    frame = pilot.key("27")
    assert (alert(frame), entry_of(frame).text) == ("", "27")
    assert pilot.tokens() == ("36=4x9",)
    assert alert(pilot.key("<<")) == notice  # C held clears what is keyed
    pilot.key("2")
    assert alert(pilot.key("<")) == notice
    pilot.key("27#")
    assert pilot.tokens() == ("36=4x9", "27=3x9")
    assert notice != alert(pilot.frame)


def test_a_tapped_number_over_a_notice_begins_the_next_card() -> None:
    pilot = at("28=4x7")
    pilot.key("36#")
    pilot.program.tap("27")
    assert (alert(pilot.frame), entry_of(pilot.frame).text) == ("", "27")
