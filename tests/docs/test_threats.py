"""The page on threats names a test for each claim, and that test is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
_ROW = re.compile(r"^\| .* \| `(tests/\S+\.py)::(test_\w+)` \|$", re.MULTILINE)


def test_each_claim_on_threats_names_a_test_that_is_there() -> None:
    page = (ROOT / "docs" / "threats.md").read_text("utf-8")
    claims = page.partition("## Each claim and its test\n")[2].partition("\n## ")[0]
    rows = [line for line in claims.splitlines() if line.startswith("| ")][1:]
    named = _ROW.findall(claims)
    assert len(named) == len(rows) > 0
    missing = [
        name for file, name in named if f"def {name}(" not in (ROOT / file).read_text("utf-8")
    ]
    assert not missing
