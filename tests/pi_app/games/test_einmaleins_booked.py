"""Twenty stories at the table: what of them is booked on the times tables, and what is not."""

import csv
from io import StringIO
from pathlib import Path
from typing import NamedTuple

import pytest

from pi_app.past.times_tables import Task, tables_of
from pi_app.screens.players_and_settings.times_tables import TablesScreen
from pi_app.settings.schema import HelpLevel
from pi_app.store import Store
from pi_app.table.players import KnownPlayer, save_players
from tests.pi_app.commands.called import run
from tests.pi_app.pilot import TWO, Pilot, entry_of, picture_of

BACK_TO_THE_NUMBER = "<< "
AWAY_FROM_THE_CARD = "<< << "


class Story(NamedTuple):
    """What Anna keys while a card lies open, and how often each task is then right and wrong."""

    told: str
    lies: str
    keys: str
    booked: dict[Task, tuple[int, int]]


STORIES = (
    Story("right at once is a hit", "28=4x7", "36# 4*9#", {(4, 9): (1, 0)}),
    Story("the other way round is the same task", "28=4x7", "36# 9*4#", {(4, 9): (1, 0)}),
    Story("a square said right is a hit", "42=6x7", "36# 6*6#", {(6, 6): (1, 0)}),
    Story(
        "right at the second try: a miss on the task first said, a hit on the second",
        "24=4x6",
        "36# 4*8# 6*6#",
        {(4, 8): (0, 1), (6, 6): (1, 0)},
    ),
    Story("wrong and left is a miss on what was said", "28=4x7", "36# 4*8#", {(4, 8): (0, 1)}),
    Story(
        "wrong by both factors is a miss on what was said", "32=4x8", "24# 5*5#", {(5, 5): (0, 1)}
    ),
    Story(
        "the same wrong task twice is two mistakes in it, and the task told is a miss",
        "28=4x7",
        "36# 4*8# 8*4#",
        {(4, 8): (0, 2), (4, 9): (0, 1)},
    ),
    Story(
        "two wrong tasks are two misses, and the task told is one",
        "28=4x7",
        "36# 4*8# 5*7#",
        {(4, 8): (0, 1), (5, 7): (0, 1), (4, 9): (0, 1)},
    ),
    Story(
        "what was told and is copied is no hit",
        "28=4x7",
        "36# 4*8# 5*7# 4*9#",
        {(4, 8): (0, 1), (5, 7): (0, 1), (4, 9): (0, 1)},
    ),
    Story(
        "what was told and is copied wrongly is no miss",
        "28=4x7",
        "36# 4*8# 5*7# 4*6# 4*9#",
        {(4, 8): (0, 1), (5, 7): (0, 1), (4, 9): (0, 1)},
    ),
    Story("a square misread books nothing", "28=4x7", "36# 6*6#", {}),
    Story(
        "a square misread is no try: right then is right at once",
        "28=4x7",
        "36# 6*6# 4*9#",
        {(4, 9): (1, 0)},
    ),
    Story(
        "wrong, then a square misread, then right",
        "28=4x7",
        "36# 4*8# 6*6# 4*9#",
        {(4, 8): (0, 1), (4, 9): (1, 0)},
    ),
    Story("a factor beyond ten is no task", "12=2x6", "24# 12*2#", {}),
    Story("a task that was not finished is no answer", "28=4x7", "36# 4*", {}),
    Story("a card that cannot be laid is not asked", "28=4x7", "25#", {}),
    Story(
        "who leaves and comes back is at the second try",
        "28=4x7",
        "36# 4*8# " + BACK_TO_THE_NUMBER + "# 4*9#",
        {(4, 8): (0, 1), (4, 9): (1, 0)},
    ),
    Story(
        "18 held upside down, said as 18 is said, is no miss: the card was misread",
        "72=8x9",
        "81# 2*9# " + AWAY_FROM_THE_CARD + "18# 2*9#",
        {(2, 9): (1, 0)},
    ),
    Story(
        "a card misread twice leaves nothing of the task that was told",
        "72=8x9",
        "81# 2*9# 3*6# " + AWAY_FROM_THE_CARD + "18# 2*9#",
        {(2, 9): (1, 0)},
    ),
    Story(
        "another card after a wrong task leaves the miss",
        "28=4x7",
        "36# 4*8# " + AWAY_FROM_THE_CARD + "20# 4*5#",
        {(4, 8): (0, 1), (4, 5): (1, 0)},
    ),
    Story(
        "of two tasks that fit the one that was said is the hit",
        "32=4x8",
        "24# 3*8#",
        {(3, 8): (1, 0)},
    ),
    Story("a free card is said like any other", "28=4x7", "*4# 1*4#", {(1, 4): (1, 0)}),
    Story("who draws says nothing", "28=4x7", "v", {}),
)


def play(story: Story, store: Store | None = None) -> Pilot:
    tags = {"Game": "einmaleins", "Players": TWO, "Position": f"yellow 5; red 3; open {story.lies}"}
    pilot = Pilot(tags, store=store)
    save_players(pilot.ctx.store, [KnownPlayer("Anna", "yellow", HelpLevel.NONE, says=True)])
    pilot.restart()
    pilot.key(story.keys)
    return pilot


@pytest.mark.parametrize("story", STORIES, ids=[story.told for story in STORIES])
def test_what_was_said_is_booked_on_the_task_that_was_said(story: Story) -> None:
    tasks = tables_of(play(story).ctx.store, "Anna").tasks
    assert {task: (one.right, one.wrong) for task, one in tasks.items()} == story.booked


def test_there_are_twenty_stories_and_more_told_apart() -> None:
    assert len({story.keys + story.lies for story in STORIES}) >= 20


def test_a_card_misread_gives_back_what_was_known_before() -> None:
    """A task that sat is not to be practised because its card was held upside down."""
    once, misread = (
        Story("", "72=8x9", "18# 2*9#", {}),
        Story("", "72=8x9", "81# 2*9# " + AWAY_FROM_THE_CARD + "18# 2*9#", {}),
    )
    assert tables_of(play(misread).ctx.store, "Anna").tasks == (
        tables_of(play(once).ctx.store, "Anna").tasks
    )
    days = tables_of(play(misread).ctx.store, "Anna").history
    assert [(day.shaky, day.practise) for day in days] == [(1, 0)]


def test_my_tables_practice_and_csv_follow(tmp_path: Path) -> None:
    path = tmp_path / "games"
    store = Store(path)
    pilot = play(STORIES[3], store)
    pilot.program.stack = [TablesScreen(pilot.ctx, "Anna")]
    pilot.program.show()
    signs = {cell.name: cell.text for cell in picture_of(pilot.frame).cells}
    assert (signs["4x8"], signs["6x6"], signs["4x9"]) == ("32-", "36~", "36")
    frame = pilot.key("#")
    assert entry_of(frame).text in ("4×8 = ?", "8×4 = ?"), "the miss is asked first"
    store.close()
    done = run("export", "--of", "tables", "--csv", "--store", path)
    rows = {row["task"]: row for row in csv.DictReader(StringIO(done.stdout))}
    assert {task: (row["standing"], row["right"], row["wrong"]) for task, row in rows.items()} == {
        "4x8": ("practise", "0", "1"),
        "6x6": ("shaky", "1", "0"),
    }
