"""A real Mosquitto with TLS, passwords and the manual's list of rights, in a folder of a test."""

import re
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.ports import free_port

ROOT = Path(__file__).parents[3]
PASSWORD = "correct horse"  # noqa: S105  # of tests
HUB, HOME = "club-hub", "home"
START_S = 20.0

needed = pytest.mark.skipif(
    shutil.which("mosquitto", path="/usr/sbin:/usr/bin:/usr/local/sbin") is None
    or shutil.which("openssl") is None,
    reason="mosquitto and openssl are not installed",
)


def program(name: str) -> str:
    """Return the path of one of Mosquitto's programs; Debian has the broker in /usr/sbin."""
    found = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/sbin")
    assert found is not None, name
    return found


def block(heading: str) -> str:
    """Return the block of docs/link.md below the sentence that ends with `heading`."""
    text = (ROOT / "docs/link.md").read_text("utf-8")
    found = re.search(rf"{re.escape(heading)}\n\n((?:    [^\n]*\n|\n)+)", text)
    assert found is not None, heading
    return "\n".join(line[4:] for line in found[1].rstrip().splitlines()) + "\n"


def openssl(*arguments: str, cwd: Path) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True, cwd=cwd)


def make_ca(folder: Path, name: str = "ca") -> None:
    """Make an authority: `ca.pem` and its key."""
    openssl(
        *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-keyout", f"{name}.key", "-out", f"{name}.pem", "-days", "3650"),
        *("-subj", f"/CN=club {name}", "-addext", "keyUsage=critical,keyCertSign,cRLSign"),
        cwd=folder,
    )


def make_certificate(
    folder: Path,
    name: str = "broker",
    *,
    host: str = "IP:127.0.0.1",
    ca: str = "ca",
    dates: tuple[str, str] | None = None,
) -> None:
    """Make a certificate for a host; `dates` as in `20200101000000Z`."""
    openssl(
        *("req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
        *("-keyout", f"{name}.key", "-out", f"{name}.csr", "-subj", f"/CN={name}"),
        cwd=folder,
    )
    extensions = folder / f"{name}.ext"
    extensions.write_text(f"subjectAltName={host}\nbasicConstraints=CA:FALSE\n")
    if dates is None:
        openssl(
            *("x509", "-req", "-in", f"{name}.csr", "-CA", f"{ca}.pem", "-CAkey", f"{ca}.key"),
            *("-CAcreateserial", "-out", f"{name}.pem", "-days", "365"),
            *("-extfile", extensions.name),
            cwd=folder,
        )
        return
    (folder / "index.txt").write_text("")
    (folder / "serial").write_text("01\n")
    (folder / "ca.cnf").write_text(
        "[ca]\ndefault_ca=own\n[own]\ndatabase=index.txt\nserial=serial\nnew_certs_dir=.\n"
        "default_md=sha256\npolicy=any\n[any]\ncommonName=supplied\n"
    )
    openssl(
        *("ca", "-batch", "-config", "ca.cnf", "-in", f"{name}.csr", "-out", f"{name}.pem"),
        *("-cert", f"{ca}.pem", "-keyfile", f"{ca}.key", "-notext", "-extfile", extensions.name),
        *("-startdate", dates[0], "-enddate", dates[1]),
        cwd=folder,
    )


class Mosquitto:
    """A broker with the manual's configuration; the password of every user is PASSWORD."""

    def __init__(self, folder: Path, tables: Iterable[str] = ()) -> None:
        self.folder = folder
        self.port = free_port()
        self.ca = folder / "ca.pem"
        self.password_file = folder / "password"
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        make_ca(folder)
        make_certificate(folder)
        self.password_file.write_text(PASSWORD + "\n")
        self.password_file.chmod(0o600)
        users = [HUB, HOME, *tables]
        (folder / "users").write_text("".join(f"{user}:{PASSWORD}\n" for user in users))
        (folder / "users").chmod(0o600)
        subprocess.run([program("mosquitto_passwd"), "-U", str(folder / "users")], check=True)
        (folder / "rights").write_text(block("This is `/etc/mosquitto/beisitzer.rights`:"))
        text = block("This is `/etc/mosquitto/conf.d/beisitzer.conf`:")
        for old, new in {
            "/etc/mosquitto/beisitzer.rights": folder / "rights",
            "/etc/mosquitto/beisitzer.users": folder / "users",
            "/etc/mosquitto/certs/ca.pem": self.ca,
            "/etc/mosquitto/certs/broker.pem": folder / "broker.pem",
            "/etc/mosquitto/certs/broker.key": folder / "broker.key",
            "listener 8883": f"listener {self.port}",
        }.items():
            assert old in text, old
            text = text.replace(old, str(new))
        self.plain_port = free_port()
        # a second door for what TLS would hide from a test that reads along, or is told of no CA
        self._config = (
            f"user root\n{text}\npersistence true\npersistence_location {folder}/\n"
            f"autosave_interval 1\nlog_dest file {folder}/log\n"
            f"listener {self.plain_port} 127.0.0.1\n"
        )
        (folder / "mosquitto.conf").write_text(self._config)

    def start(self) -> None:
        command = [program("mosquitto"), "-c", str(self.folder / "mosquitto.conf")]
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)
        end = time.monotonic() + START_S
        while time.monotonic() < end:
            assert self._process.poll() is None, (self.folder / "output").read_text()
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
            except OSError:
                time.sleep(0.02)  # there is nothing to wait for but the port
            else:
                return
        raise AssertionError("mosquitto does not start")

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._process.send_signal(number)
            self._process.wait(START_S)
            self._process = None

    def kill(self) -> None:
        self.stop(signal.SIGKILL)
