"""The companion, through its socket, for the link's process."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Self, TypeVar

from pi_app.link import protocol
from pi_app.link.contract import Verdict
from pi_app.wire.client import AwayError, BusyError, LineClient, LongRequestError
from pi_app.wire.messages import Message, MessageError

M = TypeVar("M", bound=Message)
log = logging.getLogger(__name__)


class CompanionError(Exception):
    """The companion is gone, or refuses; `code` says why.

    `away` (nobody listens), `lost` (the connection ended), `off` (switched off at the table),
    `forbidden` (not the link's user), `taken` (another link has the place), or what is in the way
    of one request alone, such as `busy`.
    """

    def __init__(self, code: str, why: str = "") -> None:
        super().__init__(f"{code}: {why}")
        self.code = code


class CompanionTable:
    """The link's place at the companion. Answers arrive only while `lines` is read."""

    def __init__(self, client: LineClient) -> None:
        self._client = client

    @classmethod
    async def connect(cls, path: Path) -> Self:
        """Connect to the socket; CompanionError if that fails."""
        try:
            client = await LineClient.connect(
                path, protocol.VERSION, protocol.LINE_LIMIT_BYTES, protocol.LINE_LIMIT_BYTES
            )
        except (OSError, ValueError, TimeoutError) as error:
            code = "forbidden" if isinstance(error, PermissionError) else "away"
            raise CompanionError(code, f"{path}: {error}") from None
        return cls(client)

    async def news(self) -> AsyncIterator[Message]:
        """Yield the companion's messages, until the connection ends."""
        try:
            async for line in self._client.lines():
                kind = protocol.NEWS.get(str(line.get("kind")))
                if kind is not None:
                    yield kind.read(line)
        except (OSError, ValueError) as error:
            log.warning("the companion's line: %s", error)

    def close(self) -> None:
        self._client.close()

    async def take_place(self) -> protocol.Wanted:
        """Become the table's link; CompanionError if that is not possible now."""
        return await self._request(
            "link", protocol.TakePlace(version=protocol.VERSION), protocol.Wanted
        )

    async def results(self, hub: str, after: int) -> protocol.Results:
        """Return some results without a verdict, of games after this number."""
        return await self._request(
            "results", protocol.AskResults(hub=hub, after=after), protocol.Results
        )

    async def heard(
        self,
        hub: str,
        era: str,
        verdicts: tuple[Verdict, ...] = (),
        counts: tuple[int, int] | None = None,
    ) -> int:
        """Pass on a hub's verdicts; return how many results wait. On the disk when it returns.

        `counts` are the answer's `had` and `has`; None for a change that the hub told by itself.
        """
        had, has = counts or (None, None)
        heard = protocol.HubWords(hub=hub, era=era, had=had, has=has, verdicts=verdicts)
        return (await self._request("heard", heard, protocol.Waiting)).waiting

    async def tell(self, kind: str, message: Message) -> None:
        """Pass on a message; a refusal is only logged."""
        try:
            await self._answered(kind, message)
        except CompanionError as error:
            if error.code in ("away", "lost"):
                raise
            log.info("the companion refused %s: %s", kind, error.code)

    async def _request(self, kind: str, message: Message, answer: type[M]) -> M:
        facts = await self._answered(kind, message)
        try:
            return answer.read(facts)
        except MessageError as error:
            raise CompanionError("lost", f"the answer to {kind}: {error}") from None

    async def _answered(self, kind: str, message: Message) -> Any:
        try:
            facts = await self._client.ask(kind, message.facts())
        except AwayError:
            raise CompanionError("lost", "the companion does not answer") from None
        except (BusyError, LongRequestError) as error:
            raise CompanionError("busy", type(error).__name__) from None
        if "error" in facts:
            raise CompanionError(str(facts["error"]))
        return facts
