"""kill -9 at random moments: what was shown as counted is there, and nothing half.

The figures of a long run are in docs/reliability.md.
"""

import random
import subprocess
import threading
import time
from contextlib import suppress
from itertools import pairwise
from pathlib import Path

import pytest

from engines.game import Refusal
from pi_app.table.table import Table
from tests.crash.process import GAME, Process, stored
from tests.options import Options
from tests.pi_app.pilot import Pilot

pytestmark = pytest.mark.nightly

KILLS = 100
MOVES_A_RUN = 40
LONGEST_S = 0.03
WAIT_S = 60.0

State = tuple[tuple[str, ...], tuple[str, ...]]


class Script:
    """What people key, and what must be stored after each line of it, from any state on."""

    def __init__(self, chance: random.Random, start: State) -> None:
        self.lines: list[str] = []
        self.states: list[State] = [start]
        self.shown: list[str] = []
        """How each state is told apart in a frame: the last moves, newest first."""
        pilot = Pilot.game("just4fun")
        (game,) = (pilot.ctx.store.latest_game(),)
        assert game is not None
        table = Table.resume(pilot.ctx.store, pilot.ctx.store.load(game))
        self._resumed(table, start)
        for _ in range(MOVES_A_RUN):
            if table.position.result is not None:
                break
            self._line(chance, table)

    @staticmethod
    def _resumed(table: Table, start: State) -> None:
        for token in (*start[0], *start[1]):
            move = table.position.parse(token)
            assert not isinstance(move, Refusal)
            table.play(move)
        for _ in start[1]:
            table.undo()

    def _line(self, chance: random.Random, table: Table) -> None:
        if table.steps and chance.random() < 0.15:
            table.undo()
            self.lines.append("<<")
        else:
            token = legal_card(chance, table)
            move = table.position.parse(token)
            assert not isinstance(move, Refusal)
            table.play(move)
            keys = token.replace("+", "*")
            half = "1 <" if chance.random() < 0.2 else ""  # a digit keyed and deleted
            self.lines.append(f"{half} {keys} #")
        self.states.append((table.tokens(), tuple(table.undone)))


def legal_card(chance: random.Random, table: Table) -> str:
    """Return a move of one or two cards that is legal now."""
    while True:
        token = "+".join(str(chance.randint(1, 19)) for _ in range(chance.choice((1, 2))))
        if table.refusal(token) is None:
            return token


def crash_once(path: Path, chance: random.Random) -> tuple[int, int]:
    """Play, kill, compare; return how many moves were sent and how many were confirmed."""
    before = stored(path)
    script = Script(chance, before)
    process = Process(path, *GAME)
    delay = chance.uniform(0, LONGEST_S)
    shown = chance.randint(1, len(script.lines)) if chance.random() < 0.9 else 0
    threading.Thread(target=cut, args=(process, shown, delay)).start()
    sent = 0
    for line in script.lines:
        if process.process.poll() is not None:
            break
        process.keys(line)
        sent += 1
        time.sleep(chance.choice((0, 0, 0.002)))
    process.process.wait(2 * WAIT_S)
    process.kill()
    assert len(process.frames) >= shown, "it was killed before it had shown what it was waited for"
    confirmed = confirmations(process)
    after = stored(path)
    possible = script.states[confirmed : sent + 1]
    assert after in possible, (before, confirmed, sent, after, script.states, process.frames[-2:])
    return sent, confirmed


def cut(process: Process, shown: int, delay: float) -> None:
    """Kill a process so many seconds after so many frames; none: while it starts.

    Counted in frames (each line of keys shows one at least), so that a busy machine comes as far.
    """
    process.wait_for(lambda: len(process.frames) >= shown, WAIT_S)
    with suppress(subprocess.TimeoutExpired):
        process.process.wait(delay)
    process.process.kill()


def confirmations(process: Process) -> int:
    """Count the frames that say that a move, or its taking back, counts.

    They are those in which the list of the last moves is another than before.
    """
    moves = [frame_moves(frame) for frame in process.frames]
    return sum(one != two for one, two in pairwise(moves))


def frame_moves(frame: dict[str, list[object]]) -> tuple[list[object], ...]:
    """Return stones left and last moves: no two states in a row have the same."""
    return frame.get("details", []), frame.get("moves", [])


@pytest.mark.timeout(1800)  # every kill is a start of the program
def test_no_confirmed_move_is_lost_by_a_kill(tmp_path: Path, options: Options) -> None:
    chance = random.Random(options.seed)
    kills = KILLS * options.times
    sent = confirmed = games = interrupted = 0
    path = tmp_path / "0" / "t.db"
    for _ in range(kills):
        one, two = crash_once(path, chance)
        sent += one
        confirmed += two
        interrupted += two < one
        if over(path):
            games += 1
            path = tmp_path / str(games) / "t.db"
    print(  # noqa: T201  # what a long run found
        f"{kills} kills, {interrupted} of them while moves were on their way, "
        f"{sent} moves keyed, {confirmed} confirmed, none lost, {games} whole games"
    )
    assert interrupted > kills // 4, "the kills come too late to prove anything"
    assert confirmed > kills


def over(path: Path) -> bool:
    """Tell whether the game on the table is decided."""
    tokens = stored(path)[0]
    pilot = Pilot.game("just4fun")
    game = pilot.ctx.store.latest_game()
    assert game is not None
    table = Table.resume(pilot.ctx.store, pilot.ctx.store.load(game))
    table.rewrite(tokens)
    return table.position.result is not None
