"""Judges which results count: a pure function of what tables sent and the organiser decided.

Everything is judged anew whenever something it depends on changes, so taking an act back needs
nothing but another call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

RoundKey = tuple[str, int]
"""An evening's id and the number of a round."""


@dataclass(frozen=True, slots=True)
class SentEvent:
    """A result, or a game taken out, as far as judging needs it.

    `id` is the order of arrival, `after_act` the last act before it. `fault` is what the event
    itself has. `ranks` are the ranks of those who have a number, in the order of the seats.
    """

    id: int
    table: str
    game_id: str
    revision: int
    content: str
    after_act: int
    withdrawn: bool = False
    fault: str | None = None
    round: RoundKey | None = None
    game: str = ""
    ranks: tuple[tuple[str, int], ...] = ()

    @property
    def people(self) -> frozenset[str]:
        return frozenset(p for p, _ in self.ranks)


@dataclass(frozen=True, slots=True)
class GroupFacts:
    """Who sits together in a round, at which table (None: at any), and what they play."""

    people: frozenset[str]
    table: str | None
    game: str


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A round that was paired. `locked_by` is the act after which its results are final."""

    groups: tuple[GroupFacts, ...]
    locked_by: int | None = None


@dataclass(frozen=True, slots=True)
class KeyedRanks:
    """A result that the organiser keyed by hand."""

    id: int
    act: int
    round: RoundKey
    ranks: tuple[tuple[str, int], ...]

    @property
    def people(self) -> frozenset[str]:
        return frozenset(p for p, _ in self.ranks)


@dataclass(frozen=True, slots=True)
class Decision:
    """What the organiser decided about an event."""

    act: int
    event: int
    game_id: str
    accepted: bool


@dataclass(frozen=True, slots=True)
class JudgingFacts:
    """What results are judged by. `people` is None if nobody was registered."""

    rounds: Mapping[RoundKey, RoundFacts] = field(default_factory=dict)
    keyed: Sequence[KeyedRanks] = ()
    decisions: Sequence[Decision] = ()
    """In the order of their acts."""
    people: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether an event counts, and else why it is refused; None with a game's other revisions."""

    why: str | None = None
    counted: bool = False


def judge(
    events: Iterable[SentEvent], facts: JudgingFacts
) -> tuple[dict[int, Verdict], frozenset[int]]:
    """Return the verdict on each event by its id, and the ids of keyed results that count."""
    return _Court(sorted(events, key=lambda event: event.id), facts).judge()


