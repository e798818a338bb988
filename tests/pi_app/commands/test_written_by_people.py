"""Texts as people's editors and keyboards write them: byte order marks, UTF-16, accents apart."""

import codecs
import json
from collections.abc import Callable
from pathlib import Path
from unicodedata import normalize

import pytest

from pi_app.commands.play import _read_script
from pi_app.link.ends.credentials import PASSWORD_FILE, LinkFolder
from pi_app.settings.file import ENVIRONMENT, load
from pi_app.table.boards import load_board
from tests.pi_app.commands.called import lines, refused, run

RECORD = '[Game "just4fun"]\n[Players "Jürgen yellow, Ben red"]\n5+11\n'
NAME = normalize("NFD", "Längs")
BOARD = f'game = "numeri"\nname = "{NAME}"\nvalues = {[1] * 38}\n'


def checked(path: Path) -> object:
    return lines(run("check", path, "--json"))[0]["players"][0]["name"]


def configured(path: Path) -> object:
    return load({ENVIRONMENT: str(path)}).settings.voice.command


def password(path: Path) -> str:
    path.with_name(PASSWORD_FILE).write_bytes(path.read_bytes())
    return LinkFolder(path.parent).password()


READERS: dict[str, tuple[Callable[[Path], object], str, object]] = {
    "record": (checked, RECORD, "Jürgen"),
    "board": (lambda path: load_board(path).name, BOARD, "Längs"),
    "settings": (configured, '[voice]\ncommand = "sprich ü"\n', "sprich ü"),
    "keys": (lambda path: len(_read_script(path)), "5*11# ; hört auf\n", 5),
    "password": (password, "geheimnisü\n", "geheimnisü"),
}
ENCODED: dict[str, Callable[[str], bytes]] = {
    "UTF-8": lambda text: text.encode(),
    "a mark before UTF-8": lambda text: codecs.BOM_UTF8 + text.encode(),
    "UTF-16 as Windows writes it": lambda text: codecs.BOM_UTF16_LE + text.encode("utf-16-le"),
    "UTF-16 the other way round": lambda text: codecs.BOM_UTF16_BE + text.encode("utf-16-be"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("encoded", ENCODED)
def test_every_file_of_a_person_is_read_as_editors_save_it(
    reader: str, encoded: str, tmp_path: Path
) -> None:
    read, text, expected = READERS[reader]
    path = tmp_path / "file"
    path.write_bytes(ENCODED[encoded](text))
    assert read(path) == expected


def test_a_name_is_one_person_however_its_accents_are_written(tmp_path: Path) -> None:
    """A Mac and some keyboards may write a letter and its dots as two characters."""
    apart, together = normalize("NFD", "Jürgen"), "Jürgen"
    store, files = tmp_path / "games", []
    for n, (name, cards) in enumerate(((apart, "12+12"), (together, "11+13"))):
        files.append(tmp_path / f"{n}.txt")
        files[-1].write_text(
            f'[Game "just4fun"]\n[Players "{name} yellow, Ben red"]\n[Start "{apart}"]\n'
            f'[Position "yellow 9 33; red 1 14 30"]\n[Date "2026.01.0{n + 1}"]\n9 {cards}\n',
            "utf-8",
        )
    run("import", *files, "--store", store)
    words = ("export", "--json", "--of", "statistics", "--store", store)
    counted = json.loads(run(*words).stdout)["statistics"]
    played = {each["player"]: each["played"] for each in counted if each["other"] is None}
    assert played == {together: 2, "Ben": 2}


def test_two_players_whose_names_differ_in_form_alone_are_refused() -> None:
    names = f"Jürgen yellow, {normalize('NFD', 'Jürgen')} red"
    assert "Jürgen" in refused("check", "-", text=f'[Game "just4fun"]\n[Players "{names}"]\n')


def test_a_word_for_a_colour_is_known_however_its_accents_are_written() -> None:
    stones = normalize("NFD", "Jürgen grün 6:36; Ben rot 6:35")
    assert run("score", "numeri", stones, "--json").exit_code == 0
