"""Learning: it repeats to the digit, and what it writes is what it was taught."""

import tomllib
from math import exp
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ai.numeri.value import ONE
from tools.learn import __main__ as command
from tools.learn import linear, net, text_of
from tools.learn.linear import Lesson, fit


@pytest.fixture
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Learn little, and from few positions a step."""
    monkeypatch.setattr(net, "GENERATIONS", 2)
    monkeypatch.setattr(net, "BATCH", 32)
    monkeypatch.setattr(net, "LATER_BATCH", 32)
    monkeypatch.setattr(linear, "MOST", frozenset({2, 3}))


@pytest.mark.usefixtures("_short")
@pytest.mark.parametrize(
    ("words", "kept"),
    [
        (("numeri", "4"), ()),
        (("numeri", "4", "2009"), ("two-1973", "more-1973")),
        (("einmaleins", "15"), ()),
    ],
)
def test_learning_repeats_to_the_digit_and_writes_the_files_that_games_read(
    words: tuple[str, ...], kept: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = words[0]
    shipped = tomllib.loads(Path("ai", game, "model.toml").read_text("utf-8"))
    (tmp_path / "ai" / game).mkdir(parents=True)
    monkeypatch.chdir(tmp_path)
    written = []
    for _ in range(2):
        command.main(list(words))
        written.append(Path("ai", game, "model.toml").read_text("utf-8"))
    assert written[0] == written[1]
    for name, table in tomllib.loads(written[0]).items():
        assert set(shipped[name]) - {"base"} <= set(table)
        assert (shipped[name] == table) == (name in kept)


def test_a_fit_finds_the_weights_that_made_the_outcomes() -> None:
    chance, weights = Random(3), [[1.5, -0.7, 0.0], [0.0, 0.5, -1.0]]
    lessons: list[Lesson] = []
    for _ in range(6_000):
        rows = [(role, {at: chance.uniform(-1, 1) for at in range(3)}) for role in (0, 1)]
        odds = [sum(weights[role][at] * each for at, each in row.items()) for role, row in rows]
        won = chance.random() < 1 / (1 + exp(odds[1] - odds[0]))
        lessons.append(Lesson(rows, [float(won), float(not won)]))
    for found, wanted in zip(fit(lessons), weights, strict=True):
        assert found == pytest.approx(wanted, abs=0.15)


def test_a_net_learns_who_wins() -> None:
    """Of two players: the one with the larger input."""
    np = pytest.importorskip("numpy")
    inputs = np.random.default_rng(1).integers(0, ONE, (4_000, 1, 5)).astype(np.int16)
    chances = (inputs[:, :, 0] > inputs[:, :, 1]).astype(np.float32)
    learner = net.Net(5)
    learner.train(net.NetLesson(inputs, chances), 60, 0.02)
    inner, bias, outer = learner.parts
    odds = np.clip(inputs.reshape(-1, 5) / ONE @ inner.T + bias, 0, 1) @ outer
    assert ((odds > 0) == (chances[:, 0] > 0)).mean() > 0.95


def test_tables_are_written_as_a_file_that_reads_back() -> None:
    tables: dict[str, dict[str, Any]] = {
        "two": {"spread": 0.25, "weights": [[1, 2], [-3, 4]]},
        "2-seen": {"bias": [5, 6]},
    }
    text = text_of(["Found by chance."], tables)
    assert text.startswith("# Found by chance.\n")
    assert tomllib.loads(text) == tables
