"""What strangers leave open is ended; whoever asks properly is served meanwhile."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from pi_app.phones.web import api, server
from pi_app.phones.web.app import STREAMS_OF_ONE
from pi_app.phones.web.server import CONNECTION_LIMIT, CONNECTION_LIMIT_PER_ADDRESS, Connection
from pi_app.phones.web.sockets import opened
from pi_app.wire.client import PENDING_REQUESTS
from tests.pi_app.phones.web.site import WAIT_S, Site, Stream
from tests.ran import ran

HALF = b"POST /api/key HTTP/1.1\r\nHost: localhost\r\n"
BODY = (
    HALF
    + b"Origin: http://localhost\r\nContent-Type: application/json\r\nContent-Length: 40\r\n\r\n{"
)


LIVE = b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n"
STRANGERS = tuple(f"127.0.0.{n}" for n in (2, 3, 4))


def connect(site: Site, address: str = "127.0.0.1") -> socket.socket:
    """Connect from an address; all of 127.0.0.0/8 are this machine's."""
    there = ("127.0.0.1", site.port)
    return socket.create_connection(there, WAIT_S, source_address=(address, 0))


def connections(site: Site) -> int:
    return site.call(lambda: len(site.server.server_state.connections))


def rest(end: socket.socket) -> bytes:
    """Return what still comes until the server ends a connection."""
    found = b""
    try:
        while data := end.recv(65536):
            found += data
    except ConnectionResetError:
        pass
    return found


@pytest.mark.parametrize("begun", [b"", b"GET", HALF, HALF + b"X: " + b"y" * 9000], ids=len)
def test_half_a_request_is_not_waited_for_for_ever(
    site: Site, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "WAIT_S", 0.2)
    monkeypatch.setattr(Connection, "idle_s", 0.2)
    with closing(connect(site)) as end:
        end.sendall(begun)
        assert rest(end) == b""
    assert site.ask("GET", "/").status == 200


def test_a_body_that_trickles_in_is_not_waited_for_for_ever(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "BODY_S", 0.2)
    with closing(connect(site)) as end:
        end.sendall(BODY)
        assert end.recv(20).startswith(b"HTTP/1.1 408")


def send_all(end: socket.socket, parts: int) -> None:
    """Send ten megabytes after ten megabytes: a fast machine takes a gigabyte in a second."""
    for _ in range(parts):
        end.sendall(b"x" * 10_000_000)


