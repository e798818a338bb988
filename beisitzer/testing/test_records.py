"""A game ships golden records that show what its referee knows; they replay as they did."""

import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beisitzer.testing.samples import Samples
from beisitzer.testing.texts import fail_for
from pi_app.commands.cli import main


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def expected_lines(game: str, samples: Samples) -> list[Path]:
    """Return the expected lines of the game's records; its folder may hold other games' too."""
    found = sorted(samples.records.glob("*.jsonl"))
    return [path for path in found if read(path)[0]["game"] == game]


def test_every_golden_record_has_its_expected_lines_beside_it(samples: Samples) -> None:
    for one, other in (".txt", ".jsonl"), (".jsonl", ".txt"):
        found = samples.records.glob(f"*{one}")
        alone = [path.name for path in found if not path.with_suffix(other).exists()]
        assert not alone, f"without {other}; beisitzer check --golden FILE writes expected lines"


def test_the_golden_records_show_every_code_that_the_referee_knows(
    game: str, samples: Samples
) -> None:
    shown = set()
    for path in expected_lines(game, samples):
        _, *steps, _ = read(path)
        for step in steps:
            shown |= {step.get("violation")} | {e["event"] for e in step.get("events", ())}
    unseen = set(samples.codes.split()) - shown
    fail_for(f"no record in {samples.records} shows {code}" for code in sorted(unseen))


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_golden_record_replays_as_it_did(game: str, samples: Samples, language: str) -> None:
    assert expected_lines(game, samples)
    for path in expected_lines(game, samples):
        record = path.with_suffix(".txt")
        result = CliRunner().invoke(main, ["check", str(record), "--json", "--lang", language])
        found = [json.loads(line) for line in result.stdout.splitlines()]
        wrong = [line for line in found if line.get("ok") is False]
        assert all(line.pop("message").endswith((".", "!", "?")) for line in wrong)
        differing = [line for line, old in zip_longest(found, read(path)) if line != old]
        if differing:
            anew = (
                f"beisitzer check --golden {record} writes what it does now; look at what changed"
            )
            fail_for([f"{record.name} does not replay as it did, first here: {differing[0]}", anew])
        assert result.exit_code == (1 if wrong else 0)
        data = record.read_bytes()
        same = CliRunner().invoke(main, ["check", "-", "--json", "--lang", language], input=data)
        assert same.stdout == result.stdout
