"""A whole evening at whole companions, with all that happens to one, against plain standings.

People come late and leave, a table dies in its game and comes back when its round is over, results
are corrected at the table and by the organiser, the hub is killed, and the club moves to another
laptop while a round is played.
"""

from __future__ import annotations

import json
import random
import sqlite3
import time
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from club.hub.broker import program
from tests.club.companions import OFFER, RealCompanion
from tests.club.parts import Club
from tests.club.plain_standings import PlainResult, PlainSeat, keyed, standings
from tests.options import Options
from tests.players.club import Fingers
from tests.stand_ins.waiting import wait_for

GAMES = "just4fun,numeri,sequence,einmaleins"
PER_TABLE = 4
PEOPLE = 8
STARTS = 8
"""How many tables start at once."""
A_GAME_S = 900
"""The longest that a round is played: on a busy machine with twenty tables."""
Group = tuple[int, frozenset[str]]
"""A round, and who sits together in it."""


class Evening:
    """The hall, its organiser, and what the organiser decided."""

    def __init__(self, tmp: Path, people: int, seed: int) -> None:
        self.tmp = tmp
        self.seed, self.chance = seed, random.Random(seed)
        self.club = Club(tmp / "club")
        self.people = [f"p{n}" for n in range(1, people + 1)]
        part = max(1, people // 20)
        self.late, self.leaving = self.people[-part:], self.people[2 : 2 + part]
        self.hands: dict[str, Fingers] = {}
        self.keyed: dict[Group, list[tuple[str, int]]] = {}
        """What the organiser keyed last, in the order of the seats."""
        self.accepted: set[Group] = set()
        """Where the table's own result was chosen."""

    def start(self) -> None:
        """Start the hub, and as many tables as all people need."""
        self.club.start()
        for number in range(-(-len(self.people) // PER_TABLE)):
            access = json.loads(self.club.do("add-table"))
            table = RealCompanion(self.tmp / f"t{number}", access)
            self.hands[table.id] = Fingers(table, random.Random(f"{self.seed} {number}"))
        with ThreadPoolExecutor(STARTS) as pool:
            list(pool.map(lambda hand: hand.table.start(), self.hands.values()))

    def end(self) -> None:
        for hand in self.hands.values():
            hand.table.end()
        self.club.stop()

    # --- what the organiser does

    def register(self) -> None:
        """Register everybody; p1 and p2 have one name, and some are not there yet."""
        rows = [
            f"{p},{'Anna' if p in ('p1', 'p2') else f'Person {p[1:]}'},{int(p not in self.late)}"
            for p in self.people
        ]
        file = self.tmp / "people.csv"
        file.write_text("p,name,present\n" + "\n".join(rows) + "\n", "utf-8")
        self.club.do("people", str(file))

    def come_and_go(self) -> None:
        """Let in who comes late, and let some leave."""
        for p in self.late:
            self.club.do("arrive", p)
        for p in self.leaving:
            self.club.do("leave", p)

    def status(self) -> dict[str, Any]:
        status: dict[str, Any] = json.loads(self.club.do("status", "--json"))
        return status

    def paired(self) -> dict[str, Any]:
        """Return the current round."""
        current: dict[str, Any] = self.club.export()["rounds"][-1]
        return current

    def key(self, number: int, seats: Sequence[str], ranks: Sequence[int]) -> None:
        """Key a result, after a look at what it changes."""
        places = list(zip(seats, ranks, strict=True))
        words = ["result", "--round", str(number), *(f"{p}={rank}" for p, rank in places)]
        self._carry_out(words)
        group = number, frozenset(seats)
        self.keyed[group] = places
        self.accepted.discard(group)

    def decide(self, proposal: dict[str, Any], *, accepted: bool) -> None:
        words = ["accept" if accepted else "refuse", f"{proposal['store']}:{proposal['seq']}"]
        self._carry_out(words)
        if accepted:
            self.accepted.add((proposal["round"], people_of(proposal)))

    def _carry_out(self, words: Sequence[str]) -> None:
        """Do what was previewed: it changes what the preview said, and no round that was paired."""
        rounds, before = self.club.export()["rounds"], self.lines()
        changes = json.loads(self.club.do(*words, "--preview", "--json"))
        assert self.lines() == before, "a preview changes nothing"
        self.club.do(*words)
        said = {each["p"]: each["after"] for each in changes}
        now = {line["p"]: line for line in self.club.export()["standings"]}
        assert self.club.export()["rounds"] == rounds
        for p, line in now.items():
            if p in said:
                assert said[p] == {name: line[name] for name in ("rank", "points", "wins")}
            else:
                assert (line["points"], line["wins"], line["rank"]) == before[p]

    def lines(self) -> dict[str, tuple[float, int, int]]:
        return {
            line["p"]: (line["points"], line["wins"], line["rank"])
            for line in self.club.export()["standings"]
        }

    def pair(self, number: int) -> list[Fingers]:
        """Pair a round; return those who sit at its tables."""
        self.club.do("pair")
        current = self.paired()
        assert current["round"] == number
        seated = [seat["p"] for group in current["tables"] for seat in group["seats"]]
        away = set(self.late if number == 1 else self.leaving)
        assert Counter([*seated, *current["byes"]]) == Counter(set(self.people) - away)
        return [self.hands[group["table"]] for group in current["tables"] if group["table"]]

    # --- what happens

    def play(self, hands: Sequence[Fingers], moves: int | None = None) -> None:
        """Play the round at these tables, to the end or until each has made so many moves."""
        before = {hand: hand.games for hand in hands}

        def ready(hand: Fingers) -> bool:
            began = hand.games > before[hand]
            return began and (hand.is_over or (moves is not None and hand.moves >= moves))

        self._play_until(hands, ready)

    def play_on(self, hands: Sequence[Fingers]) -> None:
        """End the games that go on at these tables, and begin no round."""
        self._play_until(hands, lambda hand: hand.is_over, begins=False)

    @staticmethod
    def _play_until(hands: Sequence[Fingers], ready: Any, *, begins: bool = True) -> None:
        end = time.monotonic() + A_GAME_S
        playing = list(hands)
        while playing:
            for hand in playing:
                hand.step(begins=begins)
            playing = [hand for hand in playing if not ready(hand)]
            assert time.monotonic() < end, [hand.table.frame for hand in playing]
            time.sleep(0.005)

    def correct_at(self, hand: Fingers) -> None:
        """Take the last move of a game that is over back, and end it in another way."""
        hand.table.keys("<<")
        hand.table.see(lambda: not hand.look(), "the last move to be taken back")
        self.play_on([hand])

    def wait_for_results(self, but: Collection[str] = ()) -> None:
        """Wait until all results of the round are there, except those of some tables."""

        def all_here() -> bool:
            paired = self.status()["round"]
            return all(
                each["progress"] == "done" or each["table"] in but for each in paired["tables"]
            )

        wait_for(all_here, f"results: {self.status()['round']}")

    def restart_hub(self) -> None:
        self.club.kill()
        self._end_broker()
        self.club.start()

    def move_to_another_laptop(self) -> None:
        """Restore a backup on another laptop that has the same address."""
        file = str(self.tmp / "evening.backup")
        self.club.do("backup", file)
        self.club.kill()
        self._end_broker()
        other = Club(self.tmp / "other")
        other.port = self.club.port
        other.do("restore", file)
        self.club = other.start()

    def _end_broker(self) -> None:
        """Wait until the broker has followed its hub."""
        process = Path(f"/proc/{self.club.broker_pid()}/cmdline")

        def ended() -> bool:
            try:
                return not process.read_bytes()  # empty while nobody has waited for it
            except OSError:
                return True

        wait_for(ended, "the broker to end")

    # --- what should have come out

    def check(self) -> None:
        """Compare the standings with plain ones, from what the tables' files say."""
        exported = self.club.export()
        plain = list(self.plain_results(exported["rounds"]))
        there = json.loads(self.club.do("export", "--json"))["standings"]
        assert len(self.club.counted()) == len(plain)
        expected = standings([line["p"] for line in there], plain)
        lines = iter(there)
        for group, points, wins in expected:
            shown = [next(lines) for _ in group]
            assert {line["p"] for line in shown} == group
            assert {(line["points"], line["wins"]) for line in shown} == {(float(points), wins)}
        assert next(lines, None) is None
        assert [line["rank"] for line in there] == list(range(1, len(there) + 1))

    def plain_results(self, rounds: Sequence[Any]) -> Iterator[PlainResult]:
        """Return each group's result: the organiser's choice, else the table's."""
        own = dict(self._results_of_tables(rounds))
        for each in rounds:
            for group in each["tables"]:
                seats = [seat["p"] for seat in group["seats"]]
                key = each["round"], frozenset(seats)
                if key in self.keyed and key not in self.accepted:
                    yield keyed(self.keyed[key])
                elif key in own:
                    yield own[key]

    def _results_of_tables(self, rounds: Sequence[Any]) -> Iterator[tuple[Group, PlainResult]]:
        """Return what the tables' files say: each game that is over, by who played it when."""
        names = {shown_name(p): p for p in self.people}
        groups = {
            frozenset(seat["p"] for seat in group["seats"]): each["round"]
            for each in rounds
            for group in each["tables"]
        }
        for hand in self.hands.values():
            with closing(sqlite3.connect(hand.table.store)) as db:
                games = db.execute(
                    "SELECT tags, result FROM game WHERE result IS NOT NULL"
                ).fetchall()
            for tags, result in games:
                players = [
                    each.rsplit(" ", 1)[0] for each in json.loads(tags)["Players"].split(", ")
                ]
                plain = _placed(json.loads(result), players, names)
                together = frozenset(seat.p for seat in plain)
                yield (groups[together], together), plain


def shown_name(p: str) -> str:
    return f"Anna ({p[1:]})" if p in ("p1", "p2") else f"Person {p[1:]}"


def _placed(result: Any, players: Sequence[str], names: dict[str, str]) -> PlainResult:
    won = {name: name in result["winners"] for name in players}
    score = {name: (won[name], (result.get("points") or {}).get(name, 0)) for name in players}
    return tuple(
        PlainSeat(names[name], 1 + sum(other > score[name] for other in score.values()), won[name])
        for name in players
    )


def people_of(result: dict[str, Any]) -> frozenset[str]:
    return frozenset(seat["p"] for seat in result["seats"])


@pytest.fixture
def hall(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Evening]:
    if program() is None:
        pytest.skip("Mosquitto is not installed")
    options = Options.of(request.config)
    evening = Evening(tmp_path, PEOPLE * options.times, options.seed)
    try:
        evening.start()
        yield evening
    finally:
        evening.end()


@pytest.mark.nightly
@pytest.mark.timeout(7200)  # the full size on a busy machine
def test_an_evening_to_which_everything_happens_ends_with_the_plain_standings(
    hall: Evening, request: pytest.FixtureRequest
) -> None:
    rounds = 2 if Options.of(request.config).times == 1 else 5
    hall.register()
    hall.club.do("evening", "--game", GAMES, "--mode", "tables", "--rounds", str(rounds))
    dead_in = {1: 1} if rounds == 2 else {2: 3, 3: 5}  # the round, and which table dies
    dead: list[Fingers] = []
    for number in range(1, rounds + 1):
        if number == 2:
            hall.come_and_go()
        hands = hall.pair(number)
        for hand in dead:
            come_back(hall, hand, accepted=number != 4)
        dead = [hands[dead_in[number]]] if number in dead_in else []
        hall.play(hands, moves=3)
        for hand in dead:
            hand.table.kill()
            hand.table.kill_link()
        if number == 1:
            hall.restart_hub()
        if number == rounds:
            hall.move_to_another_laptop()
        alive = [hand for hand in hands if hand not in dead]
        hall.play_on(alive)
        end_round(hall, number, [hand.table.id for hand in dead])
        if number == 1:
            correct_at_a_table(hall, alive[0])
        if number in (2, rounds):
            correct_by_hand(hall, number - 1)
        hall.check()
        assert not any(hand.table.shows(OFFER) for hand in alive), "a round is offered once"
    assert not hall.status()["proposals"]
    hall.club.do("close")
    hall.check()
    assert all(hand.games <= rounds for hand in hall.hands.values()), "no round is played twice"


def end_round(hall: Evening, number: int, dead: Sequence[str]) -> None:
    """Wait for the results, and key those of dead tables: all there share the first place."""
    hall.wait_for_results(but=dead)
    for group in hall.status()["round"]["tables"]:
        if group["progress"] != "done":
            assert group["progress"] in ("offline", "unplaced"), "a dead table is seen"
            hall.key(number, group["seats"], [1] * len(group["seats"]))
    assert hall.status()["round"]["missing"] == 0


def come_back(hall: Evening, hand: Fingers, *, accepted: bool) -> None:
    """Switch a dead table on, let it end its game, and decide about what it sends."""
    hand.table.start()
    hall.play_on([hand])
    (proposal,) = wait_for(lambda: hall.status()["proposals"], "the result that differs")
    assert proposal["table"] == hand.table.id
    assert proposal["why"] == "locked"
    hall.check()
    hall.decide(proposal, accepted=accepted)
    hall.check()


def correct_at_a_table(hall: Evening, hand: Fingers) -> None:
    hall.correct_at(hand)

    def corrected() -> bool:
        mine = [each for each in hall.club.counted() if each["table"] == hand.table.id]
        return any(each["revision"] for each in mine)

    wait_for(corrected, "the correction")


def correct_by_hand(hall: Evening, number: int) -> None:
    """Turn the order of a table of an earlier round round, as the people there say it was."""
    paired = hall.club.export()["rounds"][number - 1]
    group = hall.chance.choice(paired["tables"])
    seats = [seat["p"] for seat in group["seats"]]
    hall.key(number, seats, range(len(seats), 0, -1))


def test_the_plain_standings_notice_a_point_too_many() -> None:
    anna, ben = PlainSeat("p1", 1, won=True), PlainSeat("p2", 2, won=False)
    assert standings(["p3"], [(anna, ben)]) == [
        (frozenset({"p1"}), Fraction(4), 1),
        (frozenset({"p2"}), Fraction(1), 0),
        (frozenset({"p3"}), Fraction(0), 0),
    ]
    shared = keyed([("p1", 1), ("p2", 2), ("p3", 2)])
    assert [points for _, points, _ in standings([], [shared])] == [5, 2]
