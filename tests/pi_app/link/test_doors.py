"""What keeps the link from the broker is told by its name; no password goes where it must not."""

import socket
import ssl
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from pi_app.link.mqtt.process import address_of
from pi_app.link.mqtt.security import is_loopback, tls_context
from pi_app.link.mqtt.trouble import ConnectError, LinkFault
from pi_app.settings.schema import LinkSettings
from tests.pi_app.link.mosquitto import Mosquitto, make_certificate, needed
from tests.ports import free_port
from tests.stand_ins.table import RunningLink, TableInMemory, settings
from tests.stand_ins.waiting import wait_for

pytestmark = needed


def trouble(given: LinkSettings) -> LinkFault:
    """Return what the link first says is wrong."""
    with RunningLink(TableInMemory(), given) as link:
        wait_for(lambda: link.troubles)
    assert link.connected == 0
    return link.troubles[0].fault


class Door:
    """Somebody else in the broker's place: answers the first packet with some bytes, or never."""

    def __init__(self, answer: bytes | None) -> None:
        self._answer = answer
        self.heard = b""
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        try:
            while True:
                link, _ = self._listening.accept()
                self.heard += link.recv(4096)
                if self._answer is not None:
                    link.sendall(self._answer)
                    link.close()
        except OSError:
            return


@pytest.fixture
def door(request: pytest.FixtureRequest) -> Iterator[Door]:
    door = Door(request.param)
    yield door
    door.close()


CONNACK_OF_3_1_1 = b"\x20\x02\x00\x01"
CONNACK_BUSY = b"\x20\x03\x00\x97\x00"


@pytest.mark.parametrize(
    ("door", "fault"),
    [
        (CONNACK_OF_3_1_1, LinkFault.VERSION),
        (b"", LinkFault.VERSION),
        (CONNACK_BUSY, LinkFault.REFUSED),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", LinkFault.VERSION),
    ],
    indirect=["door"],
    ids=["older", "closes", "busy", "web server"],
)
def test_a_broker_without_mqtt_5_is_named(door: Door, fault: LinkFault) -> None:
    given = LinkSettings(host="127.0.0.1", port=door.port, user="table-01", insecure=True)
    assert trouble(given) is fault


def test_a_broker_that_says_nothing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.link.mqtt.broker.WELCOME_S", 0.1)
    door = Door(None)
    given = LinkSettings(host="127.0.0.1", port=door.port, user="table-01", insecure=True)
    assert trouble(given) is LinkFault.SILENT
    door.close()


def test_nothing_listens_and_nobody_knows_the_name() -> None:
    given = LinkSettings(host="127.0.0.1", port=free_port(), user="table-01", insecure=True)
    assert trouble(given) is LinkFault.PORT


