"""No secret that a machine keeps is in a report, wherever it is kept and however it was logged.

Every secret is made by the code that makes it at a real table, and lies where that code puts it.
"""

import json
import os
import secrets
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import quote

import pytest
from click.testing import CliRunner

from club.evening.joining import open_joining
from club.evening.members import add_table, let_home_in
from club.hub.identity import ensure_identity
from club.store.database import ClubDatabase, sqlite_url
from club.web import organiser
from pi_app.commands import report
from pi_app.commands.cli import main
from pi_app.files.log import log_file
from pi_app.files.replace import PRIVATE, write_safely
from pi_app.network.names import join_code
from pi_app.phones.pairing import Pairing
from pi_app.settings.schema import LINK_PASSWORD
from pi_app.store.store import Store
from tests.pi_app.network.test_service import Table

NETWORK = """[connection]
id={name}
type=wifi

[wifi-security]
key-mgmt=wpa-psk
psk={password}
"""


@dataclass
class Machine:
    """A machine with everything on it that is to stay on it."""

    folder: Path
    known: dict[str, str] = field(default_factory=dict)
    """Passwords that the report can find out, by what they are: nowhere in it, however written."""
    logged: dict[str, str] = field(default_factory=dict)
    """What only has a typical place in a line, by what it is."""
    lines: list[str] = field(default_factory=list)
    """Lines of the log and of the journal."""

    @property
    def store(self) -> Path:
        return self.folder / "games.db"

    def keep(self) -> None:
        store = Store(self.store)
        store.begin({"Game": "numeri", "Players": "Anna yellow, Ben red"})
        store.close()
        self._link()
        self._wifi()
        self._phones()
        self._club()
        self._ssh()

    def _link(self) -> None:
        self.known["the club's password"] = secrets.token_urlsafe(24)
        club = self.known["the club's password"] + "\n"
        write_safely(self.store.with_name(LINK_PASSWORD), club.encode(), PRIVATE)
        self.known["the home's password"] = 'grün & "zwei" $;\\x, 12'
        write_safely(self.folder / "mqtt", self.known["the home's password"].encode(), PRIVATE)
        (self.folder / "settings.toml").write_text(
            "[link]\nenabled = true\nhost = 'hub.example'\nuser = 'table-01'\n"
            f"password_file = '{self.folder / 'mqtt'}'\n"
        )

    def _wifi(self) -> None:
        state = self.folder / "wifi"
        state.mkdir()
        table = Table(state)
        table.wish()
        own = table.service.own
        assert own.password in (state / "own.json").read_text(), "it is kept elsewhere now"
        self.known["the own Wi-Fi's password"] = own.password
        networks = self.folder / "networks"
        networks.mkdir()
        for name in ("Home", "Attic"):
            password = f"{name}; pass:{secrets.token_hex(3)}\\"
            self.known[f"the password of {name}"] = password
            text = NETWORK.format(name=name, password=password)
            (networks / f"{name}.nmconnection").write_text(text)
            self.lines.append(f"NetworkManager: Config: added 'psk' value '{password}'")
        self.lines.append(f"a code was shown: {join_code(own.name, own.password)}")
        # another machine's, which nobody here can know
        self.logged["a guest's Wi-Fi"] = "fremdgeheim"
        self.lines.append(f"a code was read: {join_code('Guest', 'fremdgeheim')}")

    def _phones(self) -> None:
        phones = Pairing(self.store.with_name(f"{self.store.name}.phones"), lambda: 0.0)
        code = phones.show_code()
        token = phones.pair(code, "Annas Telefon")
        assert isinstance(token, str)
        again = phones.show_code()
        self.logged |= {"a phone's token": token, "a code": code, "the next code": again}
        self.lines += [
            f'asked with {{"kind": "pair", "code": "{code}", "token": "{token}"}}',
            f"Cookie: phone={token}; GET /keys?token={token}",
            f"the code {again} was wrong, http://192.168.7.20:8080/pair#{code} was right",
        ]

    def _club(self) -> None:
        database = ClubDatabase(sqlite_url(self.folder))
        database.prepare()
        password = organiser.new_password()
        with database.write() as writing:
            ensure_identity(writing)
            organiser.set_password(writing, password)
            code = open_joining(writing, "tests")
            _, table = add_table(writing, "tests")
            home = let_home_in(writing, "tests")
            kept = {
                name: writing.get(name) for name in (organiser.PASSWORD, "hub_hash", "hub_password")
            }
        database.close()
        self.logged |= {
            "organiser": password,
            "join code": code,
            "table": table,
            "home": home,
            **kept,
        }
        self.lines += [
            f"password: {password}", f"joining with code={code}",
            f"users: table-01:{kept['hub_hash']}", f"put {kept[organiser.PASSWORD]} in its place",
            f"mqtt://table-01:{table}@hub.example:1883 and secret={home}",
            f"hub_password={kept['hub_password']}",
        ]  # fmt: skip

    def _ssh(self) -> None:
        key = self.folder / "id_ed25519"
        subprocess.run(
            ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-C", "oma@kueche", "-f", str(key)],
            check=True,
        ) if _has("ssh-keygen") else key.write_text(_made_key())
        body = [line for line in key.read_text().splitlines() if "-----" not in line]
        self.logged |= {f"line {n} of a private key": line for n, line in enumerate(body)}
        self.lines += key.read_text().splitlines()
        if (public := key.with_suffix(".pub")).exists():
            self.logged["a public key"] = public.read_text().split()[1]
            self.logged["whose it is"] = "oma@kueche"
            self.lines.append(f"authorized: {public.read_text().strip()}")

    def log(self) -> None:
        """Let log and journal have every secret that is known, in each way to write it."""
        for what, secret in self.known.items():
            self.lines += [
                f"{what} {secret}", f"{what}: {secret!r}.", json.dumps({"it": secret}),
                f"GET /join?p={quote(secret, safe='')}", f"x{secret}x",
                f"Failure({secret.encode('unicode_escape').decode()})",
            ]  # fmt: skip


