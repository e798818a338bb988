"""Moments by keys: after the game, days later, before they are ready, and never in the way."""

from datetime import timedelta

import pytest

from ai.evaluation import Evaluation
from engines.record import Record, parse
from hardware.keys import Key
from pi_app.past.moments import games_looked_through, moments_of
from pi_app.screens.base import Open
from pi_app.screens.players_and_settings.players import PlayerScreen
from pi_app.screens.playing.result import ResultScreen
from pi_app.screens.starting.moments import AnswerScreen, MomentsScreen, WhoseMoments
from pi_app.table.players import BotSeats, KnownPlayer, list_players, save_players
from pi_app.view.frame import Frame, Mark, Signal, Tone
from tests.pi_app.pilot import Pilot, choices_of, evaluation_in, picture_of, store_games
from tests.pi_app.screens.test_evaluation import ENDING, MUEHLE, Waiting, evaluation_of
from tests.scenes import Scene, scenes

SCENE: Scene = next(scene for scene in scenes() if scene.name == "moments-waiting")
RECORD = parse(SCENE.games[0])
FOUND: Evaluation = evaluation_in(SCENE, 0)
FLAWLESS = evaluation_of((0.5, 0.5))
TO_TABLE = '@"History" @"Games" ## @"To the table"'


def at_result(evaluation: Evaluation | None = FOUND) -> Pilot:
    """Return a pilot at the result of a game that is evaluated; without one, all work fails."""
    pilot = Pilot.scene(SCENE, "en")
    waiting = Waiting()
    if evaluation is not None:
        waiting.keep(RECORD, evaluation)
    pilot.ctx.evaluations = waiting.evaluations
    pilot.key(TO_TABLE)
    waiting.go_on()
    return pilot


def unready(record: Record = RECORD) -> tuple[Pilot, Waiting]:
    """Return a pilot that has just keyed the last move, while the evaluation is to come."""
    pilot = Pilot(dict(record.tags))
    save_players(pilot.ctx.store, [KnownPlayer("Anna"), KnownPlayer("Ben")])
    waiting = Waiting()
    pilot.ctx.evaluations = waiting.evaluations
    pilot.play_tokens(record.tokens)
    return pilot, waiting


def kept(pilot: Pilot, name: str = "Anna") -> list[tuple[int, bool]]:
    """Return the moves of a player's moments, and whether each was asked already."""
    moments = moments_of(pilot.ctx.store, name)
    return [(moment.move, moment.progress is not None) for moment in moments]


def words(frame: Frame) -> str:
    return " ".join((frame.body.big, *frame.body.lines))


def open_moments(pilot: Pilot, name: str) -> Frame:
    """Open a player's moments, as "History", "Players", the name, "My moments" does."""
    pilot.program.do(lambda: Open((), "moments", player=name))
    return pilot.frame


# --- after the game


def test_a_moment_is_asked_on_the_board_with_its_roll_and_not_with_what_was_played() -> None:
    pilot = at_result()
    frame = pilot.key("2 1 #")
    assert frame.body.lines == ("Rolled: 3", "What would you play?")
    assert frame.keys.dice == (3,)
    assert frame.header.corner == "1/3"
    assert not any(cell.marks for cell in picture_of(frame).cells)
    stones = {cell.name for cell in picture_of(frame).cells if cell.tokens}
    assert stones == {"1", "3", "5", "6", "7", "8", "9", "13", "14", "15", "16", "17"}
    choices = choices_of(pilot.key("#"))
    assert choices.items == ("3→18", "1→18 2→15", "2→18 1→19 chain")
    assert choices.selected == 0


@pytest.mark.parametrize(
    ("key", "big", "tone", "verdict"),
    [
        ("3", "Right", Tone.GOOD, "2→18 1→19: nothing is better."),
        ("1", "Right", Tone.GOOD, "3→18 is as good as 2→18 1→19."),
        ("2", "No", Tone.BAD, "Better than 1→18 2→15: 2→18 1→19"),
    ],
)
def test_an_answer_is_judged_with_the_reason_and_the_move_of_then(
    key: str, big: str, tone: Tone, verdict: str
) -> None:
    pilot = at_result()
    frame = pilot.key(f"2 1 # # {key}")
    assert (frame.body.big, frame.body.tone, frame.body.lines[0]) == (big, tone, verdict)
    assert frame.body.lines[1] == "Makes a chain and rolls again."
    assert frame.body.lines[-1] == "In the game: 1→18 2→15, 11 percentage points less."
    marked = {cell.name for cell in picture_of(frame).cells if Mark.SELECTED in cell.marks}
    assert marked == {"18", "19"}
    assert pilot.recorder.signals[-1] is (Signal.OK if tone is Tone.GOOD else Signal.BAD)


