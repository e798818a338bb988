"""Libraries are audited, or it is said that they were not: silence is never taken for a pass."""

from collections.abc import Iterable, Mapping
from typing import Any

import pytest

from tools import audit

HOLE = {"id": "PYSEC-1", "fix_versions": ["9.9"]}
MINE = ["click==8.5.1", "starlette==1.10.0"]
Answers = dict[tuple[str, str], dict[str, Any]]
"""What a service says of a requirement: pip-audit's `vulns`, or why it was skipped."""

KNOWS: Answers = {("pypi", audit.CANARY): {"vulns": [HOLE]}}
CLEAN: Answers = {("pypi", each): {"vulns": []} for each in MINE}


def answering(answers: Answers) -> Any:
    def ask(service: str, requirements: Iterable[str]) -> Mapping[str, Any] | None:
        said = []
        for each in requirements:
            name, _, version = each.partition("==")
            if (service, each) in answers:
                said.append({"name": name, "version": version, **answers[service, each]})
        return {"dependencies": said} if said else None

    return ask


def run(monkeypatch: pytest.MonkeyPatch, answers: Answers, *words: str) -> int:
    monkeypatch.setattr(audit, "ask", answering(answers))
    monkeypatch.setattr(audit, "pinned", lambda _: MINE)
    return audit.main([*words])


@pytest.mark.parametrize(
    ("answers", "status", "says"),
    [
        (KNOWS | CLEAN, 0, "2 libraries: pypi knows no vulnerability"),
        (KNOWS | CLEAN | {("pypi", MINE[0]): {"vulns": [HOLE]}}, 1, "click 8.5.1: PYSEC-1"),
        ({}, 3, "not audited: no service answers"),
        (CLEAN, 3, "not audited: no service answers"),  # it finds nothing in the canary either
        ({("pypi", audit.CANARY): {"vulns": []}} | CLEAN, 3, "not audited: no service"),
        ({("pypi", audit.CANARY): {"skip_reason": "not found"}} | CLEAN, 3, "not audited"),
        (KNOWS | {("pypi", MINE[0]): {"vulns": []}}, 3, "pypi lacks starlette==1.10.0"),
        (
            KNOWS | CLEAN | {("pypi", MINE[1]): {"skip_reason": "not found"}},
            3,
            "pypi lacks starlette==1.10.0",
        ),
        (
            {("osv", key): value for (_, key), value in (KNOWS | CLEAN).items()},
            0,
            "osv knows no vulnerability",
        ),
    ],
    ids=["clean", "holes", "silence", "no canary", "blind", "skips it", "misses", "skips", "osv"],
)
def test_only_a_service_that_knows_holes_and_every_library_gives_a_pass(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    answers: Answers,
    status: int,
    says: str,
) -> None:
    assert run(monkeypatch, answers) == status
    assert says in capsys.readouterr().out


def test_where_there_is_no_service_the_tests_go_on_and_say_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, {}, "--where-possible") == 0
    assert "not audited" in capsys.readouterr().out
    holes = KNOWS | {("pypi", each): {"vulns": [HOLE]} for each in MINE}
    assert run(monkeypatch, holes, "--where-possible") == 1


def test_every_pinned_library_is_asked_for_once_and_of_this_python() -> None:
    texts = (
        "a_b==1 # why\nc==2; python_version < '3'\nc==3; python_version >= '3'\n",
        "a-b==1 \\\n",
    )
    assert audit.pinned(texts) == ["a-b==1", "c==3"]
    found = audit.pinned((audit.ROOT / name).read_text() for name in audit.PINNED)
    names = [each.partition("==")[0] for each in found]
    assert len(names) == len(set(names))
    assert {"click", "starlette", "paho-mqtt", "pytest"} <= set(names)
