"""Every registered game ships golden records that show what its referee knows."""

import json
from pathlib import Path

import pytest

from engines.games import GAMES

RECORDS = Path(__file__).parents[1] / "records"

CODES = {
    "just4fun": """
        game-over bad-move too-many-cards unknown-card more-than-deck sum-too-high field-blocked
        field-secured exchange-needs-four exchange-not-allowed card-doubtful placed secured row
        stones-out rounds-over corrected""",
    "numeri": """
        game-over bad-move bad-die bad-split split-too-early stone-stuck must-move moved
        turn-lost chain finish corrected""",
    "sequence": """
        game-over bad-move unknown-card wrong-jack corner wrong-square square-taken not-opponent
        in-sequence dead-jack not-dead one-dead-card bad-choice must-play card-doubtful placed
        removed sequence dead-card no-draw passed talk stalemate corrected""",
    "einmaleins": """
        game-over bad-move not-a-product wrong-factors no-free-card no-common-factor card-doubtful
        laid drew skipped last-card reshuffle out stalemate corrected""",
}
"""The violations and events that each game's records must show."""


def _shown(game: str) -> set[str]:
    found = set()
    for path in RECORDS.glob("*.jsonl"):
        first, *steps, _ = map(json.loads, path.read_text("utf-8").splitlines())
        if first["game"] == game:
            for step in steps:
                found |= {step.get("violation")} | {e["event"] for e in step.get("events", ())}
    return found


@pytest.mark.parametrize("game", GAMES)
def test_a_registered_game_has_golden_records_of_the_codes_it_knows(game: str) -> None:
    assert set(CODES[game].split()) - _shown(game) == set()


def test_every_golden_record_has_its_replay_beside_it() -> None:
    texts = {path.stem for path in RECORDS.glob("*.txt")}
    replays = {path.stem for path in RECORDS.glob("*.jsonl")}
    assert texts == replays
