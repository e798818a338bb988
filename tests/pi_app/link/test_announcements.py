"""The organiser's texts come down to the table: each is shown and said once, and ends in time."""

from tests.pi_app.link.tables import Link
from tests.pi_app.phones.client import Table


def test_a_text_is_shown_and_said_once(game: Table) -> None:
    said: list[str] = []
    with Link(game.path) as link:
        link.take()
        for number in ("1", "1", "2"):
            text = f"Round 4 in {number}\u202e minutes"
            assert link.ask("say", say={"id": number, "text": text, "for_s": 600})["ok"]
        frame = game.see(lambda frame: frame.alert)
        assert frame.alert is not None
        said.append(frame.alert.text)
        alerts = [alert.text for alert in game.program.bulletin.alerts]
        assert alerts == ["Round 4 in 1? minutes", "Round 4 in 2? minutes"]


def shown_texts(game: Table) -> list[str]:
    texts: list[str] = []
    game.do(lambda: texts.extend(alert.text for alert in game.program.bulletin.alerts))
    return texts


def test_a_flood_of_texts_shows_few_of_them_and_draws_no_frame_for_the_others(
    game: Table,
) -> None:
    clock, frames = game.ctx.clock, len(game.recorder.frames)
    with Link(game.path) as link:
        link.take()
        answers = [
            link.ask("say", say={"id": str(n), "text": f"{n}", "for_s": 86400}) for n in range(500)
        ]
        assert [answer.get("ok", False) for answer in answers] == [True] * 8 + [False] * 492
        assert shown_texts(game) == [str(n) for n in range(8)]
        assert len(game.recorder.frames) - frames < 20
        game.ctx.clock = lambda: clock() + 60
        assert link.ask("say", say={"id": "late", "text": "Round 2", "for_s": 600})["ok"]
        assert shown_texts(game) == [*(str(n) for n in range(1, 8)), "Round 2"]


def test_texts_that_are_alike_are_shown_once_as_long_as_the_last_of_them_counts(
    game: Table,
) -> None:
    clock = game.ctx.clock
    with Link(game.path) as link:
        link.take()
        for number, seconds in (("1", 10), ("2", 86400)):
            link.ask("say", say={"id": number, "text": "Pause", "for_s": seconds})
        assert shown_texts(game) == ["Pause"]
        game.ctx.clock = lambda: clock() + 60
        link.ask("say", say={"id": "3", "text": "Round 2", "for_s": 600})
        assert shown_texts(game) == ["Pause", "Round 2"]


def test_a_text_that_is_out_of_date_is_taken_back(game: Table) -> None:
    with Link(game.path) as link:
        link.take()
        link.ask("say", say={"id": "1", "text": "now", "for_s": 1})
        game.see(lambda frame: frame.alert)
        game.see(lambda frame: frame.alert is None)
