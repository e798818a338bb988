"""What prevents an act of the organiser's."""

from __future__ import annotations

from collections.abc import Mapping


class ActError(Exception):
    """An act that is not possible now: a code and facts, no sentence (`sentences.py` has them).

    Codes of a request that is no act: `no-act` (act), `bad` (why).
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: Mapping[str, object] = facts

    @property
    def is_usage(self) -> bool:
        """Whether the request itself was wrong, whatever the club is like now."""
        return self.code in ("no-act", "bad")
