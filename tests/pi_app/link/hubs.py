"""A club's hub as the contract describes it, in memory: it takes events, and says what it has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pi_app.link.contract import Ack, Json, RefusedEvent, assembled, event_hash
from pi_app.link.outbox import Outbox


@dataclass
class Hub:
    """`have` are the events by store and number, `results` what counts by game.

    `revisions` has the hash of each revision of a game, `disputed` those that came with another.
    """

    name: str = "hub-1"
    have: dict[str, dict[int, Json]] = field(default_factory=dict)
    hashes: dict[tuple[str, int], str] = field(default_factory=dict)
    revisions: dict[tuple[str, int], str] = field(default_factory=dict)
    counting: dict[str, tuple[int, Json]] = field(default_factory=dict)
    disputed: list[tuple[str, int]] = field(default_factory=list)
    closed: int = 0

    def take(self, store: str, events: tuple[Json, ...]) -> Ack:
        """Commit events, and acknowledge them."""
        own = self.have.setdefault(store, {})
        refused = []
        for event in events:
            seq, digest = event["seq"], event_hash(event)
            if self.hashes.setdefault((store, seq), digest) != digest:
                refused.append(RefusedEvent(seq, "conflict"))
                continue
            own[seq] = event
        for event in own.values():
            self._count(store, event)
        return self.ack(store, *refused)

    def ack(self, store: str, *refused: RefusedEvent) -> Ack:
        own = self.have.get(store, {})
        upto = 0
        while upto + 1 in own:
            upto += 1
        return Ack(self.name, store, upto, (), tuple(refused), min(self.closed, upto))

    def _count(self, store: str, event: Json) -> None:
        if event["kind"] == "result":
            texts = self._texts(store, event)
            if texts is None:
                return
            whole = assembled(event, texts) if "parts" in event else dict(event)
        elif event["kind"] == "withdrawn":
            whole = dict(event)
        else:
            return
        game, revision = whole["game_id"], whole["revision"]
        digest = event_hash(whole)
        if self.revisions.setdefault((game, revision), digest) != digest:
            self.disputed.append((game, revision))
            return
        if revision >= self.counting.get(game, (-1, {}))[0]:
            self.counting[game] = revision, whole

    def _texts(self, store: str, head: Json) -> list[str] | None:
        own, first = self.have[store], head["seq"]
        parts = [own.get(first + part) for part in range(1, head.get("parts", 0) + 1)]
        if not all(parts):
            return None
        assert all(part and part["of"] == first for part in parts)
        return [part["text"] for part in parts if part]

    @property
    def results(self) -> dict[str, Json]:
        """What counts by game, without what was withdrawn."""
        return {
            game: event for game, (_, event) in self.counting.items() if event["kind"] == "result"
        }


def deliver(outbox: Outbox, hub: Hub, most_messages: int = 100) -> None:
    """Do what the link does until nothing waits: hello, events, acks."""
    for _ in range(most_messages):
        state = outbox.state()
        now = outbox.ack(hub.ack(state.store)) if state.store else state
        if not now.waiting:
            return
        if now.store != state.store:
            continue
        answer = outbox.events(now.upto + 1)
        assert answer.events
        outbox.ack(hub.take(answer.store, answer.events))
    raise AssertionError(f"{outbox.state().waiting} still wait")


def bodies(outbox: Outbox) -> list[dict[str, Any]]:
    """Return all events that are kept."""
    found: list[dict[str, Any]] = []
    while batch := outbox.events(len(found) + 1).events:
        found.extend(map(dict, batch))
    return found
