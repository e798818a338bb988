"""The companion thinks while others are to move, and plays as if it had not."""

from collections.abc import Callable
from typing import Any

import pytest

from hardware.keys import Key
from pi_app.store.store import Store
from pi_app.table import thoughts
from pi_app.table.players import BotSeats
from pi_app.table.thoughts import KEPT, MoveQuestion, Outlook, Thoughts
from tests.pi_app.pilot import Pilot, at_once
from tests.pi_app.whole.test_empty_chair import PERSON, Evening

TAGS = {"Game": "numeri", "Players": "Anna yellow, Ben red"}
ALL_IN = "yellow 1@1 2@2 3@7 4@9 5@10 6@13; red 1@3 2@4 3@6 4@8 5@11 6@12"
Act = Callable[[], None]


@pytest.fixture(autouse=True)
def little_effort(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thoughts, "EFFORT_S", 0.001)
    monkeypatch.setattr(thoughts, "MOST_AHEAD", 12)


def table(jobs: list[Act], **tags: str) -> Pilot:
    """Return numeri with the companion on Ben's seat; its jobs are done when a test does them."""
    store = Store(":memory:")
    BotSeats(store, store.begin({**TAGS, **tags})).give({"Ben": "club"})
    pilot = Pilot(store=store)
    pilot.ctx.worker.attach(at_once, jobs.append)
    return pilot


def thinking_of(pilot: Pilot) -> Thoughts:
    found = vars(pilot.program.screen)["bot_turn"]
    mind = vars(found)["_thoughts"]
    assert isinstance(mind, Thoughts)
    return mind


def asked(monkeypatch: pytest.MonkeyPatch) -> list[MoveQuestion]:
    """Return a list of every question that the companion begins to think about."""
    questions: list[MoveQuestion] = []
    search = Thoughts._search

    def noting(self: Thoughts, question: MoveQuestion, *rest: Any) -> Any:
        questions.append(question)
        return search(self, question, *rest)

    monkeypatch.setattr(Thoughts, "_search", noting)
    return questions


