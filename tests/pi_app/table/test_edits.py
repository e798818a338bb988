"""Edits of the history are undone and redone like moves, also after a restart."""

import json
from collections.abc import Callable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engines.game import Refusal
from engines.record import Note
from pi_app.store import Store
from pi_app.table.revision import (
    EDIT_LIMIT,
    Edit,
    Edits,
    keep_movers,
    movers_of,
    read_edits,
    revise,
)
from pi_app.table.table import COMMENTS, Table, comments_of, comments_text

TAGS = {"Game": "just4fun", "Players": "Anna yellow, Ben red, Carla white"}
THREE = ("7", "8", "9")


def play(table: Table, *tokens: str) -> None:
    for token in tokens:
        move = table.position.parse(token)
        assert not isinstance(move, Refusal)
        table.play(move)


def begun(*tokens: str, path: Path | str = ":memory:") -> tuple[Store, Table]:
    store = Store(path)
    table = Table.begin(store, TAGS)
    play(table, *tokens)
    return store, table


def resumed(store: Store) -> Table:
    return Table.resume(store, store.load(1))


def one_act(table: Table, chance: Random) -> str:
    """Play a move, change the history or walk through it, at random; return what was done."""
    tokens = table.tokens()
    what = chance.choice(["play"] * 4 + ["undo"] * 4 + ["redo"] * 4 + ["edit"] * 3 + ["restart"])
    if what == "play":
        legal = [str(card) for card in range(1, 13) if table.refusal(str(card)) is None]
        if not legal or table.position.result is not None:
            return "undo" if table.undo() else ""
        play(table, chance.choice(legal))
    elif what == "edit":
        moves = list(tokens)
        at = chance.randrange(len(moves) + 1)
        moves[at : at + chance.randrange(2)] = [str(chance.randrange(1, 13))] * chance.randrange(2)
        table.rewrite(revise(table.position, table.start, moves).tokens)
    elif what == "undo":
        return what if table.undo() else ""
    elif what == "redo":
        return what if table.redo() else ""
    return what


