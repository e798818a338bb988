"""Single flipped bits in a closed store of six games: whoever reads it says so, or sees the same.

Every command that reads games, and a phone beside the companion; a start is in `test_bits`.
A quarter as many bits are tried as in `test_bits`, of all every 41st, as each takes many commands.
"""

import json
import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from engines.record import Note, parse
from pi_app.commands.cli import main
from pi_app.phones.output import Phones
from pi_app.phones.protocol import Answered, Reply
from pi_app.store.comments import store_comments
from pi_app.store.store import Store
from tests.crash.test_bits import flipped, tried
from tests.options import Options
from tests.pi_app.learnt import learn
from tests.pi_app.pilot import Pilot, store_games

ROW = '[Game "just4fun"]\n[Players "{} yellow, {} red"]\n[Position "yellow 9 33; red 1 14 30"]\n'
GAMES = (
    ROW.format("Anna", "Ben") + "9 12+12\n",
    ROW.format("Ben", "Anna") + "9 12+12\n",
    '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1@36; red 6@35 5@37"]\n3 6\n',
    Path("tests/records/einmaleins-out.txt").read_text("utf-8"),
    '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n'
    '[Position "yellow 1; red 3; open 28=4x7"]\n36=4x9\n',
    '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n\n5+11+13 9 12\n',
)
"""All but the last are over; two were played on one evening."""
NUMBERS = range(1, len(GAMES) + 1)
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("show", "history"),
    ("show", "history", "3"),
    ("show", "history", "4"),
    ("export", "--json"),
    ("export", "--csv"),
    ("show", "statistics"),
    ("show", "evening", "--list"),
    ("export", "--csv", "--of", "days"),
)


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    """Return the file of a store that was closed."""
    path = tmp_path / "whole.db"
    store = Store(path)
    store_games(store, *GAMES)
    store_comments(store, 4, (Note(2, "a long pause"),))
    learn(store)
    store.close()
    return path.read_bytes()


def each(
    folder: Path,
    content: bytes,
    judge: Callable[[Path, bytes], bool],
    caplog: Any,
    options: Options,
) -> tuple[int, int]:
    """Judge a file for every bit that is tried; return how many there are, how many were told."""
    caplog.set_level(logging.CRITICAL)
    bits = tried(len(content), options)
    bits = bits[:: 4 if len(bits) < len(content) * 8 else 41]
    told = 0
    for number, bit in enumerate(bits):
        path = folder / str(number) / "t.db"
        path.parent.mkdir()
        try:
            told += judge(path, flipped(content, bit))
        except BaseException as error:
            error.add_note(f"bit {bit} of {len(content) * 8}")
            raise
    print(f"{len(bits)} bits, {told} told")  # noqa: T201
    return len(bits), told


def run(path: Path, words: tuple[str, ...]) -> tuple[int, str, str]:
    """Run a command on a store; return its status, what it printed and what it said."""
    done = CliRunner().invoke(main, [*words, "--store", str(path)])
    return done.exit_code, done.stdout, done.stderr


def test_every_command_that_reads_prints_the_same_or_tells_the_damage(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture, options: Options
) -> None:
    sound = {words: run(tmp_path / "whole.db", words) for words in COMMANDS}
    assert {status for status, _, _ in sound.values()} == {0}
    assert all(out.strip() for _, out, _ in sound.values())

    def judge(path: Path, damaged: bytes) -> bool:
        path.write_bytes(damaged)
        told = False
        for words in COMMANDS:
            found = run(path, words)
            if found != sound[words]:
                status, _, said = found
                assert status == 1, (words, found)
                assert "is damaged" in said, (words, found)
                assert len(said.splitlines()) <= 2, (words, found)
                told = True
        assert path.read_bytes() == damaged, "a reader wrote"
        return told

    count, told = each(tmp_path, content, judge, caplog, options)
    assert told > count // 20


