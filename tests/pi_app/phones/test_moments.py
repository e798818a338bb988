"""Moments on a phone: who has some, a question, its answer, and each answer counts once."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ai.evaluation import Evaluation, Mistake
from engines.record import parse
from pi_app.past.evaluation import Evaluations
from pi_app.past.moments import moments_of, take_moments
from pi_app.store import Store
from pi_app.system.worker import Worker
from pi_app.table.players import KnownPlayer, save_players
from pi_app.table.table import Table
from tests.pi_app.phones.client import Client, Phone, table
from tests.pi_app.phones.client import Table as OpenTable
from tests.pi_app.pilot import at_once, evaluation_in, store_games
from tests.scenes import scenes

SCENE = next(scene for scene in scenes() if scene.name == "moments-waiting")


def keep_moments(store: Store, *names: str) -> None:
    """Store a game with moments of Anna and Ben, as known players."""
    store_games(store, SCENE.games[0])
    played = Table.resume(None, store.load(1))
    assert played.tokens() == parse(SCENE.games[0]).tokens
    take_moments(store, played, evaluation_in(SCENE, 0))
    save_players(store, [KnownPlayer(name) for name in names])


@contextmanager
def paired() -> Iterator[tuple[OpenTable, Phone]]:
    with table() as opened:
        keep_moments(opened.ctx.store, "Anna", "Ben", "Cem")
        with opened.phone() as phone:
            yield opened, phone


def test_a_browser_that_is_not_paired_sees_nobodys_moments() -> None:
    with table() as opened:
        keep_moments(opened.ctx.store, "Anna")
        with Client(opened.path) as client:
            assert client.ask("moments")["error"] == "unpaired"
            asked = {"name": "Anna", "game": 1, "move": 32, "asked": 0, "played": "3"}
            assert client.ask("answer", **asked)["error"] == "unpaired"
        assert all(each.progress is None for each in moments_of(opened.ctx.store, "Anna"))


def test_players_with_moments_are_listed_with_how_many_wait() -> None:
    with paired() as (_, phone):
        told = phone.own("moments")
    assert told["title"] == "Moments"
    assert told["players"] == [{"name": "Anna", "waiting": 3}, {"name": "Ben", "waiting": 1}]
    assert told["text"] == ""


def test_where_nobody_has_moments_it_is_said_where_they_come_from() -> None:
    with table() as opened, opened.phone() as phone:
        told = phone.own("moments")
    assert told["players"] == []
    assert told["text"].startswith("After a game of numeri")


def test_a_question_has_the_board_the_roll_and_the_moves_but_not_the_move_that_was_played() -> None:
    with paired() as (_, phone):
        told = phone.own("moments", name="Anna")
    question = told["question"]
    assert told["text"] == "3 moments wait: what would you play?"
    assert question["lines"] == ["Rolled: 3", "What would you play?"]
    assert [option["token"] for option in question["options"]] == ["3", "3:1,2", "3:2,1"]
    assert {option["cell"] for option in question["options"]} == {"18", "15", "19"}
    stones = [cell["name"] for cell in question["picture"]["cells"] if cell["tokens"]]
    assert len(stones) == 12
    assert not any(cell["marks"] for cell in question["picture"]["cells"])
    assert "played" not in question


def test_an_answer_is_stored_judged_and_leads_to_the_next_question() -> None:
    with paired() as (opened, phone):
        question = phone.own("moments", name="Anna")["question"]
        asked = {part: question[part] for part in ("game", "move", "asked")}
        told = phone.own("answer", name="Anna", played="3:2,1", **asked)
        assert (told["right"], told["text"], told["waiting"]) == (True, "Right", 2)
        assert told["lines"][1] == "Makes a chain and rolls again."
        marked = [cell["name"] for cell in told["picture"]["cells"] if "selected" in cell["marks"]]
        assert marked == ["18", "19"]
        following = phone.own("moments", name="Anna")["question"]
        assert (following["game"], following["move"]) == (1, 50)
        wrong = phone.own("answer", name="Anna", game=1, move=50, asked=0, played="4")
        assert (wrong["right"], wrong["text"]) == (False, "No")
        answers = [each.progress for each in moments_of(opened.ctx.store, "Anna")]
    assert [answer and (answer.right, answer.wrong) for answer in answers] == [(1, 0), (0, 1), None]


def test_a_star_of_2009_is_asked_and_answered_with_its_signs() -> None:
    tags = '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n[Rules "edition=2009"]\n'
    with table() as opened:
        store_games(opened.ctx.store, f"{tags}1 4 1 3 3 2 *:5 3")
        played = Table.resume(None, opened.ctx.store.load(1))
        mistake = Mistake(7, 0, 0.3, ("*:4",), (("long-hop", {"stone": 4, "fields": 3}),))
        take_moments(opened.ctx.store, played, Evaluation((), (), (mistake,)))
        save_players(opened.ctx.store, [KnownPlayer("Anna")])
        with opened.phone() as phone:
            question = phone.own("moments", name="Anna")["question"]
            assert question["lines"][0] == "Rolled: ★"
            tokens = [f"*:{stone}" for stone in range(1, 6)]
            assert [option["token"] for option in question["options"]] == tokens
            asked = {part: question[part] for part in ("game", "move", "asked")}
            told = phone.own("answer", name="Anna", played="*:4", **asked)
    assert (told["right"], told["lines"][1]) == (True, "Stone 4 goes 3 fields at once.")


def test_an_answer_that_is_sent_again_counts_once() -> None:
    with paired() as (opened, phone):
        asked = {"name": "Ben", "game": 1, "move": 64, "asked": 0, "played": "5:2,3"}
        first = phone.own("answer", **asked)
        after = moments_of(opened.ctx.store, "Ben")
        again = phone.own("answer", **asked)
        assert {**again, "id": ""} == {**first, "id": ""}
        assert moments_of(opened.ctx.store, "Ben") == after
        told = phone.own("moments", name="Ben")
    assert told["question"] is None
    assert told["text"].startswith("The next moment comes in ")


def test_a_moment_that_is_gone_and_a_move_that_is_none_are_refused() -> None:
    with paired() as (opened, phone):
        fitting = {"name": "Anna", "game": 1, "move": 32, "asked": 0, "played": "3"}
        for wrong in ({"move": 33}, {"game": 2}, {"name": "Cem"}, {"played": "9"}, {"played": "x"}):
            assert phone.own("answer", **{**fitting, **wrong})["error"] == "none"
        assert all(each.progress is None for each in moments_of(opened.ctx.store, "Anna"))


def test_a_game_that_is_not_evaluated_yet_says_so_and_then_is_asked() -> None:
    works: list[Callable[[], None]] = []
    worker = Worker()
    worker.attach(at_once, works.append)
    record = parse(SCENE.games[0])
    with table() as opened:
        opened.ctx.evaluations = evaluations = Evaluations(worker)
        store_games(opened.ctx.store, SCENE.games[0])
        with opened.phone() as phone:
            for _ in range(2):
                told = phone.own("moments", name="Anna")
                assert (told["working"], told["question"]) == (True, None)
                assert told["text"] == "Thinks ..."
                assert len(works) == 1
            evaluations.remember(record.tags, record.tokens, evaluation_in(SCENE, 0))
            works.pop()()
            told = phone.own("moments", name="Anna")
            assert told["working"] is False
            assert told["question"]["move"] == 32
            assert phone.own("moments", name="Ben")["question"]["move"] == 64
