"""The reason why an act is impossible."""

from __future__ import annotations

from collections.abc import Mapping


class ActError(Exception):
    """An act is not possible now: a code and facts; `sentences.py` has the words.

    Codes of a request that is no act: `no-act` (act), `bad` (why).
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code, facts)
        self.code = code
        self.facts: Mapping[str, object] = facts

    @property
    def is_usage(self) -> bool:
        """Whether the request itself was malformed."""
        return self.code in ("no-act", "bad")