def test_a_good_and_a_wrong_answer_count_as_such_for_the_scheduler() -> None:
    pilot = at_result()
    pilot.key("2 1 # # 1 # # 1 # #")
    answers = [moment.progress for moment in moments_of(pilot.ctx.store, "Anna")]
    assert answers[0] is not None
    assert answers[1] is not None
    assert (answers[0].right, answers[0].wrong) == (1, 0)
    assert (answers[1].right, answers[1].wrong) == (0, 1)
    assert answers[0].due > answers[1].due
    assert answers[2] is None


def test_after_the_last_one_it_is_said_how_it_went_and_when_the_next_comes() -> None:
    pilot = at_result()
    frame = pilot.key("2 1 # # 1 # # 1 # # 1 #")
    assert isinstance(pilot.program.screen, MomentsScreen)
    assert frame.body.lines[0].startswith("Right: ")
    assert frame.body.lines[0].endswith(" of 3")
    assert frame.body.lines[1:] == ("The next moment comes in 1 day.",)
    before = kept(pilot)
    pilot.key("#")
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert kept(pilot) == before
    assert pilot.key("<").body.choices is not None


def test_a_person_who_played_against_the_companion_alone_is_asked_at_once() -> None:
    pilot = Pilot.scene(SCENE, "en")
    game = pilot.ctx.store.latest_game()
    assert game is not None
    BotSeats(pilot.ctx.store, game).give({"Ben": "club"})
    pilot.key(TO_TABLE)
    frame = pilot.key("2")
    assert frame.header.title == "Anna"
    assert frame.body.lines == ("3 moments wait: what would you play?",)
    assert moments_of(pilot.ctx.store, "Ben") == []


def test_a_game_of_the_companion_alone_has_no_moments() -> None:
    pilot = Pilot.scene(SCENE, "en")
    game = pilot.ctx.store.latest_game()
    assert game is not None
    BotSeats(pilot.ctx.store, game).give({"Anna": "best", "Ben": "club"})
    pilot.key(TO_TABLE)
    assert "moments" not in words(pilot.frame)
    pilot.key("2")
    assert pilot.recorder.signals[-1] is Signal.BAD


@pytest.mark.parametrize(
    "text",
    [
        MUEHLE,
        '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
        '[Position "yellow 1 14 30; red 2 3 4"]\n[Rules "rounds=1"]\n12+12 12+12\n',
    ],
)
def test_a_game_without_moments_offers_none(text: str) -> None:
    pilot, _ = unready(parse(text))
    if isinstance(pilot.program.screen, ResultScreen):
        assert not {Key.D1, Key.D2} & {key.key for key in pilot.frame.keys.soft}
        pilot.key("1")
        assert isinstance(pilot.program.screen, ResultScreen)
    pilot.key("2")
    assert not isinstance(pilot.program.screen, WhoseMoments | MomentsScreen)


def test_who_made_no_mistake_is_told_so_kindly() -> None:
    pilot = at_result(evaluation=FLAWLESS)
    choices = choices_of(pilot.key("2"))
    assert choices.items == ("Anna: 0", "Ben: 0")
    assert pilot.key("1").body.lines == ("Well played: no other move was clearly better.",)
    assert moments_of(pilot.ctx.store, "Anna") == []


# --- keys and touch


def test_back_leads_from_the_moves_to_the_board_and_out_and_answers_nothing() -> None:
    pilot = at_result()
    board = pilot.key("2 1 #")
    pilot.key("#")
    assert pilot.key("<") == board
    pilot.key("<")
    assert isinstance(pilot.program.screen, MomentsScreen)
    assert pilot.frame.body.lines == ("3 moments wait: what would you play?",)
    pilot.key("# ?")
    assert isinstance(pilot.program.screen, MomentsScreen)
    pilot.key("# # <<")
    assert isinstance(pilot.program.screen, MomentsScreen)
    assert not any(asked for _, asked in kept(pilot))


def test_only_the_roll_that_was_rolled_can_be_played() -> None:
    pilot = at_result()
    asked = pilot.key("2 1 #")
    for key in ("d4", "5", "^", "0"):
        assert pilot.key(key) == asked
        assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.key("d3").body.choices is not None


def test_a_field_that_is_touched_marks_the_move_that_ends_there() -> None:
    pilot = at_result()
    pilot.key("2 1 #")
    pilot.program.tap("19")
    choices = choices_of(pilot.frame)
    assert choices.items[choices.selected] == "2→18 1→19 chain"
    assert pilot.key("#").body.tone is Tone.GOOD