class _Court:
    def __init__(self, events: Sequence[SentEvent], facts: JudgingFacts) -> None:
        self._facts = facts
        self._games: dict[str, list[SentEvent]] = defaultdict(list)
        for event in events:
            self._games[event.game_id].append(event)
        by_id = {event.id: event for event in events}
        self._last: dict[str, Decision] = {}
        """The last decision that accepts an event of a game, else the last one about it."""
        self._refused: set[int] = set()
        for decision in facts.decisions:
            if decision.event not in by_id:
                continue
            self._refused.discard(decision.event)
            if not decision.accepted:
                self._refused.add(decision.event)
            earlier = self._last.get(decision.game_id)
            left_out = earlier is not None and earlier.event == decision.event
            if decision.accepted or earlier is None or not earlier.accepted or left_out:
                self._last[decision.game_id] = decision
        self._owners = {game: self._owner(game, sent) for game, sent in self._games.items()}
        self._verdicts: dict[int, Verdict] = {}
        # the last keyed result of the same people is the one that counts
        self._keyed: dict[tuple[RoundKey, frozenset[str]], KeyedRanks] = {
            (keyed.round, keyed.people): keyed for keyed in sorted(facts.keyed, key=lambda k: k.act)
        }
        self._replaced: set[int] = set()
        self._seated: dict[RoundKey, set[str]] = defaultdict(set)
        """Whose result of a round is there already."""

    def _owner(self, game: str, sent: Sequence[SentEvent]) -> str:
        decision = self._last.get(game)
        if decision is not None and decision.accepted:
            return next(event.table for event in sent if event.id == decision.event)
        return sent[0].table

    def judge(self) -> tuple[dict[int, Verdict], frozenset[int]]:
        accepted = {game for game, decision in self._last.items() if decision.accepted}
        for game in sorted(self._games, key=lambda game: game not in accepted):
            self._judge_game(game)
        counted = {each.id for each in self._keyed.values()} - self._replaced
        return self._verdicts, frozenset(counted)

    def _judge_game(self, game: str) -> None:
        sent = self._games[game]
        candidates: list[SentEvent] = []
        first: dict[int, SentEvent] = {}
        for event in sent:
            why = self._why(event, first)
            self._verdicts[event.id] = Verdict(why)
            if why is None and first[event.revision] is event and event.id not in self._refused:
                candidates.append(event)
            elif why is None and event.id in self._refused:
                self._verdicts[event.id] = Verdict("locked")
        decision = self._last.get(game)
        if decision is not None:
            candidates = self._decided(sent, candidates, decision)
        self._count_highest(candidates, decision)

    def _decided(
        self, sent: Sequence[SentEvent], candidates: Sequence[SentEvent], decision: Decision
    ) -> list[SentEvent]:
        """Apply the organiser's decision about a game; return what may still count."""
        if decision.accepted:
            chosen = next(event for event in sent if event.id == decision.event)
            for event in candidates:
                if event.revision > chosen.revision:
                    self._verdicts[event.id] = Verdict("locked")
            self._verdicts[chosen.id] = Verdict()
            return [chosen]
        for event in candidates:
            if event.after_act >= decision.act:
                self._verdicts[event.id] = Verdict("locked")
        return [event for event in candidates if event.after_act < decision.act]

    def _count_highest(self, candidates: Sequence[SentEvent], decision: Decision | None) -> None:
        for event in sorted(candidates, key=lambda event: -event.revision):
            if event.withdrawn:
                return
            accepted_by = decision.act if decision and decision.event == event.id else 0
            why = self._taken(event, accepted_by)
            if why is None:
                self._verdicts[event.id] = Verdict(counted=True)
                if event.round is not None:
                    self._seated[event.round] |= event.people
                return
            self._verdicts[event.id] = Verdict(why)

    def _taken(self, event: SentEvent, accepted_by: int) -> str | None:
        """Return why a result cannot count beside others of its round; it replaces a keyed one."""
        if event.round is None:
            return None
        if event.people & self._seated[event.round]:
            return "duplicate-person"
        against = self._keyed_against(event)
        if any(
            keyed.act > accepted_by and dict(keyed.ranks) != dict(event.ranks) for keyed in against
        ):
            return "locked"
        self._replaced |= {keyed.id for keyed in against}
        return None

    def _keyed_against(self, event: SentEvent) -> list[KeyedRanks]:
        """Return the keyed results of its round that name somebody of this one."""
        return [
            keyed
            for keyed in self._keyed.values()
            if keyed.round == event.round and keyed.people & event.people
        ]

    def _why(self, event: SentEvent, first: dict[int, SentEvent]) -> str | None:
        """Return why an event is refused whatever else is there; notes the first of a revision."""
        if event.table != self._owners[event.game_id]:
            return "foreign"
        same = first.setdefault(event.revision, event)
        if same is not event:
            return None if same.content == event.content else "disputed"
        if event.withdrawn:
            return self._why_locked(event, self._round_of(event))
        if event.fault is not None:
            return event.fault
        if len(event.people) < len(event.ranks):
            return "duplicate-person"
        if event.round is None:
            known = self._facts.people
            return None if known is None or event.people <= known else "not-seated"
        if event.round not in self._facts.rounds:
            return "unknown-round"
        if not self._is_seated(event):
            return "not-seated"
        return self._why_locked(event, event.round)

    def _round_of(self, withdrawn: SentEvent) -> RoundKey | None:
        rounds = [event.round for event in self._games[withdrawn.game_id] if not event.withdrawn]
        return rounds[-1] if rounds else None

    def _is_seated(self, event: SentEvent) -> bool:
        assert event.round is not None  # noqa: S101  # the caller has looked
        return any(
            group.people == event.people
            and group.table in (None, event.table)
            and group.game == event.game
            for group in self._facts.rounds[event.round].groups
        )

    def _why_locked(self, event: SentEvent, in_round: RoundKey | None) -> str | None:
        facts = self._facts.rounds.get(in_round) if in_round else None
        if facts is None or facts.locked_by is None or event.after_act < facts.locked_by:
            return None
        same = [dict(each.ranks) == dict(event.ranks) for each in self._keyed_against(event)]
        # what the organiser keyed is confirmed, and changes nothing
        return None if same and all(same) else "locked"
