"""After any move, undo, change, insertion or removal the store has what the table shows."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from beisitzer.testing.pilot import Pilot, store_games
from beisitzer.testing.samples import Samples
from engines.game import AnyPosition, Move
from engines.record import Record, begin_game, write
from engines.replay import steps as steps_of
from pi_app.store.store import Store
from pi_app.table.presentation import AnyPresentation
from pi_app.table.revision import insert_token, remove_token, replace_token, revise
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.language import Texts


def some_move(position: AnyPosition, samples: Samples, chance: Random) -> Move | None:
    if position.result is not None:
        return None
    listed = position.legal(samples.given(chance))
    if not listed:
        pytest.fail("legal() lists no move: test_rules says where", pytrace=False)
    move: Move = chance.choice(listed)
    return move


def act(table: Table, store: Store, samples: Samples, chance: Random) -> Table:
    """Do something at random that people do; return the table, a new one after a restart."""
    tokens = table.tokens()
    # mostly moves, so that there is something to change
    what = chance.choice(["play"] * 8 + ["undo", "redo", "change", "insert", "remove", "restart"])
    if what == "undo":
        table.undo()
    elif what == "redo":
        table.redo()
    elif what == "restart":
        return Table.resume(store, store.load(table.id))
    elif what == "play" or not tokens:
        move = some_move(table.position, samples, chance)
        if move is not None:
            table.play(move)
    else:
        index = chance.randrange(len(tokens))
        before = table.steps[index - 1].after if index else table.start
        move = some_move(before, samples, chance)
        moves = list(tokens)
        if what == "remove":
            moves = remove_token(tokens, index)
        elif move is not None:
            edit = replace_token if what == "change" else insert_token
            moves = edit(tokens, index, move.token)
        table.rewrite(revise(table.position, table.start, moves).tokens)
    return table


def test_the_stored_record_replays_to_the_shown_position(
    presentation: AnyPresentation, samples: Samples
) -> None:

    # the index of the number of players: the fewest or the most
    @given(st.integers(0, 2**32), st.integers(1, 40), st.sampled_from([0, -1]))
    @settings(max_examples=40)
    def check(seed: int, acts: int, players: int) -> None:
        chance = Random(seed)
        store = Store(":memory:")
        seats = presentation.seats(
            Texts("en"), sorted(presentation.game.player_counts)[players], None
        )
        table = Table.begin(
            store, SetupDraft(seats, tags=dict(samples.tags)).record_tags(presentation.game)
        )
        for _ in range(acts):
            table = act(table, store, samples, chance)
            stored = store.load(table.id)
            assert stored.tokens == table.tokens()
            _, start = begin_game(stored.tags)
            steps = steps_of(start, stored.tokens)
            assert table.position == (steps[-1].after if steps else start)
            over = table.position.result is not None
            assert over == (store.game_on_table() is None)
        store.close()

    check()


def test_undoing_everything_is_the_start_and_redoing_it_the_end(
    presentation: AnyPresentation, samples: Samples
) -> None:
    chance = Random(7)
    seats = presentation.seats(Texts("en"), min(presentation.game.player_counts), None)
    tags = SetupDraft(seats, tags=dict(samples.tags)).record_tags(presentation.game)
    table = Table.begin(Store(":memory:"), tags)
    for _ in range(60):
        move = some_move(table.position, samples, chance)
        if move is not None:
            table.play(move)
    end, count = table.position, len(table.steps)
    assert count > 10 or end.result is not None, "a random game stops before its 11th move"
    while table.undo():
        pass
    assert table.position == table.start
    while table.redo():
        pass
    assert (table.position, len(table.steps)) == (end, count)


def test_a_stored_game_can_be_replayed_from_its_start(game: str, samples: Samples) -> None:
    store = Store(":memory:")
    store_games(store, write(Record(samples.record_tags(game), samples.tokens[:1])))
    pilot = Pilot(store=store)
    pilot.choose("History", "Games")
    pilot.key("#")
    assert pilot.choose("Replay").board.picture is not None
    assert pilot.key("v").header.corner == "1/1"  # down: on to the first move
