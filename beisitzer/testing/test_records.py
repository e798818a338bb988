"""A game ships golden records that show all its codes; they replay as they did."""

import json
import shutil
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beisitzer.testing.parts import Candidate
from pi_app.commands.cli import main


def read_lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def expected_lines(record: Path) -> list[dict[str, Any]]:
    expected = record.with_suffix(".jsonl")
    assert expected.exists(), f"no {expected}: beisitzer check --golden {record} writes it"
    return read_lines(expected)


def test_the_golden_records_show_every_code_that_the_referee_knows(candidate: Candidate) -> None:
    codes: set[str] = set()
    for record in candidate.records():
        for line in expected_lines(record):
            codes |= {
                line.get("violation", ""),
                *(event["event"] for event in line.get("events", ())),
            }
    unseen = {*candidate.samples.codes.split()} - codes
    assert not unseen, f"no record in {candidate.samples.records} shows {sorted(unseen)}"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_golden_record_replays_as_it_did(
    candidate: Candidate, language: str, tmp_path: Path
) -> None:
    for record in candidate.records():
        copy = Path(shutil.copy(record, tmp_path / record.name))
        words = ["check", "--golden", str(copy), "--json", "--lang", language]
        result = CliRunner().invoke(main, words, catch_exceptions=False)
        assert result.exit_code == 0, result.output
        how = f"beisitzer check --golden {record} writes what it does now; look at what changed"
        for new, old in zip_longest(read_lines(copy.with_suffix(".jsonl")), expected_lines(record)):
            assert new == old, f"{record.name} does not replay as it did: {how}"
        spoken = [json.loads(line).get("message", ".") for line in result.stdout.splitlines()]
        assert all(message.endswith((".", "!", "?")) for message in spoken)