def test_an_answer_that_was_told_scrolls_and_can_be_left() -> None:
    pilot = at_result()
    pilot.key("2 1 # # 2")
    assert isinstance(pilot.program.screen, AnswerScreen)
    assert pilot.key("v").body.top == 1
    assert pilot.key("^^").body.top == 0
    pilot.key("7")
    assert pilot.recorder.signals[-1] is Signal.BAD
    assert pilot.key("<").body.lines[0] == "Right: 0 of 1"


def test_nothing_of_the_game_changes() -> None:
    pilot = at_result()
    game = pilot.ctx.store.latest_game()
    assert game is not None
    before = pilot.ctx.store.load(game)
    pilot.key("2 1 # # 2 # # 1 < <")
    pilot.key("2 # # 1")
    assert pilot.ctx.store.load(game) == before
    assert pilot.ctx.store.latest_game() == game


# --- not ready yet


def test_before_the_evaluation_is_ready_that_is_said_and_then_it_is_asked() -> None:
    pilot, waiting = unready()
    frame = pilot.key("2")
    assert frame.body.lines == ("Thinks ...",)
    pilot.key("#")
    assert pilot.recorder.signals[-1] is Signal.BAD
    waiting.keep(RECORD, FOUND)
    waiting.go_on()
    pilot.program.show()
    choices = choices_of(pilot.frame)
    assert choices.items == ("Anna: 3", "Ben: 1")


def test_moments_are_kept_though_nobody_looks_any_more() -> None:
    pilot, waiting = unready()
    pilot.key("<")
    assert moments_of(pilot.ctx.store, "Anna") == []
    waiting.keep(RECORD, FOUND)
    waiting.go_on()
    assert [move for move, _ in kept(pilot)] == [32, 50, 65]


def test_an_evaluation_that_fails_says_so_and_blocks_nothing() -> None:
    pilot, waiting = unready()
    pilot.key("2")
    waiting.go_on()
    pilot.program.show()
    assert pilot.frame.body.lines == ("The course could not be worked out.",)
    pilot.key("<")
    assert isinstance(pilot.program.screen, ResultScreen)


def test_several_games_are_looked_through_one_after_the_other() -> None:
    pilot = Pilot()
    store_games(pilot.ctx.store, *[SCENE.games[0]] * 2, ENDING)
    waiting = Waiting()
    pilot.ctx.evaluations = waiting.evaluations
    for record in (RECORD, parse(ENDING)):
        waiting.keep(record, FOUND if record == RECORD else FLAWLESS)
    open_moments(pilot, "Anna")
    assert pilot.frame.body.lines == ("6 moments wait: what would you play?",)
    assert games_looked_through(pilot.ctx.store, "Anna") == [3, 2, 1]
    pilot.key("<")
    open_moments(pilot, "Anna")
    assert not waiting.works


# --- days later


def test_days_later_the_menu_offers_what_is_due() -> None:
    pilot = at_result()
    pilot.key("2 1 # # 1 # # 1 # # 1 # < < <")
    open_moments(pilot, "Anna")
    assert pilot.frame.body.lines == ("The next moment comes in 1 day.",)
    pilot.key("<")
    pilot.today += timedelta(days=2)
    open_moments(pilot, "Anna")
    assert " wait" in words(pilot.frame)
    assert pilot.key("#").body.lines[-1] == "What would you play?"


def test_who_has_no_moments_is_told_where_they_come_from() -> None:
    pilot = Pilot()
    save_players(pilot.ctx.store, [KnownPlayer("Anna")])
    frame = pilot.choose("History", "Players", "Anna", "My moments")
    assert frame.body.lines == (
        "After a game of numeri your mistakes wait here: what would you play now?",
    )
    pilot.key("<")
    assert isinstance(pilot.program.screen, PlayerScreen)


def test_what_was_answered_before_a_power_cut_is_not_asked_again() -> None:
    pilot = at_result()
    pilot.key("2 1 # # 1")
    again = Pilot(store=pilot.ctx.store)
    save_players(again.ctx.store, [KnownPlayer("Anna")])
    frame = again.choose("History", "Players", "Anna", "My moments")
    assert frame.body.lines == ("2 moments wait: what would you play?",)
    assert [asked for _, asked in kept(again)] == [True, False, False]


def test_forgetting_somebody_with_moments_asks_first_and_forgets_them() -> None:
    pilot = at_result()
    save_players(pilot.ctx.store, [KnownPlayer("Anna")])
    again = Pilot(store=pilot.ctx.store)
    again.choose("History", "Players", "Anna", "Forget")
    assert again.frame.body.lines == ("What was learnt is forgotten too.",)
    again.choose("Forget")
    assert list_players(again.ctx.store) == []
    assert moments_of(again.ctx.store, "Anna") == []
