"""However much junk comes in: no key is lost, every frame arrives, and no connection is kept."""

import logging
import socket
import threading
from contextlib import closing, suppress
from random import Random

import pytest

from pi_app.phones.web import server
from tests.options import Options
from tests.pi_app.phones.web.junk import junk
from tests.pi_app.phones.web.site import WAIT_S, Site

pytestmark = pytest.mark.nightly

JUNK, SENDERS = 900, 3
STATUSES = {"", "100", "200", "304", "400", "401", "403", "404", "405", "408", "409", "413", "415"}


def send(site: Site, seed: int, requests: int, statuses: set[str]) -> None:
    """Send junk, each on a connection of its own from a neighbour's address."""
    random, source = Random(seed), (f"127.0.0.{2 + seed}", 0)
    for _ in range(requests):
        with (
            suppress(OSError),
            closing(socket.create_connection(("127.0.0.1", site.port), WAIT_S, source)) as end,
        ):
            end.settimeout(0.05 if random.random() < 0.05 else 2)
            end.sendall(junk(random))
            end.shutdown(socket.SHUT_WR)
            statuses.add(end.recv(16)[9:12].decode("latin-1"))


@pytest.mark.timeout(7200)
def test_junk_costs_no_key_no_frame_and_no_connection(
    site: Site,
    options: Options,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.ERROR)
    monkeypatch.setattr(server, "WAIT_S", 0.5)
    monkeypatch.setattr(server.Connection, "idle_s", 0.5)
    statuses: set[str] = set()
    share = JUNK * options.times // SENDERS
    senders = [
        threading.Thread(target=send, args=(site, seed, share, statuses), daemon=True)
        for seed in range(SENDERS)
    ]
    stream = site.live()
    stream.title("ready")
    for sender in senders:
        sender.start()
    keys: list[str] = []
    while len(keys) < 10 or any(sender.is_alive() for sender in senders):
        keys.append(str(len(keys)))
        assert site.key(len(keys), keys[-1]).status == 200
        stream.title(f"key {keys[-1]}")
    stream.close()
    assert site.companion.played == keys
    assert statuses <= STATUSES | {"429"}
    assert "200" in statuses, "some of the junk is nearly right"
    assert caplog.text == ""
    site.wait_for(lambda: not site.server.server_state.connections)
