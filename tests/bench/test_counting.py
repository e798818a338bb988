"""The bench of the count has a real count in it, and turns of the loop beside it."""

import pytest

from bench import counting


def test_turns_are_measured_until_the_games_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "GAMES", 60)
    monkeypatch.setattr(counting, "ROUNDS", 1)
    alone, beside, longest, beside_longest, cpu = counting.figures()
    assert 0 < alone.value <= longest.value
    assert 0 < beside.value <= beside_longest.value
    assert cpu.value > 0
    assert cpu.within is not None
