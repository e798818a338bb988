"""Every registered game ships golden records that show what its referee knows."""

import json

import pytest

from engines.games import GAMES
from tests.samples import samples_of


def _shown(game: str) -> set[str]:
    found = set()
    for path in samples_of(game).records.glob("*.jsonl"):
        first, *steps, _ = map(json.loads, path.read_text("utf-8").splitlines())
        if first["game"] == game:
            for step in steps:
                found |= {step.get("violation")} | {e["event"] for e in step.get("events", ())}
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_registered_game_has_golden_records_of_the_codes_it_knows(game: str) -> None:
    assert set(samples_of(game).codes.split()) - _shown(game) == set()


@pytest.mark.parametrize("game", GAMES)
def test_every_golden_record_has_its_replay_beside_it(game: str) -> None:
    records = samples_of(game).records
    texts = {path.stem for path in records.glob("*.txt")}
    replays = {path.stem for path in records.glob("*.jsonl")}
    assert texts == replays
