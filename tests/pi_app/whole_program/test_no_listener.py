"""Nothing of the companion listens on the network: not one line of it could."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
WEB = ROOT / "pi_app" / "phones" / "web"
"""The process of its own that serves phones; it knows the companion by its Unix socket only."""
LINK = (ROOT / "pi_app" / "link" / "ends", ROOT / "pi_app" / "commands" / "link.py")
"""The link's process has the network; it asks and never listens."""
SERVERS = ("socketserver", "http.server", "xmlrpc", "asyncio", "multiprocessing.managers")
LISTENING = {"bind", "listen", "accept", "create_server", "start_server", "serve_forever"}
"""`socket.bind` also makes a datagram socket hear; nothing of ours needs it."""


def listeners(source: str) -> list[str]:
    """Return what in a module listens or imports what does."""
    found = []
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                found += [name.name for name in names if name.name.startswith(SERVERS)]
            case ast.ImportFrom(module=str(module)) if module.startswith(SERVERS):
                found.append(module)
            case ast.Call(func=ast.Attribute(attr=name)) if name in LISTENING:
                found.append(name)
            case ast.Attribute(attr="AF_INET" | "AF_INET6" as name):
                found.append(name)
    return found


@pytest.mark.parametrize("package", ["engines", "hardware", "pi_app"])
def test_no_module_listens(package: str) -> None:
    found = {
        str(path.relative_to(ROOT)): names
        for path in sorted((ROOT / package).rglob("*.py"))
        if WEB not in path.parents and (names := listeners(path.read_text("utf-8")))
    }
    local = {
        "pi_app/network/service.py": ["accept"],
        "pi_app/phones/server.py": ["bind", "listen", "accept"],
        "pi_app/wire/client.py": ["asyncio", "asyncio"],
    }
    """Unix sockets, on this machine: systemd's for the Wi-Fi, the companion's for phones and the
    link, and a client of that one."""
    link = {name for name in found if any((ROOT / name).is_relative_to(each) for each in LINK)}
    assert all(set(found.pop(name)) == {"asyncio"} for name in link)
    assert found == (local if package == "pi_app" else {})


@pytest.mark.parametrize(
    "line", ["s.listen(1)", "import http.server", "from asyncio import run", "socket.AF_INET"]
)
def test_a_listener_would_be_found(line: str) -> None:
    assert listeners(line)
