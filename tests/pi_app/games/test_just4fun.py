"""Just 4 Fun at the table: what is keyed, what is said, what counts."""

import pytest

from hardware.keys import Key
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import KnownPlayer, save_players
from pi_app.view.frame import Entry, Mark, Signal, Tone
from tests.pi_app.pilot import Pilot, choices_of, entry_of, marked

FOUR = "Anna yellow, Ben red, Cleo white, Dora pink"


def verdict(pilot: Pilot) -> tuple[str, Tone]:
    entry = entry_of(pilot.frame)
    return entry.verdict, entry.tone


@pytest.mark.parametrize(
    ("position", "keys", "says", "tone"),
    [
        ("", "5*11*13", "29 free", Tone.GOOD),
        ("red 29x2", "5*11*13", "29 blocked: Ben leads by 2", Tone.BAD),
        ("", "17*18*19", "54: too high", Tone.BAD),
        ("", "25", "no card is worth 25: key the cards, not the sum", Tone.BAD),
        ("", "13*13", "the deck has only 1 of card 13", Tone.BAD),
    ],
)
def test_the_verdict_is_there_before_the_move_is_confirmed(
    position: str, keys: str, says: str, tone: Tone
) -> None:
    tags = {"Position": position} if position else {}
    pilot = Pilot.game("just4fun", **tags)
    pilot.key(keys)
    assert verdict(pilot) == (says, tone)
    assert pilot.tokens() == ()


def test_a_field_keyed_for_a_card_is_answered_in_another_way_than_a_number_of_nothing() -> None:
    said = {}
    for number in (*range(20, 37), 44):
        pilot = Pilot.game("just4fun")
        pilot.key(str(number))
        says, tone = verdict(pilot)
        assert tone is Tone.BAD
        said[number] = says.replace(str(number), "N")
    nothing = said.pop(44)
    assert len(set(said.values())) == 1
    assert nothing not in said.values()


def test_a_confirmed_move_counts_and_says_what_to_do_at_the_table() -> None:
    pilot = Pilot.game("just4fun")
    frame = pilot.key("5*11*13#")
    assert pilot.tokens() == ("5+11+13",)
    assert frame.header.title == "Ben"
    assert frame.body.lines[:2] == ("Anna: stone on 29.", "Anna draws 3 cards.")
    assert pilot.recorder.signals[-2:] == [Signal.OK, Signal.TURN]


def test_a_refused_move_changes_nothing_and_can_be_corrected() -> None:
    pilot = Pilot.game("just4fun", Position="red 29x2")
    pilot.key("5*11*13#")
    assert pilot.tokens() == ()
    assert pilot.recorder.signals[-1] is Signal.BAD
    pilot.key("<2#")
    assert pilot.tokens() == ("5+11+12",)


def test_the_hand_shows_every_sum_and_plays_the_chosen_one() -> None:
    pilot = Pilot.game("just4fun", Position="red 8x2")
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", HelpLevel.LEGAL)])
    frame = pilot.key("^ 3*5*11*13#")
    assert choices_of(frame).items[:4] == (
        "field 3: 3",
        "field 5: 5",
        "field 8 blocked",
        "field 11: 11",
    )
    assert choices_of(frame).sentence(2) == "8 blocked: Ben leads by 2 (3+5)"
    pilot.key("v#")
    assert pilot.tokens() == ("5",)


def test_two_ways_to_make_a_sum_are_both_offered_and_the_chosen_cards_are_recorded() -> None:
    pilot = Pilot.game("just4fun", Position="red 8x2")
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", HelpLevel.LEGAL)])
    choices = choices_of(pilot.key("^ 3*5*11*13#"))
    both = [row for row, item in enumerate(choices.items) if item.startswith("field 16")]
    assert [choices.items[row] for row in both] == ["field 16: 3+13", "field 16: 5+11"]
    pilot.key("v" * both[1] + "#")
    assert pilot.tokens() == ("5+11",)


def test_a_blocked_sum_takes_one_row_however_many_cards_make_it() -> None:
    pilot = Pilot.game("just4fun", Position="red 16x2")
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", HelpLevel.LEGAL)])
    choices = choices_of(pilot.key("^ 3*5*11*13#"))
    assert choices.items.count("field 16 blocked") == 1


