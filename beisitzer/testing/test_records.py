"""A game ships golden records that show all its codes; replaying them gives the expected lines."""

import json
from itertools import zip_longest
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from beisitzer.testing.parts import Candidate
from pi_app.commands.cli import main


def expected_lines(record: Path) -> list[dict[str, Any]]:
    path = record.with_suffix(".jsonl")
    assert path.exists(), f"no {path}: beisitzer check --golden {record} writes it"
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_the_golden_records_show_every_code_that_the_referee_knows(candidate: Candidate) -> None:
    lines = [line for record in candidate.records() for line in expected_lines(record)]
    codes = {event["event"] for line in lines for event in line.get("events", ())}
    codes |= {line.get("violation") for line in lines}
    unseen = {*candidate.samples.codes.split()} - codes
    assert not unseen, f"no record in {candidate.samples.records} shows {sorted(unseen)}"


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_golden_record_replays_as_it_did(candidate: Candidate, language: str) -> None:
    for record in candidate.records():
        words = ["check", str(record), "--json", "--lang", language]
        printed = CliRunner().invoke(main, words, catch_exceptions=False).stdout
        lines = [json.loads(line) for line in printed.splitlines()]
        for line in lines:
            assert line.pop("message", ".").endswith((".", "!", "?"))
        how = f"beisitzer check --golden {record} writes what it does now; look at what changed"
        for new, old in zip_longest(lines, expected_lines(record)):
            assert new == old, f"{record.name} does not replay as it did: {how}"
