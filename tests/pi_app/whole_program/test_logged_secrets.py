"""What letting phones, tables and organisers in writes into the log: no password, token or code."""

import logging
from pathlib import Path

import pytest

from club.evening import members, passwords
from club.store.database import ClubDatabase, DatabaseError, sqlite_url
from pi_app.link.ends.credentials import ClubAccess
from pi_app.link.protocol import JoinHub
from pi_app.link.settings import ClubSettings
from pi_app.phones.pairing import Pairing, Refused
from tests.club.web.site import PASSWORD, ClubSite
from tests.pi_app.link import test_joining as at_table
from tests.pi_app.link.tables import Link, table
from tests.pi_app.network.test_service import HOME, WRONG
from tests.pi_app.network.test_service import Table as WifiTable
from tests.stand_ins.waiting import wait_for


@pytest.fixture(autouse=True)
def _everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)


def assert_unlogged(caplog: pytest.LogCaptureFixture, *secrets: str) -> None:
    logging.getLogger("tests").warning("this is kept")
    assert "this is kept" in caplog.text, "nothing is listened to"
    assert all(secrets)
    assert [secret for secret in secrets if secret in caplog.text] == []


def test_the_own_wifi_and_the_networks_joined(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wifi = WifiTable(tmp_path)
    wifi.bus.air.append(HOME)
    wifi.opens()
    first = wifi.service.own.password
    for password in (WRONG, "long enough"):
        wifi.ask("join", name="Home", password=password, kind="wpa-psk")
        wifi.steps(20)
    wifi.ask("password")
    wifi.ask("code")
    second = wifi.service.own.password
    assert first != second
    logging.getLogger("tests").warning("its state is %r", wifi.service.own)
    assert_unlogged(caplog, first, second, WRONG, "long enough")


def test_pairing_a_phone(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    phones = Pairing(tmp_path / "phones", lambda: now[0])
    code = phones.show_code()
    assert isinstance(phones.pair(f"{(int(code) + 1) % 10**6:06}", "A phone"), Refused)
    now[0] += 5  # after a wrong guess nobody is let in for a moment
    token = phones.pair(code, "A phone")
    assert isinstance(token, str)
    assert "A phone" in caplog.text
    assert_unlogged(caplog, code, token)


def test_a_table_that_joins_a_club(caplog: pytest.LogCaptureFixture) -> None:
    with table(new_game=True, link=ClubSettings()) as opened:
        at_table.begin(opened)
        wait_for(opened.path.exists)
        with Link(opened.path) as link:
            link.take()
            assert at_table.join(opened, link)["code"] == "123456"
        at_table.said(opened, "table-07-x3k9")
    access = ClubAccess(hub="h", table="table-07-x3k9", token="a-long-token")  # noqa: S106  # of tests
    asked = JoinHub(number=1, host="h", port=1, code="123456")
    logging.getLogger("tests").warning("it was let in: %r %r", access, asked)
    assert_unlogged(caplog, "a-long-token", "123456")


def test_the_organiser_and_tables_that_are_let_in(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with ClubSite(tmp_path) as site:
        assert site.ask("/api/login", {"password": "wrong-one-here", "device": "x"}).status != 200
        cookie = site.log_in()["Cookie"].partition("=")[2]
        code = site.act("code")["code"]
        table = site.stranger()
        assert table.join("000000" if code != "000000" else "1", "a-nonce-of-a-table")[0] == 403
        assert table.join(code, "a-nonce-of-a-table")[0] == 200
        added = site.act("add-table")["token"]
    secrets = (PASSWORD, "wrong-one-here", cookie, code, "a-nonce-of-a-table", added)
    assert_unlogged(caplog, *secrets, table.access["token"])


def test_an_error_of_the_club_s_database_tells_no_values(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    database = ClubDatabase(sqlite_url(tmp_path))
    database.prepare()
    with database.write() as writing:
        passwords.set_password(writing)
        kept = writing.get(passwords.PASSWORD)
        members.add(writing, "table-01", 1, token=kept)
    try:
        with database.write() as writing:
            members.add(writing, "table-01", 1, token=kept)
    except DatabaseError:
        logging.getLogger("tests").exception("twice")
    database.close()
    assert "IntegrityError" in caplog.text
    assert_unlogged(caplog, kept)
