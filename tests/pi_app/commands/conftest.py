"""What tests of several commands rely on."""

import pytest


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the system's language be German, whatever that of this machine is."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