@pytest.mark.parametrize("game", PERSON)
def test_it_plays_the_same_with_and_without_having_thought_ahead(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = 24
    without = Evening(game, seed=5)
    without.play(turns)
    known = []
    answer = Thoughts._answer

    def noting(self: Thoughts, question: MoveQuestion) -> Any:
        found = answer(self, question)
        known.append(found is not None and question.moves == len(self._table.steps))
        return found

    monkeypatch.setattr(Thoughts, "_answer", noting)
    ahead = Evening(game, seed=5)
    ahead.pilot.ctx.worker.attach(at_once, lambda work: work())
    ahead.play(turns)
    assert ahead.pilot.tokens() == without.pilot.tokens()
    assert game != "numeri" or any(known), "no answer was ready"


def test_what_it_thought_about_ahead_is_announced_at_once() -> None:
    jobs: list[Act] = []
    pilot = table(jobs, Position=ALL_IN)
    pilot.key("6#")
    for job in jobs:
        job()
    begun = len(jobs)
    pilot.key("4")
    assert len(jobs) == begun, "nothing is left to think about"
    assert pilot.frame.body.lines[0] == "Ben thinks ..."
    assert pilot.wait(0.31).body.lines[0].startswith("For Ben, move red stone")


def test_while_people_roll_for_it_it_thinks_about_every_roll(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jobs: list[Act] = []
    questions = asked(monkeypatch)
    pilot = table(jobs, Position=ALL_IN, Start="Ben")
    pilot.key("v")
    jobs[-1]()
    assert [question.given for question in questions] == [1, 2, 3, 4, 5, 6]
    assert {question.moves for question in questions} == {0}


def test_once_a_person_rolled_only_moves_with_that_roll_are_expected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jobs: list[Act] = []
    questions = asked(monkeypatch)
    pilot = table(jobs, Position=ALL_IN)
    start = pilot.program.screen.table.position  # type: ignore[attr-defined]
    pilot.key("6")
    assert not pilot.tokens()
    jobs[-1]()
    ends = [end.after for end in start.previews(6)]
    assert questions
    assert all(question.position in ends for question in questions)


def test_while_people_move_its_stones_it_thinks_about_what_comes_then(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    jobs: list[Act] = []
    pilot = table(jobs, Position=ALL_IN, Start="Ben")
    BotSeats(pilot.ctx.store, 1).give({"Anna": "best"})
    pilot.restart()
    pilot.key("6#")
    questions = asked(monkeypatch)
    jobs[-1]()
    assert {question.moves for question in questions} == {1}
    assert {question.strength for question in questions} <= {"best", "club"}


def test_it_stops_as_soon_as_the_table_is_another_one(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Act] = []
    pilot = table(jobs, Position=ALL_IN)
    pilot.key("6#")
    pilot.key([Key.BACK_HELD])
    questions = asked(monkeypatch)
    for job in jobs[:-1]:
        job()
    assert not questions, "dropped"
    jobs[-1]()
    assert questions


def test_it_stops_when_the_table_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Act] = []
    pilot = table(jobs, Position=ALL_IN)
    pilot.key("v")
    begun = len(jobs)
    pilot.key([Key.MENU])
    pilot.choose("New game")
    pilot.program._begin_stack(pilot.program.screen)
    questions = asked(monkeypatch)
    for job in jobs:
        job()
    assert begun
    assert not questions


def test_people_alone_pay_nothing() -> None:
    jobs: list[Act] = []
    pilot = Pilot({**TAGS, "Position": ALL_IN})
    pilot.ctx.worker.attach(at_once, jobs.append)
    pilot.key("4#5#6#")
    assert not jobs
    taken = table(jobs, Position=ALL_IN, Start="Ben")
    taken.key("^")
    taken.choose("Plays", "a person")
    begun = len(jobs)
    taken.key("6# 3#")
    assert len(jobs) == begun, "the companion has no seat any more"


def test_without_a_loop_nobody_waits_for_what_may_never_come(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    questions = asked(monkeypatch)
    store = Store(":memory:")
    BotSeats(store, store.begin({**TAGS, "Position": ALL_IN})).give({"Ben": "club"})
    Pilot(store=store).key("6#")
    assert not questions


def test_it_keeps_few_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    jobs: list[Act] = []
    pilot = table(jobs, Position=ALL_IN)
    mind = thinking_of(pilot)
    monkeypatch.setattr(Thoughts, "_search", lambda _, question, *__: question.given)

    def endless(_: Thoughts, outlook: Outlook, __: object) -> Any:
        return (MoveQuestion(1, outlook.position, n, "club") for n in range(10 * KEPT))

    monkeypatch.setattr(Thoughts, "_questions", endless)
    monkeypatch.setattr(thoughts, "MOST_AHEAD", 3 * KEPT)
    pilot.key("v")
    jobs[-1]()
    answers: Any = mind._answers
    assert [move for _, move in answers] == list(range(2 * KEPT, 3 * KEPT))


@pytest.mark.parametrize("game", ["just4fun", "sequence", "einmaleins"])
def test_it_imagines_what_others_hold_from_its_own_cards_alone(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    evening = Evening(game, seed=4)
    jobs: list[Act] = []
    evening.pilot.ctx.worker.attach(at_once, jobs.append)
    while evening.position.seat != 0:
        evening.step()
    evening.deal_cards()
    evening.pilot.program.show()
    known: list[Any] = []

    def imagine(_ai: object, _position: object, own: Any, _rng: object) -> list[Any]:
        known.append(own)
        return []

    monkeypatch.setattr("ai.foresight.imagine_hands", imagine)
    jobs[-1]()
    dealt = evening.deal.hands()[1]
    assert [sorted(own) for own in known] == [sorted(dealt)]
