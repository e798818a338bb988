"""Who may ask: names and origins, networks, rates; and what every answer says of itself."""

from pathlib import Path

import pytest

from pi_app.phones.protocol import REQUESTS
from pi_app.phones.web.guard import (
    PROBED,
    Guard,
    is_near,
    own_names,
    plain_address,
)
from pi_app.phones.web.rates import ADDRESS_LIMIT, Buckets, Quota, Rate
from pi_app.system.host import OWN_WIFI
from tests.pi_app.phones.web.site import Site

ROOT = Path(__file__).parents[4]


def test_every_answer_says_how_it_is_to_be_treated(site: Site) -> None:
    for path in ["/", "/static/app.js", "/api/seats", "/none"]:
        for reply in (site.ask("GET", path), site.ask("GET", path, host="evil.example")):
            headers = reply.headers
            policy = headers["Content-Security-Policy"]
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert headers["X-Content-Type-Options"] == "nosniff"
            assert headers["Referrer-Policy"] == "same-origin"
            assert "Server" not in headers
            assert "Access-Control-Allow-Origin" not in headers


OWN = (
    "localhost", "LOCALHOST:8080", "localhost.", "127.0.0.1:1", "192.168.178.20", "10.1.2.3:8080",
    "[::1]:8080", "[fe80::1]", "[fd00::5]:80", "beisitzer.local", "beisitzer",
    "Beisitzer.Local:80",
)  # fmt: skip


def test_the_machines_own_names_and_addresses_may_be_asked_for(site: Site) -> None:
    for host in OWN:
        assert site.ask("GET", "/", host=host).status == 200


OTHERS = (
    "evil.example", "evil.example:8080", "localhost.evil.example", "beisitzer.local.evil.example",
    "8.8.8.8", "[2001:4860::8888]", "1.2.3.4:8080", "user@localhost", "localhost:x",
    "[localhost]", "local host", "localhost,evil.example", "127.1", "2130706433", "[::1", "\x7f",
)  # fmt: skip


def test_a_name_that_somebody_else_lets_point_here_is_refused(site: Site) -> None:
    for host in OTHERS:
        for path in ("/", "/live", "/api/seats"):
            assert site.ask("GET", path, host=host).error == "403 host"
        assert site.key(1, host=host).status == 403
        assert site.companion.played == []


def test_the_host_name_of_the_machine_is_one_of_its_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "Wohnzimmer.fritz.box")
    assert {"wohnzimmer", "wohnzimmer.local", "localhost", "beisitzer.local"} <= own_names()
    monkeypatch.setattr("socket.gethostname", lambda: "")
    assert own_names() == {"localhost", "beisitzer", "beisitzer.local"}


FOREIGN = (
    {"Origin": ""}, {"Origin": "null"}, {"Origin": "http://evil.example"},
    {"Origin": "https://{host}"}, {"Origin": "http://127.0.0.1"}, {"Origin": "http://{host}/"},
    {"Sec_Fetch_Site": "cross-site"}, {"Sec_Fetch_Site": "same-site"}, {"Sec_Fetch_Site": "none"},
)  # fmt: skip


def test_only_our_own_pages_may_change_anything(site: Site) -> None:
    for headers in FOREIGN:
        sent = {
            name: value.format(host=f"127.0.0.1:{site.port}") for name, value in headers.items()
        }
        assert site.key(1, **sent).error == "403 origin"
        assert site.pair(**sent).error == "403 origin"
        assert site.companion.played == []
        assert [asked["kind"] for asked in site.companion.heard] == []


def test_another_sites_page_may_link_here_and_learns_nothing(site: Site) -> None:
    cross = {"Sec_Fetch_Site": "cross-site"}
    assert site.ask("GET", "/", **cross).status == 200
    for path in ("/live", "/api/seats"):
        assert site.ask("GET", path, **cross).error == "403 origin"


def test_nothing_is_changed_by_anything_but_post(site: Site) -> None:
    site.live().until("hello")
    heard, words = len(site.companion.heard), "epoch=e1&n=1&key=5&code=123456&seat=0&cards=5&move=5"
    for verb in REQUESTS:
        for method in ("GET", "HEAD", "PUT", "DELETE", "PATCH", "OPTIONS"):
            reply = site.ask(method, f"/api/{verb}?{words}")
            assert reply.status in (403, 404, 405), (method, verb)
    assert site.companion.heard[heard:] == []