def test_a_blocked_sum_in_the_hand_is_not_played() -> None:
    pilot = Pilot.game("just4fun", Position="red 8x2")
    pilot.key("^ 3*5*11*13# vv#")
    assert pilot.tokens() == ()


def test_a_row_is_announced_with_its_fields() -> None:
    pilot = Pilot.game("just4fun", Position="yellow 1 14 30; red 2")
    frame = pilot.key("12*12#")
    assert (frame.body.big, *frame.body.lines) == ("Anna", "wins!", "Row: 1, 14, 30, 24")
    assert pilot.recorder.signals[-1] is Signal.WIN
    assert marked(frame, Mark.ROW) == {"1", "14", "24", "30"}


def test_undo_after_the_end_goes_on_with_the_game() -> None:
    pilot = Pilot.game("just4fun", Position="yellow 1 14 30; red 2")
    pilot.key("12*12#")
    frame = pilot.key("<<")
    assert frame.header.title == "Anna"
    assert pilot.tokens() == ()


def test_two_players_sit_opposite_and_four_around_the_table() -> None:
    two = Pilot.game("just4fun", Position="yellow 1; red 1").frame.board.picture
    four = Pilot.game(
        "just4fun", FOUR, Position="yellow 1; red 1; white 1; pink 1"
    ).frame.board.picture
    assert two is not None
    assert four is not None
    assert [token.side for token in two.cells[0].tokens] == [0, 2]
    assert [token.side for token in four.cells[0].tokens] == [0, 1, 2, 3]


def test_a_tapped_field_tells_who_leads() -> None:
    pilot = Pilot.game("just4fun", Position="red 29x2 5")
    pilot.program.tap("29")
    assert pilot.frame.body.lines[0] == "29 blocked: Ben leads by 2"
    pilot.program.tap("5")
    assert pilot.frame.body.lines[0] == "5: Ben leads, you may place there."


@pytest.mark.parametrize("keys", ["1*2*3*4*5", "^ 1*2*3*4*5"])
def test_a_fifth_card_is_one_too_many(keys: str) -> None:
    entry = entry_of(Pilot.game("just4fun").key(keys))
    assert (entry.text, entry.verdict) == ("1+2+3+4+5", "at most 4 cards")


@pytest.mark.parametrize("level", [HelpLevel.NONE, HelpLevel.SUMS, HelpLevel.LEGAL])
def test_a_card_that_is_none_is_told_of_with_its_last_digit_and_none_follows(
    level: HelpLevel,
) -> None:
    pilot = Pilot.game("just4fun")
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", level)])
    pilot.key("5*44")
    assert verdict(pilot) == ("no card has the value 44", Tone.BAD)
    assert pilot.recorder.signals[-1] is Signal.BAD
    frame = pilot.key("*7")
    assert entry_of(frame).text == "5+44"
    assert pilot.recorder.signals[-1] is Signal.BAD
    pilot.key("<*7#")
    assert pilot.tokens() == ("5+4+7",)


@pytest.mark.parametrize("before", ["", "^"])
def test_a_third_digit_is_told_of_and_not_dropped(before: str) -> None:
    pilot = Pilot.game("just4fun")
    assert pilot.key(before + "123").body.entry == Entry(
        "123", "no card has the value 123", Tone.BAD
    )


def test_the_hand_tells_of_a_card_that_is_none_with_its_last_digit() -> None:
    pilot = Pilot.game("just4fun")
    frame = pilot.key("^ 5*44*")
    assert frame.body.entry == Entry("5+44", "no card has the value 44", Tone.BAD)
    assert pilot.recorder.signals[-1] is Signal.BAD


def test_the_help_level_sums_offers_no_sum_that_is_on_no_field() -> None:
    pilot = Pilot.game("just4fun", Position="red 8x2")
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", HelpLevel.SUMS)])
    choices = choices_of(pilot.key("^ 3*8*12*19#"))
    at = choices.items.index("39 too high")
    assert (choices.sentences[at], at in choices.greyed) == ("39: too high (8+12+19)", True)
    assert len(choices.greyed) == 2, "a blocked field is not told of"
    frame = pilot.key([Key.DOWN] * at)
    assert Key.ENTER not in {soft.key for soft in frame.keys.soft}
