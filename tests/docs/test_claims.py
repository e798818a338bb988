"""The pages on threats and reliability name a test for each claim, and that test is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
_ROW = re.compile(r"^\| .* \| `(tests/\S+\.py)::(test_\w+)` \|$", re.MULTILINE)


@pytest.mark.parametrize(
    ("page", "table"),
    [
        ("SECURITY", "| claim | what makes it true | test |\n"),
        ("docs/reliability", "| event | what"),
    ],
)
def test_each_claim_names_a_test_that_is_there(page: str, table: str) -> None:
    text = (ROOT / f"{page}.md").read_text("utf-8")
    claims = text.partition(table)[2].partition("\n\n")[0]
    rows = [line for line in claims.splitlines() if line.startswith("| ")]
    named = _ROW.findall(claims)
    assert len(named) == len(rows) > 0
    missing = [
        name for file, name in named if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert not missing