def test_a_body_without_an_end_is_cut_off(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """What comes after a refusal is thrown away, and not for long."""
    monkeypatch.setattr(server, "WAIT_S", 0.2)
    monkeypatch.setattr(Connection, "idle_s", 0.2)
    with closing(connect(site)) as end:
        end.sendall(HALF + b"Content-Length: 999999999999\r\n\r\n")
        assert end.recv(20).startswith(b"HTTP/1.1 403")  # no Origin
        with pytest.raises((ConnectionResetError, BrokenPipeError)):
            send_all(end, 99_999)


def test_nonsense_in_the_midst_of_a_request_ends_the_connection_without_a_fault(
    site: Site, caplog: pytest.LogCaptureFixture
) -> None:
    with closing(connect(site)) as end:
        end.sendall(HALF + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n")
        assert rest(end) == b""
    with closing(connect(site)) as end:
        end.sendall(b"no request\r\n\r\n")
        assert rest(end).startswith(b"HTTP/1.1 400 ")
    assert site.ask("GET", "/").status == 200
    assert [record for record in caplog.records if record.levelname == "ERROR"] == []


def test_beside_a_browser_that_takes_nothing_others_see_every_frame(site: Site) -> None:
    stream = site.live()
    stream.title("ready")
    with closing(connect(site)) as stalled:
        stalled.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        stalled.sendall(LIVE)
        for number in range(200):
            site.call(lambda n=number: site.companion.show(f"frame {n}", lines=["x" * 20_000]))  # type: ignore[misc]
            stream.title(f"frame {number}")
    assert site.ask("GET", "/").status == 200


def test_a_slow_browser_gets_the_newest_frame_not_all_of_them(site: Site) -> None:
    slow = site.live()
    slow.title("ready")
    site.call(lambda: [site.companion.show(f"frame {n}") for n in range(500)])
    seen = []
    for name, facts in slow:
        if name == "frame":
            seen.append(facts["frame"]["title"])
        if seen[-1:] == ["frame 499"]:
            break
    assert len(seen) < 100


def test_where_there_are_too_many_the_oldest_that_asks_for_nothing_goes(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "most_of_one", 10)
    stream = site.live()
    stream.title("ready")
    with ExitStack() as stack:
        crowd = [stack.enter_context(closing(connect(site))) for _ in range(30)]
        for n in range(1, 6):
            assert site.key(n).status == 200
            stream.title("key 5")
        assert connections(site) <= 10
        assert rest(crowd[0]) == b""


def test_the_address_with_most_connections_loses_one_where_all_are_too_many(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "most", 8)
    with ExitStack() as stack:
        for _ in range(20):
            other = ("127.0.0.2", 0)
            end = socket.create_connection(("127.0.0.1", site.port), WAIT_S, source_address=other)
            stack.enter_context(closing(end))
        mine = stack.enter_context(closing(connect(site)))
        assert site.ask("GET", "/").status == 200
        assert connections(site) <= 8
        mine.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert mine.recv(20).startswith(b"HTTP/1.1 200")


def under_way(site: Site) -> int:
    """Return how many connections have a request under way."""
    there = site.server.server_state.connections
    return sum(isinstance(each, Connection) and each.is_answering for each in there)


def is_followed(site: Site) -> bool:
    """Tell whether the companion was found."""
    return site.relay.language is not None


def test_three_addresses_that_fill_all_places_with_unfinished_bodies_lock_no_phone_out(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "BODY_S", WAIT_S)
    with ExitStack() as stack:
        for address in STRANGERS:
            for _ in range(CONNECTION_LIMIT_PER_ADDRESS):
                stack.enter_context(closing(connect(site, address))).sendall(BODY)
        site.wait_for(lambda: under_way(site) == CONNECTION_LIMIT and is_followed(site))
        for n in range(1, 6):
            assert site.key(n).status == 200


def test_a_phone_gets_in_even_where_all_places_have_whole_requests(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Connection, "most", 2 * STREAMS_OF_ONE)
    with ExitStack() as stack:
        for address in STRANGERS[:2]:
            for _ in range(STREAMS_OF_ONE):
                end = stack.enter_context(closing(connect(site, address)))
                end.sendall(LIVE)
                assert end.recv(20).startswith(b"HTTP/1.1 200")
        site.wait_for(lambda: is_followed(site))
        for n in range(1, 6):
            assert site.key(n).status == 200


def test_an_unfinished_request_or_one_more_connection_gives_way_before_whole_ones(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(api, "BODY_S", WAIT_S)
    monkeypatch.setattr(Connection, "most_of_one", 3)
    streams = [site.live(), site.live()]
    for stream in streams:
        stream.title("ready")
    with closing(connect(site)) as unfinished:
        unfinished.sendall(BODY)
        site.wait_for(lambda: under_way(site) == 3)
        assert site.key(1).status == 200
        assert rest(unfinished) == b""
    monkeypatch.setattr(Connection, "most_of_one", 2)
    with closing(connect(site)) as more:
        assert rest(more) == b""
    assert under_way(site) == 2
    for stream in streams:
        stream.title("key 5")


def test_one_address_has_so_many_streams_and_gets_a_place_back(site: Site) -> None:
    streams = [site.live() for _ in range(STREAMS_OF_ONE)]
    for stream in streams:
        stream.title("ready")
    assert site.live().status == 429
    streams[0].close()
    while site.live().status != 200:
        pass


def test_all_windows_of_a_paired_browser_hear_at_once_that_they_are_paired(site: Site) -> None:
    streams = [site.live() for _ in range(STREAMS_OF_ONE)]
    for stream in streams:
        stream.title("ready")
    site.do(site.companion.stop)
    for stream in streams:
        stream.until("away")
    site.do(site.companion.start)
    assert [stream.until("hello")["paired"] for stream in streams] == [True] * STREAMS_OF_ONE


def test_one_address_cannot_take_all_places_at_the_companion() -> None:
    """A connection has one request at a time."""
    assert CONNECTION_LIMIT_PER_ADDRESS < PENDING_REQUESTS


# --- the process

IDLE = """
import sys
from pathlib import Path
from pi_app.phones.web.app import application
from pi_app.phones.web.relay import Relay
from pi_app.phones.web.server import WebServer
from pi_app.phones.web.sockets import handed_over
relay = Relay(Path(sys.argv[1]))
WebServer(application(relay), relay.close, 0.5).run(handed_over())
"""


HAND_OVER = """
import os, sys
os.dup2(int(sys.argv[1]), 3)
os.environ.update(LISTEN_PID=str(os.getpid()), LISTEN_FDS="1")
os.execv(sys.argv[2], sys.argv[2:])
"""


@pytest.fixture(name="listening")
def _listening() -> Iterator[socket.socket]:
    with opened(0) as listening:
        yield listening


def process(listening: socket.socket, *arguments: str) -> "subprocess.Popen[bytes]":
    """Start a Python program as systemd does: its socket is the fourth file."""
    command = [sys.executable, "-c", HAND_OVER, str(listening.fileno()), sys.executable]
    return subprocess.Popen([*command, *arguments], pass_fds=[listening.fileno()])


def port_of(listening: socket.socket) -> int:
    return int(listening.getsockname()[1])


def get(port: int, path: bytes = b"/play") -> bytes:
    with closing(socket.create_connection(("127.0.0.1", port), WAIT_S)) as end:
        end.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        return rest(end)


def test_the_command_serves_what_systemd_hands_over_and_ends_when_told(
    listening: socket.socket, place: Path
) -> None:
    """A connection that came before the process is served by it."""
    with process(listening, "-m", "pi_app", "web", "--socket", str(place / "none.sock")) as running:
        assert get(port_of(listening)).startswith(b"HTTP/1.1 200 ")
        stream = Stream(port_of(listening))
        assert next(iter(stream))[0] == "away"
        running.send_signal(signal.SIGTERM)
        assert running.wait(WAIT_S) in (0, -signal.SIGTERM)
        stream.close()


def test_a_process_that_nobody_uses_ends_and_the_next_one_goes_on(
    listening: socket.socket, place: Path
) -> None:
    for _ in range(2):
        with process(listening, "-c", IDLE, str(place / "none.sock")) as running:
            assert get(port_of(listening)).startswith(b"HTTP/1.1 200 ")
            assert running.wait(WAIT_S) == 0


def test_a_process_with_a_page_open_goes_on(listening: socket.socket, place: Path) -> None:
    with process(listening, "-c", IDLE, str(place / "none.sock")) as running:
        stream = Stream(port_of(listening))
        assert stream.until("away") == {"why": ""}
        with pytest.raises(subprocess.TimeoutExpired):
            running.wait(2)
        stream.close()
        assert running.wait(WAIT_S) == 0


def test_only_what_was_meant_for_this_process_is_taken_over() -> None:
    from pi_app.phones.web.sockets import handed_over

    assert handed_over({}) == []
    assert handed_over({"LISTEN_PID": "1", "LISTEN_FDS": "1"}) == []
    assert handed_over({"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "x"}) == []


def test_a_taken_port_is_one_sentence(listening: socket.socket) -> None:
    port = str(port_of(listening))
    done = ran([sys.executable, "-m", "pi_app", "web", "--port", port], timeout=WAIT_S)
    assert done.returncode == 2
    assert done.stderr.startswith(f"beisitzer: port {port} cannot be used (")
    assert done.stderr.count("\n") == 1