def test_a_name_that_is_none_is_told_of(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("secret\n")
    given = LinkSettings(
        host="broker.invalid", user="table-01", password_file=str(tmp_path / "password")
    )
    assert trouble(given) in (LinkFault.NAME, LinkFault.AWAY)


def test_a_wrong_password_is_named(shared_broker: Mosquitto, tmp_path: Path) -> None:
    (tmp_path / "password").write_text("wrong\n")
    given = settings(shared_broker, "table-01", password_file=str(tmp_path / "password"))
    assert trouble(given) is LinkFault.LOGIN


def test_the_systems_authorities_do_not_vouch_for_a_clubs_broker(
    shared_broker: Mosquitto, tmp_path: Path
) -> None:
    make_certificate_of_another_club = tmp_path / "other"
    make_certificate_of_another_club.mkdir()
    from tests.pi_app.link.mosquitto import make_ca

    make_ca(make_certificate_of_another_club)
    other = make_certificate_of_another_club / "ca.pem"
    assert trouble(settings(shared_broker, "table-01", ca=str(other))) is LinkFault.CERTIFICATE


def test_a_certificate_for_another_host_is_refused(broker: Mosquitto) -> None:
    broker.stop()
    make_certificate(broker.folder, host="DNS:other.example")
    broker.start()
    assert trouble(settings(broker, "table-01")) is LinkFault.CERTIFICATE


def test_only_while_the_clock_is_unsure_dates_are_not_checked(
    broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    broker.stop()
    make_certificate(broker.folder, dates=("20200101000000Z", "20210101000000Z"))
    broker.start()
    given = settings(broker, "table-01")
    assert trouble(given) is LinkFault.DATES
    monkeypatch.setattr("pi_app.link.mqtt.process.clock_is_sure", lambda _now: False)
    with RunningLink(TableInMemory(), given) as link:
        wait_for(lambda: link.connected == 1)
    broker.stop()
    make_certificate(broker.folder, host="DNS:other.example")
    broker.start()
    assert trouble(given) is LinkFault.CERTIFICATE


def test_tls_is_1_2_or_newer_and_the_name_is_checked() -> None:
    context = tls_context(None, sure=True)
    assert context.minimum_version is ssl.TLSVersion.TLSv1_2
    assert context.verify_mode is ssl.CERT_REQUIRED
    assert context.check_hostname


@pytest.mark.parametrize("door", [b"\x15\x03\x01\x00\x02\x02\x28"], indirect=True)
def test_no_password_goes_without_tls_unless_it_is_written_so(door: Door, tmp_path: Path) -> None:
    """The name is the loopback's, and a CA is named: then TLS is meant."""
    from tests.pi_app.link.mosquitto import make_ca

    make_ca(tmp_path)
    (tmp_path / "password").write_text("top-secret\n")
    given = LinkSettings(
        host="127.0.0.1",
        port=door.port,
        user="table-01",
        password_file=str(tmp_path / "password"),
        ca=str(tmp_path / "ca.pem"),
    )
    assert trouble(given) is LinkFault.TLS
    assert b"top-secret" not in door.heard


def test_elsewhere_tls_is_needed_and_here_it_is_not(shared_broker: Mosquitto) -> None:
    away = LinkSettings(
        host="192.0.2.7", user="table-01", password_file=str(shared_broker.password_file)
    )
    address = address_of(away, {})
    assert address.tls is not None
    assert not address.fall_back
    here = settings(shared_broker, "table-04", port=shared_broker.plain_port, ca="")
    assert address_of(here, {}).fall_back
    with RunningLink(TableInMemory(), here) as link:
        wait_for(lambda: link.connected == 1)


@pytest.mark.parametrize(
    ("host", "here"),
    [
        ("127.0.0.1", True),
        ("127.9.9.9", True),
        ("::1", True),
        ("localhost", True),
        ("localhost.example", False),
        ("192.168.1.2", False),
        ("127.0.0.1.example", False),
    ],
)
def test_the_loopback_is_known_by_its_address(host: str, here: bool) -> None:
    assert is_loopback(host) is here


@pytest.mark.parametrize(
    ("facts", "fault"),
    [
        ({"user": ""}, LinkFault.SETTINGS),
        ({"user": "Table 7"}, LinkFault.SETTINGS),
        ({"password_file": "/nowhere/at/all"}, LinkFault.PASSWORD),
        ({"password_file": "/dev/null"}, LinkFault.PASSWORD),
        ({"ca": "/etc/passwd"}, LinkFault.CA),
        ({"ca": "/nowhere/at/all"}, LinkFault.CA),
        ({"host": "192.0.2.7"}, LinkFault.PASSWORD),
    ],
)
def test_settings_that_cannot_work_are_told_before_anything_is_sent(
    facts: dict[str, str], fault: LinkFault
) -> None:
    with pytest.raises(ConnectError) as error:
        address_of(LinkSettings(**({"user": "table-01"} | facts)), {})  # type: ignore[arg-type]
    assert error.value.trouble.fault is fault


def test_the_copy_of_a_password_comes_first_and_an_empty_one_stands_for_none(
    tmp_path: Path,
) -> None:
    (own := tmp_path / "own").write_text("own\n")
    given = LinkSettings(user="table-01", password_file=str(own))
    for copied, found in (("copied\n", "copied"), ("", "own")):
        (tmp_path / "password").write_text(copied)
        assert address_of(given, {"STATE_DIRECTORY": str(tmp_path)}).password == found
    assert [address_of(given, {}).password] == ["own"]
