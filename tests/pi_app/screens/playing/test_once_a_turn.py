"""A turn computes what it needs once: each token is judged once, the help level read once."""

from collections import Counter

import pytest

from engines.games import SHIPPED
from pi_app.store import Store
from pi_app.table.presentation import PRESENTATIONS
from tests.pi_app.pilot import Pilot
from tests.samples import samples_of


@pytest.mark.parametrize("game", SHIPPED)
def test_a_turn_judges_a_token_reads_the_store_and_computes_the_seats_once(
    game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    samples = samples_of(game)
    pilot = Pilot({"Game": game, "Players": samples.players, **samples.tags})
    calls: Counter[tuple[object, ...]] = Counter()

    def count(kind: type, name: str) -> None:
        original = getattr(kind, name)

        def counting(*args: object) -> object:
            calls[name, *args] += 1
            return original(*args)

        monkeypatch.setattr(kind, name, counting)

    count(type(pilot.table.position), "parse")
    count(type(PRESENTATIONS[game]), "current_seats")
    count(Store, "recall")
    pilot.key(samples.keys[0])
    assert pilot.tokens() == samples.tokens[:1]
    assert set(calls.values()) == {1}, calls