def test_a_game_that_lost_any_of_its_moves_is_told_also_the_last(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    path = tmp_path / "t.db"
    tokens = parse(GAMES[3]).tokens
    assert len(tokens) > 30
    for token in tokens:
        at = content.find(f"{token}played".encode())
        path.write_bytes(flipped(content, 8 * at))
        status, out, said = run(path, ("export", "--json"))
        assert (status, said.count("\n")) == (1, 1), token
        assert len(json.loads(out)["games"]) == len(GAMES), token


def test_a_move_whose_state_was_altered_is_not_just_counted_out(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.CRITICAL)
    path = tmp_path / "t.db"
    at = content.rfind(b"played")
    path.write_bytes(flipped(content, 8 * at))
    for words in (("export", "--csv"), ("show", "evening")):
        assert run(path, words)[0] == 1, words


def test_an_import_into_a_damaged_store_tells_of_it_and_so_does_the_next_start(
    tmp_path: Path, content: bytes
) -> None:
    path, record = tmp_path / "t.db", tmp_path / "record.txt"
    path.write_bytes(flipped(content, 8 * content.find(b"36=4x9")))
    record.write_text('[Game "just4fun"]\n[Players "Caro yellow, Ben red"]\n\n5+11+13\n', "utf-8")
    done = CliRunner().invoke(main, ["import", str(record), "--store", str(path)])
    (aside,) = tmp_path.glob("t.db.damaged-*")
    assert (done.exit_code, done.stdout) == (1, "imported: 1\n")
    assert aside.name in done.stderr
    store = Store(path)
    assert [news.aside for news in store.news()] == [aside]
    assert store.load(len(GAMES) + 1).tokens == ("5+11+13",)
    store.close()


class Phone:
    """A phone beside a companion whose loop goes on while the phone waits."""

    def __init__(self, path: Path) -> None:
        self.pilot = Pilot(store=path)
        program = self.pilot.program
        self.table = Phones(program).table
        program.keys.open()
        self.pilot.ctx.worker.attach(program._post)  # as `run` does: the loop alone mends

    def questions(self) -> list[Callable[[Reply], bool]]:
        """Return all that there is to ask about games."""
        found: list[Callable[[Reply], bool]] = [partial(self.table.history, 0)]
        found += [partial(self.table.game, number) for number in NUMBERS]
        found.append(self.table.statistics)
        return found

    def answer(self, ask: Callable[[Reply], bool]) -> Answered:
        """Ask, and let the loop go on until there is an answer."""
        found: list[Answered] = []
        program = self.pilot.program

        def done(answer: Answered) -> None:
            found.append(answer)
            program.keys.wake()

        assert ask(done)
        while not found:
            program.step(60)
        program.step(0)
        return found[0]

    def told(self) -> bool:
        """Tell whether the table, and each phone that shows it, has an alert of the damage."""
        self.pilot.program.show()
        alert = self.pilot.frame.alert
        return alert is not None and "damaged" in alert.text


def test_a_phone_is_answered_the_same_or_the_table_tells_the_damage(
    tmp_path: Path, content: bytes, caplog: pytest.LogCaptureFixture, options: Options
) -> None:
    """The file is damaged under a companion that is running; each time something else is first."""
    phone = Phone(tmp_path / "whole.db")
    sound = [phone.answer(ask) for ask in phone.questions()]
    assert not phone.told()
    phone.pilot.ctx.store.close()
    assert all(answer.get("ok") for answer in sound)

    def judge(path: Path, damaged: bytes) -> bool:
        path.write_bytes(content)
        phone = Phone(path)
        path.write_bytes(damaged)
        asked = list(zip(phone.questions(), sound, strict=True))
        first = int(path.parent.name) % len(asked)
        for ask, expected in (*asked[first:], *asked[:first]):
            assert phone.answer(ask) == expected or phone.told()
        told = phone.told()
        phone.pilot.ctx.store.close()
        return told

    count, told = each(tmp_path, content, judge, caplog, options)
    assert told > count // 20
