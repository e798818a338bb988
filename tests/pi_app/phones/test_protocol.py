"""Companion and web process look for each other in the same place, and check with one schema."""

import json
import re
from pathlib import Path

import platformdirs
import pytest

from pi_app.phones.protocol import (
    REQUEST_LIMIT_BYTES,
    REQUESTS,
    BadRequestError,
    read_request,
    refused,
    socket_mode,
    socket_path,
    status_of,
)
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.wire.messages import String, checks
from tests.pi_app.phones.desk import rule_of, sample_fields

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


def rows(title: str) -> list[list[str]]:
    """Return the cells of the table in docs/remote.md whose first column has this title."""
    text = Path("docs/remote.md").read_text("utf-8")
    lines = text.partition(f"| {title} |")[2].partition("\n\n")[0].splitlines()[2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


def test_the_documentation_has_every_request_with_its_fields() -> None:
    written = {
        name: set(re.findall(r"`(\w+)`", fields))
        for names, fields, *_ in rows("request")
        for name in re.findall(r"`(\w+)`", names)
    }
    asked = {name: set(checks(ask)) for name, ask in REQUESTS.items()}
    assert written == asked


def test_every_refusal_of_the_documentation_has_a_status_and_a_sentence_in_each_language() -> None:
    codes = [code for names, *_ in rows("error") for code in re.findall(r"`(\w+)`", names)]
    assert len(codes) > 15
    assert status_of("what no page has") == 400
    for code in codes:
        assert 400 <= status_of(code) <= 500
        said = {str(refused(Texts(language), code)["text"]) for language in LANGUAGES}
        assert len(said) == len(LANGUAGES), code


@pytest.mark.parametrize("kind", REQUESTS)
def test_a_field_that_does_not_fit_is_named_and_the_request_can_be_answered(kind: str) -> None:
    fitting = sample_fields(kind)
    for name in fitting:
        rule = rule_of(REQUESTS[kind], name)
        longest = rule.most if isinstance(rule, String) else 1
        for bad in (["x"], None, "x" * (longest + 1), -1, True, 1.0, 2**53):
            line = json.dumps({"kind": kind, "id": "7", **fitting, name: bad}).encode()
            with pytest.raises(BadRequestError, match=name) as caught:
                read_request(line)
            assert caught.value.id == "7"


def test_a_request_has_every_field_of_its_kind_and_no_other() -> None:
    request = read_request(b'{"kind":"moments","id":"1","more":[]}')
    assert request.asked.facts() == {"token": "", "name": ""}


def test_a_line_and_its_line_feed_have_at_most_so_many_bytes() -> None:
    for length, why in ((REQUEST_LIMIT_BYTES - 1, "JSON"), (REQUEST_LIMIT_BYTES, "at most")):
        with pytest.raises(BadRequestError, match=why):
            read_request(b"x" * length)
