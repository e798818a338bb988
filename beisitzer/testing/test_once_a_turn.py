"""A turn computes what it needs once: each token is judged once, the help level read once."""

from collections import Counter

import pytest

from beisitzer.testing.pilot import Pilot
from beisitzer.testing.samples import Samples
from engines.game import AnyPosition, Move, Refusal
from pi_app.store.store import Store
from pi_app.table.presentation import AnyPresentation
from pi_app.texts.language import Texts
from pi_app.view.frame import Seat


def test_a_token_is_judged_once_in_a_position(
    pilot: Pilot, samples: Samples, monkeypatch: pytest.MonkeyPatch
) -> None:
    kind = type(pilot.table.position)
    read = kind.parse
    calls: Counter[tuple[AnyPosition, str]] = Counter()

    def counting(position: AnyPosition, token: str) -> Move | Refusal:
        calls[position, token] += 1
        move: Move | Refusal = read(position, token)
        return move

    monkeypatch.setattr(kind, "parse", counting)
    pilot.key(samples.keys[0])
    assert pilot.tokens() == samples.tokens[:1]
    assert set(calls.values()) <= {1}, calls


def test_the_store_is_not_asked_at_each_key(pilot: Pilot, monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[str] = []
    recall = Store.recall

    def counting(store: Store, key: str) -> str | None:
        keys.append(key)
        return recall(store, key)

    monkeypatch.setattr(Store, "recall", counting)
    pilot.key("1 2 < <")
    assert len(keys) <= 1


@pytest.mark.game_with("score")
def test_the_header_shows_the_settled_points_beginning_with_the_player_to_move(
    pilot: Pilot, samples: Samples, presentation: AnyPresentation
) -> None:
    settle = presentation.game.score
    assert settle is not None
    assert set(pilot.frame.header.score.split(":")) == {"0"}
    pilot.key(samples.keys[0])
    table = pilot.table
    points = settle(table.position).facts["points"]
    seat = table.position.seat
    # the score begins with the player to move
    order = [*table.position.players[seat:], *table.position.players[:seat]]
    assert pilot.frame.header.score == ":".join(str(points[player.name]) for player in order)


def test_the_seats_of_a_turn_are_computed_once_a_position(
    pilot: Pilot, samples: Samples, presentation: AnyPresentation, monkeypatch: pytest.MonkeyPatch
) -> None:
    sitting = type(presentation).current_seats
    positions: list[AnyPosition] = []

    def counting(self: AnyPresentation, tx: Texts, position: AnyPosition) -> tuple[Seat, ...]:
        positions.append(position)
        return sitting(self, tx, position)

    monkeypatch.setattr(type(presentation), "current_seats", counting)
    pilot.key(f"1 2 < < {samples.keys[0]} 1 2 < <")
    assert len(positions) == len({id(position) for position in positions})