@pytest.mark.parametrize(
    ("client", "server", "near"),
    [
        ("127.0.0.1", "127.0.0.1", True),
        ("192.168.1.7", "192.168.1.2", True),
        ("::ffff:192.168.1.7", "::ffff:192.168.1.2", True),
        ("10.0.0.9", "192.168.1.2", True),
        ("fe80::1%eth0", "fe80::2%eth0", True),
        ("fd00::9", "fd00::1", True),
        ("2003:ab:cd:1::7", "2003:ab:cd:1::2", True),
        ("2003:ab:cd:2::7", "2003:ab:cd:1::2", False),
        ("141.20.5.9", "141.20.5.1", True),
        ("141.20.6.9", "141.20.5.1", False),
        ("8.8.8.8", "192.168.1.2", False),
        ("::ffff:8.8.8.8", "::ffff:192.168.1.2", False),
        ("2003:ab:cd:1::7", "192.168.1.2", False),
        ("nobody", "192.168.1.2", False),
        ("", "", False),
    ],
)
def test_looking_needs_the_same_network(client: str, server: str, near: bool) -> None:
    assert is_near(plain_address(client), plain_address(server)) is near


@pytest.mark.parametrize("client", [("8.8.8.8", 4242), None])
def test_a_stranger_from_the_wide_world_is_refused(
    site: Site, client: tuple[str, int] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = Guard.__call__

    async def from_afar(self: Guard, scope: dict[str, object], *rest: object) -> None:
        await plain(self, {**scope, "client": client}, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(Guard, "__call__", from_afar)
    assert site.ask("GET", "/").error == "403 network"


def test_a_bucket_is_empty_after_a_burst_and_fills_with_time() -> None:
    now = [0.0]
    buckets = Buckets(Rate(2, 3), lambda: now[0])
    assert [buckets.take("a") for _ in range(5)] == [True, True, True, False, False]
    assert buckets.take("b")
    now[0] = 0.5
    assert [buckets.take("a") for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [buckets.take("a") for _ in range(4)] == [True, True, True, False]


def test_a_flood_of_addresses_is_not_remembered_for_ever() -> None:
    buckets = Buckets(Rate(0, 1))
    assert all(buckets.take(str(each)) for each in range(10 * ADDRESS_LIMIT))
    assert len(buckets._left) == ADDRESS_LIMIT
    assert not buckets.take(str(10 * ADDRESS_LIMIT - 1))


def test_places_are_taken_given_back_and_taken_again() -> None:
    quota = Quota(each=2, everybody=3)
    assert [quota.take(name) for name in "aaabb"] == [True, True, False, True, False]
    quota.give_back("a")
    assert [quota.take(name) for name in "bc"] == [True, False]


def test_who_asks_too_much_waits_and_nobody_else_does(place: Path) -> None:
    site = Site(place, Rate(0.001, 4))
    site.start()
    try:
        statuses = [site.ask("GET", "/").status for _ in range(6)]
        refused = site.ask("GET", "/")
    finally:
        site.stop()
    assert statuses == [200] * 4 + [429] * 2
    assert refused.error == "429 rate"


@pytest.mark.parametrize("host", sorted(PROBED))
def test_in_the_own_wifi_a_phone_that_asks_for_the_internet_is_led_to_the_page(
    site: Site, monkeypatch: pytest.MonkeyPatch, host: str
) -> None:
    """The page opens by itself; nothing says that the internet is there."""
    monkeypatch.setattr("pi_app.phones.web.guard.OWN_WIFI", "127.0.0.1")
    for path in ("/generate_204", "/hotspot-detect.html", "/connecttest.txt", "/"):
        reply = site.ask("GET", path, host=host, cookie=None)
        assert (reply.status, reply.headers["Location"]) == (302, f"http://127.0.0.1:{site.port}/")
        assert reply.headers["Cache-Control"] == "no-store"
        assert not reply.data
    assert site.ask("POST", "/", {}, host=host).status == 403
    assert site.ask("GET", "/", host=f"x.{host}").status == 403


def test_in_any_other_network_nobody_elses_name_is_answered(site: Site) -> None:
    for host in PROBED:
        assert site.ask("GET", "/generate_204", host=host).error == "403 host"


def test_the_names_that_lead_here_are_those_that_are_answered() -> None:
    lines = (
        (ROOT / "systemd/machine/etc/NetworkManager/dnsmasq-shared.d/beisitzer.conf")
        .read_text()
        .splitlines()
    )
    found = {tuple(line.split("/")[1:]) for line in lines if line.startswith("address=")}
    own = {(name, OWN_WIFI) for name in ("beisitzer", "beisitzer.local")}
    assert found == own | {(name, OWN_WIFI) for name in PROBED}
    # other kinds of addresses of these names are none of anybody else's either
    assert {line for line in lines if line.startswith("local=")} == {
        f"local=/{name}/" for name, _ in found
    }
