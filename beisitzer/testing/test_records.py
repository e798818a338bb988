"""A game ships golden records that show all its codes; they replay as they did."""

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
    """Return the files of expected lines of this game; the folder may have other games' too."""
    paths = sorted(samples.records.glob("*.jsonl"))
    return [path for path in paths if read(path)[0]["game"] == game]


def test_every_golden_record_has_its_expected_lines_beside_it(samples: Samples) -> None:
    for suffix, other in (".txt", ".jsonl"), (".jsonl", ".txt"):
        paths = samples.records.glob(f"*{suffix}")
        alone = [path.name for path in paths if not path.with_suffix(other).exists()]
        how = "beisitzer check --golden FILE writes NAME.jsonl beside the record NAME.txt"
        fail_for(f"there is no {other} beside {name} in {samples.records}: {how}" for name in alone)


def test_the_golden_records_show_every_code_that_the_referee_knows(
    game: str, samples: Samples
) -> None:
    codes: set[str] = set()
    for path in expected_lines(game, samples):
        _, *steps, _ = read(path)
        for step in steps:
            codes.add(step.get("violation", ""))
            codes |= {event["event"] for event in step.get("events", ())}
    unseen = set(samples.codes.split()) - codes
    fail_for(f"no record in {samples.records} shows {code}" for code in sorted(unseen))


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_golden_record_replays_as_it_did(game: str, samples: Samples, language: str) -> None:
    if not expected_lines(game, samples):
        how = "beisitzer check --golden FILE writes it beside the record FILE"
        fail_for([f"there is no NAME.jsonl of {game} in {samples.records}: {how}"])
    for path in expected_lines(game, samples):
        record = path.with_suffix(".txt")
        result = CliRunner().invoke(main, ["check", str(record), "--json", "--lang", language])
        lines = [json.loads(line) for line in result.stdout.splitlines()]
        wrong = [line for line in lines if line.get("ok") is False]
        # a message depends on the language, so the expected lines have none: it is taken out
        messages = [line.pop("message") for line in wrong]
        assert all(message.endswith((".", "!", "?")) for message in messages)
        differing = [line for line, old in zip_longest(lines, read(path)) if line != old]
        if differing:
            advice = (
                f"beisitzer check --golden {record} writes what it does now; look at what changed"
            )
            replay = f"{record.name} does not replay as it did, first here: {differing[0]}"
            fail_for([replay, advice])
        assert result.exit_code == (1 if wrong else 0)
        data = record.read_bytes()
        same = CliRunner().invoke(main, ["check", "-", "--json", "--lang", language], input=data)
        assert same.stdout == result.stdout
