"""What a game lacks is said in one sentence for each part: what to write, where to read."""

from pathlib import Path

import pytest

from beisitzer.testing import conftest
from beisitzer.testing.parts import MissingPartError
from beisitzer.testing.texts import find_misfits
from tests.beisitzer.test_planted import candidate, replace


def missing(package: Path) -> str:
    with pytest.raises(MissingPartError) as caught:
        candidate(package)
    return str(caught.value)


def test_a_game_that_is_not_installed_is_told_how_to_be() -> None:
    sentence = missing(Path("nowhere"))
    assert '[project.entry-points."beisitzer.games"] nowhere = "nowhere:PLUGIN"' in sentence
    assert "pip install -e" in sentence


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("__init__.py", "cannot be imported (AttributeError"),
        ("rules.py", "rules:GAME cannot be imported (ModuleNotFoundError"),
        ("presentation.py", "presentation:PRESENTATION cannot be imported (ModuleNotFoundError"),
        ("turn.py", "turn:SCREENS cannot be imported (ModuleNotFoundError"),
        ("samples.py", "samples:SAMPLES cannot be imported (ModuleNotFoundError"),
    ],
)
def test_a_part_that_is_not_there_is_named_once(new_game: Path, file: str, says: str) -> None:
    (new_game / file).unlink()
    sentence = missing(new_game)
    assert says in sentence
    assert "write" in sentence
    assert "python -m pydoc beisitzer." in sentence


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        (
            "__init__.py",
            ', "{name}.turn:SCREENS"',
            "",
            "PLUGIN names no screens: write where it is",
        ),
        (
            "__init__.py",
            '    "{name}", "{name}.rules',
            '    "go", "{name}.rules',
            "Plugin and Game must be called {name}, not go",
        ),
        (
            "presentation.py",
            "PRESENTATION = ",
            "PRESENTATION = GAME or ",
            "presentation:PRESENTATION is a Game: it must be a Presentation",
        ),
        ("presentation.py", "    def picture(", "    def pictures(", "abstract method picture"),
        (
            "turn.py",
            "    def prompt(",
            "    def prompts(",
            "has no prompt: write it, as GameTurn says",
        ),
        ("samples.py", "Ben red", "Ben pink", "no game begins with the players"),
        ("samples.py", '"records"', '"nowhere"', "beisitzer check --golden FILE"),
    ],
)
def test_a_part_that_is_not_whole_is_named_once(
    new_game: Path, file: str, old: str, new: str, says: str
) -> None:
    name = new_game.name
    replace(new_game / file, old.format(name=name), new.format(name=name))
    sentence = missing(new_game)
    # Python 3.12 and newer put a method's name in quotes
    assert says.format(name=name).replace("'", "") in sentence.replace("'", "")
    assert "python -m pydoc beisitzer." in sentence


def test_a_fact_whose_length_is_not_known_is_to_be_written_into_the_samples() -> None:
    used = {("verdict", "{column} is full"): ""}
    (line,) = find_misfits(used, {}, {})
    assert "how long {column} gets is not known: write it into longest of the samples" in line
    assert "{'column': '...'}" in line
    assert not [*find_misfits(used, {}, {"column": "7"})]
    (line,) = find_misfits({("headline", "full"): ""}, {}, {})
    assert "there is no slot 'headline', write one of title, item" in line


def test_a_run_in_which_no_game_is_tried_ends_with_a_sentence(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    conftest.pytest_collection_modifyitems(pytestconfig)
    monkeypatch.setattr(conftest, "plugins", dict)
    with pytest.raises(pytest.UsageError, match="name one with --game"):
        conftest.pytest_collection_modifyitems(pytestconfig)
