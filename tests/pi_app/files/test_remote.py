"""Companion and web process look for each other in the same place."""

from pathlib import Path

import platformdirs
import pytest

from pi_app.files.remote import socket_path

STATE = platformdirs.user_state_path("beisitzer", appauthor=False)


@pytest.mark.parametrize(
    ("environ", "path"),
    [
        ({"RUNTIME_DIRECTORY": "/run/beisitzer"}, "/run/beisitzer/remote.sock"),
        ({"RUNTIME_DIRECTORY": "/run/one:/run/two"}, "/run/one/remote.sock"),
        (
            {"RUNTIME_DIRECTORY": "/run/one", "XDG_RUNTIME_DIR": "/run/user/7"},
            "/run/one/remote.sock",
        ),
        ({"XDG_RUNTIME_DIR": "/run/user/7"}, "/run/user/7/beisitzer/remote.sock"),
        ({"RUNTIME_DIRECTORY": ""}, STATE / "remote.sock"),
        ({}, STATE / "remote.sock"),
    ],
)
def test_the_socket_lies_in_the_runtime_folder_else_in_the_state_folder(
    environ: dict[str, str], path: str | Path
) -> None:
    assert socket_path(environ) == Path(path)
