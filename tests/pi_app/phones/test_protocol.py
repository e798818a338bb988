"""Companion and web process look for each other in the same place."""

from pathlib import Path

import platformdirs
import pytest

from pi_app.phones.protocol import socket_mode, socket_path

STATE = platformdirs.user_state_path("beisitzer", appauthor=False)
USER = {"XDG_RUNTIME_DIR": "/run/user/7"}
SERVICE = {"RUNTIME_DIRECTORY": "/run/beisitzer"}


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        (USER | SERVICE | {"BEISITZER_REMOTE": "/tmp/a.sock"}, "/tmp/a.sock"),  # noqa: S108
        (SERVICE | USER, "/run/beisitzer/remote.sock"),
        ({"RUNTIME_DIRECTORY": "/run/one:/run/two"}, "/run/one/remote.sock"),
        (USER, "/run/user/7/beisitzer/remote.sock"),
        ({"RUNTIME_DIRECTORY": ""}, STATE / "remote.sock"),
        ({}, STATE / "remote.sock"),
    ],
)
def test_the_socket_is_the_named_one_else_in_the_runtime_folder_else_beside_the_log(
    environ: dict[str, str], path: str | Path
) -> None:
    assert socket_path(environ) == Path(path)


def test_only_the_services_group_may_open_a_services_socket() -> None:
    assert socket_mode(SERVICE) == 0o660
    assert socket_mode(USER) == 0o600
