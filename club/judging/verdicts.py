"""Judges which results count: a pure function of results and decisions.

Everything is judged anew after each change, so taking an act back is just another call.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from club.store.live import ActRow, GroupRow

RoundKey = tuple[str, int]
"""An evening's id and the number of a round."""
KEPT_FAULTS = frozenset({"no-record", "slow", "version"})
"""Faults that the organiser may overrule; all others refuse the result."""


@dataclass(frozen=True, slots=True)
class SentResult:
    """A revision of a game from a table, with the facts for judging.

    `id` is the order of arrival, `after_act` the last act before it. `fault` is the result's own
    fault. `ranks` are the ranks of people with a number, in the order of the seats.
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
    evening: str | None = None
    game: str = ""
    ranks: tuple[tuple[str, int], ...] = ()

    @property
    def people(self) -> frozenset[str]:
        return frozenset(p for p, _ in self.ranks)


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """A paired round. `locked_by` is the act that made its results final."""

    groups: Sequence[GroupRow]
    locked_by: int | None = None


@dataclass(frozen=True, slots=True)
class JudgingFacts:
    """All facts for judging results; acts in their order.

    `keyed` are acts that keyed a result, `decided` those that accepted, refused or moved one.
    `closed` has the act that closed an evening, by the evening's id.
    """

    rounds: Mapping[RoundKey, RoundFacts] = field(default_factory=dict)
    keyed: Sequence[ActRow] = ()
    decided: Sequence[ActRow] = ()
    closed: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ruling:
    """A verdict of the contract, and its reason."""

    verdict: str
    why: str | None = None


COUNTED = Ruling("counted")
OLDER = Ruling("known", "older")
LOCKED = Ruling("locked")
LEFT_OUT = Ruling("refused", "organiser")
"""Reasons of results that the organiser refused, withdrew, or replaced by a keyed one."""
RoundSlot = tuple[object, ...]
"""A round and its people, for one game; a free game has a slot of its own."""


def judge(
    sent: Iterable[SentResult], facts: JudgingFacts
) -> tuple[dict[int, Ruling], frozenset[int]]:
    """Return the verdict on each result by its id, and the acts of keyed results that count."""
    return _Court(sorted(sent, key=lambda each: each.id), facts).judge()


class _Court:
    def __init__(self, sent: Sequence[SentResult], facts: JudgingFacts) -> None:
        self._facts = facts
        self._sent = sent
        self._games: dict[str, list[SentResult]] = defaultdict(list)
        for each in sent:
            self._games[each.game_id].append(each)
        self._by_id = {each.id: each for each in sent}
        self._decisions = [
            each
            for each in facts.decided
            if each.kind != "move" and each.facts["result"] in self._by_id
        ]
        # of keyed results of the same people the last one counts
        self._keyed = {
            (each.facts["evening"], each.facts["round"], frozenset(each.facts["ranks"])): each
            for each in facts.keyed
        }
        self._verdicts: dict[int, Ruling] = {}
        self._counting: dict[str, SentResult] = {}
        """What counts of each game, also a revision that takes it out."""
        self._filled: dict[RoundSlot, str] = {}
        """The game that fills a slot."""
        self._left_out: set[str] = set()
        """Games that counted until the organiser refused them."""

    def judge(self) -> tuple[dict[int, Ruling], frozenset[int]]:
        decided = self._accept_decided()
        candidates = []
        for game, sent in self._games.items():
            candidates += self._find_candidates(game, sent, decided)
        refusals = [
            each
            for each in self._decisions
            if each.kind == "refuse" and decided.get(each.facts["game_id"], 0) < each.id
        ]
        for each in sorted(candidates, key=lambda one: one.id):
            while refusals and refusals[0].id <= each.after_act:
                self._refuse(refusals.pop(0))
            self._verdicts[each.id] = self._rule_on(each, decided)
        for refusal in refusals:
            self._refuse(refusal)
        for each in self._sent:
            if self._verdicts[each.id] == COUNTED and each is not self._counting[each.game_id]:
                self._verdicts[each.id] = OLDER
        replaced = {
            keyed.id for each in self._counting.values() for keyed in self._keyed_beside(each)
        }
        return self._verdicts, frozenset({each.id for each in self._keyed.values()} - replaced)

    # --- decisions of the organiser

    def _accept_decided(self) -> dict[str, int]:
        """Let accepted results count; return the accepting acts by game."""
        accepted: dict[str, ActRow] = {}
        for each in self._decisions:
            game, result = each.facts["game_id"], each.facts["result"]
            if each.kind == "accept":
                accepted[game] = each
            elif game in accepted and accepted[game].facts["result"] == result:
                del accepted[game]
        for decision in sorted(accepted.values(), key=lambda each: -each.id):
            chosen = self._by_id[decision.facts["result"]]
            slot = self._slot(chosen)
            keyed = [each for each in self._keyed_beside(chosen) if each.id > decision.id]
            if slot in self._filled:
                self._verdicts[chosen.id] = Ruling("kept", "second")
            elif any(each.facts["ranks"] != dict(chosen.ranks) for each in keyed):
                self._verdicts[chosen.id] = LEFT_OUT
            else:
                self._verdicts[chosen.id] = COUNTED
                self._counting[chosen.game_id] = chosen
                if not chosen.withdrawn:
                    self._filled[slot] = chosen.game_id
        return {game: decision.id for game, decision in accepted.items()}

    def _refuse(self, decision: ActRow) -> None:
        """Refuse a proposal; if its game counts, leave out all its revisions so far."""
        refused = self._by_id[decision.facts["result"]]
        if self._counting.get(refused.game_id) is not refused:
            if self._verdicts.get(refused.id, COUNTED) not in (COUNTED, OLDER):
                self._verdicts[refused.id] = LEFT_OUT
            return
        for each in self._games[refused.game_id]:
            if self._verdicts.get(each.id) in (COUNTED, OLDER):
                self._verdicts[each.id] = LEFT_OUT
        del self._counting[refused.game_id]
        self._filled.pop(self._slot(refused), None)
        self._left_out.add(refused.game_id)

    # --- each result by itself

    def _find_candidates(
        self, game: str, sent: Sequence[SentResult], decided: Mapping[str, int]
    ) -> list[SentResult]:
        owners = self._owners(game, sent, decided)
        first: dict[int, SentResult] = {}
        found = []
        for each in sent:
            if each.id in self._verdicts:  # accepted
                first.setdefault(each.revision, each)
                continue
            verdict = self._judge_alone(each, owners, first)
            if verdict is None:
                found.append(each)
            else:
                self._verdicts[each.id] = verdict
        return found

    def _owners(
        self, game: str, sent: Sequence[SentResult], decided: Mapping[str, int]
    ) -> list[tuple[int, str]]:
        """Return a game's tables with the act from which each had it, the first one from 0 on."""
        owners = [(0, sent[0].table)]
        owners += [
            (each.id, each.facts["table"])
            for each in self._facts.decided
            if each.kind == "move" and each.facts["game_id"] == game
        ]
        if game in decided and game in self._counting:
            owners.append((decided[game], self._counting[game].table))
        return sorted(owners)

    def _judge_alone(
        self,
        sent: SentResult,
        owners: Sequence[tuple[int, str]],
        first: dict[int, SentResult],
    ) -> Ruling | None:
        """Return the verdict on a result that cannot count; None if it may count."""
        at_the_time = [table for act, table in owners if act <= sent.after_act][-1]
        if sent.table not in (owners[-1][1], at_the_time):
            return Ruling("refused", "foreign")
        same = first.setdefault(sent.revision, sent)
        if same is not sent:
            return Ruling("disputed") if same.content != sent.content else COUNTED
        if sent.withdrawn:
            return None
        if sent.fault is not None:
            return Ruling("kept" if sent.fault in KEPT_FAULTS else "refused", sent.fault)
        if len(sent.people) < len(sent.ranks):
            return Ruling("refused", "duplicate-person")
        if sent.round is None:
            return None
        if sent.round not in self._facts.rounds:
            return Ruling("kept", "unknown-round")
        at_tables = {None, *(table for _, table in owners)}
        is_seated = any(
            {*group.seats} == sent.people and group.table in at_tables and group.game == sent.game
            for group in self._facts.rounds[sent.round].groups
        )
        return None if is_seated else Ruling("refused", "not-seated")

    # --- results beside each other

    def _rule_on(self, sent: SentResult, decided: Mapping[str, int]) -> Ruling:
        """Let a result count if it could count when it came; return its verdict."""
        before = self._counting.get(sent.game_id)
        if before is not None and sent.revision < before.revision:
            return OLDER
        if before is not None and sent.revision == before.revision:
            return Ruling("disputed")  # the organiser chose another content of this revision
        if self._has_higher_proposal(sent):
            return OLDER
        slot = self._slot(sent)
        if not sent.withdrawn and self._filled.get(slot, sent.game_id) != sent.game_id:
            return Ruling("kept", "second")
        changes = before is not None and sent.content != before.content
        if sent.game_id in self._left_out or (changes and self._is_late(sent, before, decided)):
            return LOCKED
        for keyed in self._keyed_beside(sent):
            if keyed.facts["ranks"] != dict(sent.ranks):  # keyed results take precedence
                return LEFT_OUT if sent.after_act < keyed.id else LOCKED
        if before is not None and not before.withdrawn:
            self._filled.pop(self._slot(before), None)
        self._counting[sent.game_id] = sent
        if not sent.withdrawn:
            self._filled[slot] = sent.game_id
        return COUNTED

    def _has_higher_proposal(self, sent: SentResult) -> bool:
        """Tell whether a higher revision came earlier and waits for the organiser."""
        return any(
            each.revision > sent.revision
            and each.id < sent.id
            and self._verdicts.get(each.id) == LOCKED
            for each in self._games[sent.game_id]
        )

    def _is_late(
        self, sent: SentResult, before: SentResult | None, decided: Mapping[str, int]
    ) -> bool:
        """Tell whether a change came after its result was final."""
        if sent.game_id in decided:
            return True  # accepted results take precedence over all revisions
        if any(
            each.facts["game_id"] == sent.game_id and each.id <= sent.after_act
            for each in self._decisions
        ):
            return True
        for each in (sent, before):
            if each is None:
                continue
            facts = self._facts.rounds.get(each.round) if each.round else None
            locked_by = facts.locked_by if facts else self._facts.closed.get(each.evening or "")
            if locked_by is not None and sent.after_act >= locked_by:
                return True
        return False

    def _slot(self, sent: SentResult) -> RoundSlot:
        if sent.round is None or sent.withdrawn:
            return (sent.game_id,)
        return (sent.round, sent.people)

    def _keyed_beside(self, sent: SentResult) -> list[ActRow]:
        """Return its round's keyed results that share a person with this result."""
        return [
            keyed
            for (*of_round, people), keyed in self._keyed.items()
            if sent.round == tuple(of_round) and people & sent.people
        ]
