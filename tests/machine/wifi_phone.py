"""In the emulated machine: a phone with a radio of its own, which knows the table by its code.

`join CODE` joins a network by the text of a QR code and asks for an address; `leave` leaves it;
`probe HOST` asks what phones ask; `play DIGITS KEYS` pairs by the page's requests and keys.
"""

import http.client
import http.cookies
import json
import re
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

RADIO, FOLDER = "wlan1", Path("/run/phone")
LEASE = """\
#!/bin/sh
case $1 in bound)
ip addr flush dev $interface; ip addr add $ip/24 dev $interface
echo "$router" > /run/phone/router; echo "nameserver $dns" > /run/phone/resolv
esac
"""


def say(*words: object) -> None:
    """Tell the test."""
    sys.stdout.write(" ".join(map(str, words)) + "\n")


def run(*words: object) -> str:
    """Run a program that has to go well, and return what it says."""
    # the test's own helpers are not in the machine
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=True)
    return done.stdout


def fields(code: str) -> dict[str, str]:
    """Read the text of a QR code as phones do."""
    found = re.findall(r"([TSP]):((?:\\.|[^;\\])*);", code.removeprefix("WIFI:"))
    return {
        name: re.sub(r"\\(.)", r"\1", re.sub(r'^"(.*)"$', r"\1", value)) for name, value in found
    }


def leave() -> None:
    """Leave the network."""
    subprocess.run(["pkill", "-F", FOLDER / "pid"], check=False, capture_output=True)
    run("ip", "addr", "flush", "dev", RADIO)


def join(code: str) -> None:
    """Join a network and get an address in it; print how long that took, in seconds."""
    FOLDER.mkdir(exist_ok=True)
    leave()
    told, begun = fields(code), time.monotonic()
    (FOLDER / "conf").write_text(
        f'ctrl_interface={FOLDER}/ctrl\nsae_pwe=2\nnetwork={{\nssid="{told["S"]}"\n'
        f'psk="{told["P"]}"\nkey_mgmt=WPA-PSK SAE\nieee80211w=1\n}}\n'
    )
    lease = FOLDER / "lease"
    lease.write_text(LEASE)
    lease.chmod(0o755)
    run("wpa_supplicant", "-B", "-P", FOLDER / "pid", "-i", RADIO, "-c", FOLDER / "conf")
    while "wpa_state=COMPLETED" not in state():
        if time.monotonic() - begun > 120:
            sys.exit(f"{told['S']} was never joined: {state()}")
        time.sleep(0.2)
    run("busybox", "udhcpc", "-i", RADIO, "-n", "-q", "-t", "20", "-T", "2", "-s", lease)
    suite = re.search(r"key_mgmt=(\S+)", state())
    say(f"{time.monotonic() - begun:.1f} {suite[1] if suite else ''}")


def state() -> str:
    """Return what the radio does."""
    try:
        return run("wpa_cli", "-p", FOLDER / "ctrl", "-i", RADIO, "status")
    except subprocess.CalledProcessError:
        return ""


def table() -> str:
    """Return the table's address: the one that gave this one its own."""
    return (FOLDER / "router").read_text().strip()


def request(method: str, path: str, body: object = None, **headers: str) -> Any:
    """Send a request to the table, and return its answer."""
    connection = http.client.HTTPConnection(table(), timeout=300)
    connection.request(method, path, json.dumps(body) if body else None, headers)
    return connection.getresponse()


def probe(host: str) -> None:
    """Say where a phone is led that asks this host whether there is an internet."""
    address = re.findall(r"Address: (\S+)", run("busybox", "nslookup", "-type=a", host, table()))[
        -1
    ]
    if address == table():
        answer = request("GET", "/generate_204", Host=host)
        say(answer.status, answer.headers.get("Location"))


def ask(verb: str, cookie: str, **facts: object) -> tuple[Any, str]:
    """Send a request as the page does; return the answer and the cookie."""
    page = {"Origin": f"http://{table()}", "Content-Type": "application/json", "Cookie": cookie}
    answer = request("POST", f"/api/{verb}", facts, **page)
    jar = http.cookies.SimpleCookie(answer.headers.get("Set-Cookie", ""))
    new = "; ".join(f"{name}={each.value}" for name, each in jar.items())
    return json.load(answer), new or cookie


def play(digits: str, keys: str) -> None:
    """Pair with six digits, then key."""
    _, cookie = ask("pair", "", code=digits, name="Phone", called="")
    for number, key in enumerate(keys.split(), 1):
        epoch, seen = (
            first_of(word, cookie) for word in (rb'"epoch": ?"(\w+)"', rb'"keyed": ?(\d+)')
        )
        say(ask("key", cookie, key=key, n=number, epoch=epoch, seen=int(seen))[0])


def first_of(pattern: bytes, cookie: str) -> str:
    """Return what is told first of the table in these words."""
    lines = request("GET", "/live", Cookie=cookie)
    return next(found[1].decode() for line in lines if (found := re.search(pattern, line)))


if __name__ == "__main__":
    verbs: dict[str, Callable[..., None]] = {
        "join": join, "leave": leave, "probe": probe, "play": play,
    }  # fmt: skip
    verbs[sys.argv[1]](*sys.argv[2:])
