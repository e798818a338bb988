"""The firmware keeps the protocol's vectors, on CPython and under the real MicroPython."""

import copy
import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.firmware import vectors
from tests.firmware.rig import micropython
from tests.ran import ran

ROOT = Path(__file__).parents[2]
VECTORS = ROOT / "tests" / "firmware" / "panel-vectors.json"


@pytest.fixture
def data() -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(VECTORS.read_text())
    return loaded


def test_the_firmware_keeps_every_vector(data: dict[str, Any]) -> None:
    found, checks = vectors.failures(data)
    assert found == []
    assert checks == sum(
        section in ("lines", "framing", "panel_words") or case["side"] == "panel"
        for section in ("lines", "framing", "panel_words", "dialogues")
        for case in data[section]
    )


def test_the_firmware_keeps_every_vector_under_micropython(data: dict[str, Any]) -> None:
    run = ran(
        [micropython(), "tests/firmware/vectors.py", VECTORS],
        cwd=ROOT,
        env={**os.environ, "MICROPYPATH": str(ROOT)},
        timeout=60,
    )
    assert (run.returncode, run.stderr) == (0, "")
    assert run.stdout == f"{vectors.failures(data)[1]} checks\n"


@pytest.mark.parametrize("section", ["lines", "framing", "panel_words", "dialogues"])
def test_a_vector_that_is_not_kept_is_seen(data: dict[str, Any], section: str) -> None:
    spoilt = copy.deepcopy(data)
    case = next(c for c in spoilt[section] if section != "dialogues" or c["side"] == "panel")
    if section == "framing":
        case["dropped"] += 1
    elif section == "dialogues":
        case["out"].append([0, "HELLO"])
    else:
        case[1] = "something else"
    assert len(vectors.failures(spoilt)[0]) in (1, 3)
