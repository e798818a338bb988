"""Counts the small faults that a room's own tests miss: `make mutants ARGS="store --count 200"`.

A mutant is one change in one function: another comparison, number, truth value, operator or answer.
The tests are loaded once. Each mutant lives in a fork, in which its function has other code and
only the tests that call it are run, until one fails. Surviving mutants are listed for judgement:
each is a missing proof, needless code, or an equivalent change.
"""

import ast
import gc
import os
import pickle
import random
import resource
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from pathlib import Path
from types import CodeType, FrameType, FunctionType
from typing import Any, NamedTuple

import click
import pytest
from _pytest.runner import runtestprotocol

ROOMS: dict[str, tuple[list[str], list[str]]] = {
    "engines": (["engines"], ["tests/engines"]),
    "entries": (
        ["pi_app/games", "pi_app/view/keying.py", "pi_app/view/key_script.py"],
        # a scene is keys, and the frame that they lead to
        ["tests/pi_app/games", "tests/pi_app/view", "tests/pi_app/displays/oled/test_golden.py"],
    ),
    "reports": (["pi_app/past"], ["tests/pi_app/past", "tests/pi_app/screens/test_evaluation.py"]),
    "messages": (
        ["pi_app/wire", "pi_app/link/contract.py", "pi_app/phones/protocol.py"],
        ["tests/pi_app/wire", "tests/pi_app/link", "tests/pi_app/phones/test_protocol.py"],
    ),
    "store": (["pi_app/store"], ["tests/pi_app/store"]),
}
"""The files to change, and the tests that should notice."""
ROOT = Path(__file__).parent.parent
LIMIT_S = 120
"""Limit of processor time for a mutant's tests, which ends endless loops."""
OTHER: dict[type[Any], type[Any]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq, ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
    ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
}  # fmt: skip

FunctionKey = tuple[str, str, int]
"""A function: its file, its name with its class, its first line."""


class Mutant(NamedTuple):
    """A change of a file, by its place among the file's `changes`."""

    file: Path
    place: int
    line: int


class Change(NamedTuple):
    """Another value for a part of a node, and its name."""

    node: Any
    part: str
    value: object
    told: str

    def make(self) -> None:
        """Change the node."""
        setattr(self.node, self.part, self.value)


def functions(tree: ast.Module | ast.ClassDef) -> Iterator[ast.FunctionDef]:
    """Yield functions and methods, but not those within functions."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node)
        elif isinstance(node, ast.FunctionDef):
            yield node


def changes(tree: ast.Module) -> list[Change]:
    """Return all possible changes in functions; defaults and annotations stay as they are."""
    parts = (part for function in functions(tree) for part in function.body)
    found = (change_of(node) for part in parts for node in ast.walk(part))
    return [change for change in found if change is not None]


def change_of(node: Any) -> Change | None:
    """Return how a node can be changed, None for one that stays as it is."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER:
        other = OTHER[type(node.ops[0])]()
        return Change(node, "ops", [other, *node.ops[1:]], type(other).__name__)
    if isinstance(node, ast.BoolOp | ast.BinOp) and type(node.op) in OTHER:
        other = OTHER[type(node.op)]()
        return Change(node, "op", other, type(other).__name__)
    if isinstance(node, ast.Constant) and isinstance(node.value, int):
        value = not node.value if isinstance(node.value, bool) else node.value + 1
        return Change(node, "value", value, str(value))
    if isinstance(node, ast.If | ast.IfExp | ast.While):
        return Change(node, "test", ast.UnaryOp(ast.Not(), node.test), "not")
    if isinstance(node, ast.Return) and getattr(node.value, "value", 0) is not None:
        return Change(node, "value", ast.Constant(None), "return None")
    return None


def mutants_in(sources: list[str]) -> list[Mutant]:
    """Return every mutant of these files and folders."""
    found: list[Mutant] = []
    for source in (ROOT / each for each in sources):
        for file in sorted(source.rglob("*.py")) if source.is_dir() else [source]:
            own = enumerate(changes(ast.parse(file.read_text("utf-8"))))
            found += [Mutant(file, place, change.node.lineno) for place, change in own]
    return found


def compiled(mutant: Mutant) -> tuple[str, dict[FunctionKey, CodeType]]:
    """Return a mutant's change in words, and the code of all functions of its file."""
    tree = ast.parse(mutant.file.read_text("utf-8"))
    change = changes(tree)[mutant.place]
    before = ast.unparse(change.node).partition("\n")[0]
    told = f"{before} -> {change.told}"
    change.make()
    whole = compile(ast.fix_missing_locations(tree), str(mutant.file), "exec")
    return told, {key_of(code): code for code in codes(whole)}


def codes(code: CodeType) -> Iterator[CodeType]:
    for part in code.co_consts:
        if isinstance(part, CodeType):
            yield part
            yield from codes(part)