@given(st.integers(0, 2**32), st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_undo_and_redo_walk_through_every_state_that_moves_and_edits_made(
    seed: int, acts: int
) -> None:
    chance = Random(seed)
    store, table = begun()
    states, at = [table.tokens()], 0
    edits = 0
    for _ in range(acts):
        before = table.tokens()
        what = one_act(table, chance)
        if what == "restart":
            table = resumed(store)
        if what in ("play", "edit") and table.tokens() != before:
            del states[at + 1 :]
            edits += what == "edit"
            states.append(table.tokens())
            at += 1
        at += {"undo": -1, "redo": 1}.get(what, 0)
        if edits > EDIT_LIMIT:  # the oldest ones are forgotten
            break
        assert table.tokens() == states[at]
        assert (table.can_undo, table.can_redo) == (at > 0, at + 1 < len(states))
        assert store.load(1).tokens == states[at]
    store.close()


def test_an_undone_edit_is_durable_and_redone_after_a_restart() -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "games"
        store, table = begun(*THREE, "1", path=path)
        table.rewrite(["7", "9", "1"])
        play(table, "2")
        table.undo()
        store.close()
        for undone, moves in (
            (True, (*THREE, "1")),
            (True, THREE),
            (False, (*THREE, "1")),
            (False, ("7", "9", "1")),
            (False, ("7", "9", "1", "2")),
        ):
            store = Store(path)
            table = resumed(store)
            assert table.undo() if undone else table.redo()
            store.close()
            store = Store(path)
            assert store.load(1).tokens == moves
            store.close()


def test_an_undone_edit_brings_the_comments_back_that_it_removed() -> None:
    store, table = begun(*THREE)
    notes = (Note(1, "first"), Note(2, "second"), Note(3, "third"))
    store.set_note(1, COMMENTS, comments_text(notes))
    table.rewrite(["7", "9"])
    changed = comments_of(store, 1)
    assert Note(2, "second") not in changed
    table.undo()
    assert comments_of(store, 1) == notes
    table.redo()
    assert comments_of(store, 1) == changed


def test_a_new_move_forgets_the_edits_to_be_redone_and_keeps_those_to_be_undone() -> None:
    store, table = begun(*THREE)
    table.rewrite(["7", "9"])
    table.rewrite(["7"])
    table.undo()
    play(table, "3")
    for each in (table, resumed(store)):
        assert not each.can_redo
    table.undo()
    table.undo()
    assert table.tokens() == THREE


KEPT = Edit(("a", "b"), ("a",))


@pytest.mark.parametrize(
    ("text", "tokens", "undone", "edits"),
    [
        (None, ("a",), (), Edits()),
        ("[", ("a",), (), Edits()),
        ("[]", ("a",), (), Edits()),
        ('{"past": [[1]]}', ("a",), (), Edits()),
        (Edits([KEPT]).text(), ("a", "c"), (), Edits([KEPT])),
        (Edits([KEPT]).text(), ("x",), (), Edits()),
        (Edits([Edit(("q",), ("x",)), KEPT]).text(), ("a",), (), Edits([KEPT])),
        (Edits([], [KEPT], ["z"]).text(), ("a",), ("b",), Edits([], [KEPT], ["z"])),
        (Edits([], [KEPT], ["z"]).text(), ("a", "b", "c"), (), Edits()),
        (Edits([], [KEPT, Edit(("x",), ())]).text(), ("a", "b"), (), Edits()),
    ],
)
def test_edits_that_do_not_belong_to_the_moves_are_forgotten(
    text: str | None, tokens: tuple[str, ...], undone: tuple[str, ...], edits: Edits
) -> None:
    assert read_edits(text, tokens, undone) == edits


def test_only_the_last_edits_are_stored() -> None:
    store, table = begun(*THREE)
    for n in range(EDIT_LIMIT + 5):
        table.rewrite(["7", str(n % 12 + 1)])
    stored = json.loads(store.note(1, "edits") or "{}")
    assert len(stored["past"]) == EDIT_LIMIT


@given(st.integers(0, 2**32), st.sampled_from(["just4fun", "numeri", "sequence", "einmaleins"]))
@settings(max_examples=40, deadline=None)
def test_corrections_leave_every_later_move_to_whoever_made_it(seed: int, game: str) -> None:
    chance = Random(seed)
    players = "Anna blue, Ben green, Cleo red"
    tags = {"Game": game, "Players": players, "Open": "24", "Hand": "7"}
    if game != "sequence":
        tags["Players"] = "Anna yellow, Ben red, Cleo white"
    if game == "numeri":
        tags["Players"] = "Anna yellow, Ben red, Cleo green"
    table = Table.begin(Store(":memory:"), tags)
    hands: dict[str, Callable[[], object]] = {
        "just4fun": lambda: tuple(chance.sample(range(1, 13), 4)),
        "numeri": lambda: chance.randint(1, 6),
        "sequence": lambda: tuple(chance.sample(["7H", "8S", "QD", "2C", "JC", "JS", "KH"], 4)),
        "einmaleins": lambda: tuple(map(str, chance.sample([12, 24, 36, 8, 20, 30, 18], 4))),
    }
    given_for = hands[game]
    for _ in range(12):
        if table.position.result is None:
            table.play(chance.choice(table.position.legal(given_for())))
    index = chance.randrange(len(table.steps))
    inserted = list(table.tokens()[index : index + chance.randrange(2)])
    later = table.steps[index + 1 :]
    tokens = [*table.tokens()[:index], *inserted, *(step.token for step in later)]
    kept, movers = keep_movers(table.start, tokens, movers_of(later))
    assert [token for token in kept if not token.startswith("<")] == [
        token for token in tokens if not token.startswith("<")
    ]
    assert revise(table.position, table.start, kept, movers).reassigned == ()