def _has(program: str) -> bool:
    return any(
        os.access(Path(at) / program, os.X_OK) for at in os.environ["PATH"].split(os.pathsep)
    )


def _made_key() -> str:
    lines = "\n".join(secrets.token_hex(32) for _ in range(5))
    return f"-----BEGIN OPENSSH PRIVATE KEY-----\n{lines}\n-----END OPENSSH PRIVATE KEY-----\n"


@pytest.fixture(name="machine")
def _machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine(tmp_path)
    machine.keep()
    machine.log()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    monkeypatch.setenv("BEISITZER_CONFIG", str(tmp_path / "settings.toml"))
    monkeypatch.setattr(report, "WIFI_STATE", tmp_path / "wifi" / "own.json")
    monkeypatch.setattr(report, "NETWORKS", tmp_path / "networks")
    text = "\n".join(machine.lines) + "\n"
    log_file().parent.mkdir(parents=True, exist_ok=True)
    log_file().write_text(text)
    programs = tmp_path / "programs"
    programs.mkdir()
    journal = programs / "journalctl"
    journal.write_text(f"#!/bin/sh\ncat '{log_file()}'\n")
    journal.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}{os.environ['PATH']}")
    return machine


def test_no_secret_is_in_any_byte_of_a_report(machine: Machine, tmp_path: Path) -> None:
    before = {path for path in tmp_path.rglob("*") if path.is_file()}
    made = tmp_path / "report.txt"
    words = ["report", str(made), "--store", str(machine.store)]
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.output
    written = {path for path in tmp_path.rglob("*") if path.is_file()} - before
    assert made in written
    data = b"".join(path.read_bytes() for path in written) + result.output.encode()
    spelt = {
        what: {secret, json.dumps(secret)[1:-1], quote(secret, safe=""), repr(secret)[1:-1]}
        for what, secret in {**machine.known, **machine.logged}.items()
    }
    found = [what for what, ways in spelt.items() if any(way.encode() in data for way in ways)]
    assert found == []
    said = made.read_text("utf-8")
    assert said.count("SECRET") > 2 * len(machine.known), "what was logged is not in the report"
    assert said.count("the club's password SECRET") == 2, "the log, and the journal"


def test_there_is_something_to_be_found(machine: Machine) -> None:
    """Without these lines the test above would hold for any report."""
    text = log_file().read_text()
    assert [what for what, secret in machine.known.items() if secret not in text] == []
    assert [what for what, secret in machine.logged.items() if secret not in text] == []