def key_of(code: CodeType) -> FunctionKey:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def passed(items: list[pytest.Item], at: int) -> bool:
    """Run a test, and tell whether it passed."""
    following = items[at + 1] if at + 1 < len(items) else None
    return not any(
        each.failed for each in runtestprotocol(items[at], log=False, nextitem=following)
    )


def forked(work: Callable[[], object], limit_s: int) -> Any:
    """Do something in a process of its own; return what it returned, None if it did not."""
    reading, writing = os.pipe()
    if (child := os.fork()) == 0:
        for number in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), number)
        resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
        try:
            with os.fdopen(writing, "wb") as answer:
                pickle.dump(work(), answer)
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as answer:
        data = answer.read()
    os.waitpid(child, 0)
    return pickle.loads(data) if data else None  # noqa: S301  # our own fork wrote it


def called_by(
    items: list[pytest.Item], files: set[str]
) -> tuple[dict[FunctionKey, list[int]], list[str]]:
    """Return which tests call each function of these files, the quickest first.

    Tests that fail without any change are named and left out.
    """
    found: dict[FunctionKey, dict[int, None]] = defaultdict(dict)
    costs: dict[int, float] = {}
    failing: list[str] = []
    now = 0

    def note(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code.co_filename in files:
            found[key_of(frame.f_code)][now] = None

    threading.setprofile(note)
    for now in range(len(items)):
        sys.setprofile(note)
        began = time.process_time()
        if passed(items, now):
            costs[now] = time.process_time() - began
        else:
            failing.append(items[now].nodeid)
        sys.setprofile(None)
    quickest = sorted(costs, key=costs.__getitem__)
    return {key: [at for at in quickest if at in tests] for key, tests in found.items()}, failing


class Trial:
    """The plug-in that runs the loaded tests once for each mutant."""

    def __init__(self, mutants: list[Mutant]) -> None:
        self.mutants = mutants
        self.tried = 0
        self.survivors = 0

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = session.items
        files = {str(each.file) for each in self.mutants}
        calls: dict[FunctionKey, list[int]] = {}
        failing = ["every test"]
        if (called := forked(partial(called_by, items, files), 30 * LIMIT_S)) is not None:
            calls, failing = called
        if failing:
            click.echo(f"  left out, as it fails while nothing is changed: {', '.join(failing)}")
        for file in sorted(files):  # loads late imports once for all forks
            name = ".".join(Path(file).relative_to(ROOT).with_suffix("").parts)
            import_module(name.removesuffix(".__init__"))
        live: dict[FunctionKey, list[FunctionType]] = defaultdict(list)
        for each in gc.get_objects():
            if isinstance(each, FunctionType):
                live[key_of(each.__code__)].append(each)
        for mutant in self.mutants:
            told, code = compiled(mutant)
            new = {
                key: own
                for key, own in code.items()
                if any(each.__code__ != own for each in live.get(key, ()))
            }
            if not new:
                click.echo(f"  not tried, as nothing has it: {mutant.file.name}:{mutant.line}")
                continue
            self.tried += 1
            tests = list(dict.fromkeys(at for key in new for at in calls.get(key, [])))
            chosen = [items[at] for at in tests]
            if forked(partial(survives, chosen, new, live), LIMIT_S) is not None:
                self.survivors += 1
                click.echo(f"  {mutant.file.relative_to(ROOT)}:{mutant.line}: {told}")
        return True


def survives(
    items: list[pytest.Item],
    new: dict[FunctionKey, CodeType],
    live: dict[FunctionKey, list[FunctionType]],
) -> bool:
    """Exchange the code of functions; return if all tests pass, else raise SystemExit."""
    for place, code in new.items():
        for function in live[place]:
            function.__code__ = code
    for at in range(len(items)):
        if not passed(items, at):
            raise SystemExit
    return True


def tried(room: str, count: int, seed: int) -> None:
    """Try mutants of a room; print the survivors and the counts."""
    sources, tests = ROOMS[room]
    mutants = mutants_in(sources)
    chosen = random.Random(seed).sample(mutants, min(count, len(mutants)))
    trial = Trial(sorted(chosen))
    click.echo(f"{room}: {len(chosen)} of {len(mutants)} mutants")
    status = pytest.main([*tests, "-qq", "--no-header", "-p", "no:cacheprovider"], [trial])
    if status is pytest.ExitCode.OK:
        killed = trial.tried - trial.survivors
        click.echo(f"{room}: {killed} of {trial.tried} killed ({killed * 100 // trial.tried} %)")


@click.command()
@click.argument("rooms", nargs=-1, type=click.Choice(list(ROOMS)))
@click.option("--count", default=40, show_default=True, help="mutants a room, chosen by chance")
@click.option("--seed", default=1, show_default=True, help="other mutants for another number")
def main(rooms: tuple[str, ...], count: int, seed: int) -> None:
    """Try mutants of rooms, all of them if none is named."""
    for room in rooms or ROOMS:
        if (child := os.fork()) == 0:  # each room loads its tests in a process of its own
            tried(room, count, seed)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
