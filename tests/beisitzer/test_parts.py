"""What a game lacks is said in one sentence for each part: what to write, where to read."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from beisitzer.testing import conftest, options, parts
from beisitzer.testing.texts import find_misfits
from engines import games


def missing(package: Path) -> tuple[str, ...]:
    games.plugins.cache_clear()
    return parts.missing_parts.__wrapped__(package.name)


def replace(path: Path, old: str, new: str) -> None:
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def test_nothing_is_missing_in_a_new_game(new_game: Path) -> None:
    assert missing(new_game) == ()


def test_a_game_that_is_not_installed_is_told_how_to_be() -> None:
    (sentence,) = parts.missing_parts("nowhere")
    assert '[project.entry-points."beisitzer.games"] nowhere = "nowhere:PLUGIN"' in sentence
    assert "pip install -e" in sentence


@pytest.mark.parametrize(
    ("file", "says"),
    [
        ("__init__.py", "cannot be imported (AttributeError"),
        ("rules.py", "rules:GAME cannot be imported (ModuleNotFoundError"),
        ("presentation.py", "presentation:PRESENTATION cannot be imported (ModuleNotFoundError"),
        ("turn.py", "turn:SCREENS cannot be imported (ModuleNotFoundError"),
        ("samples.py", "samples has no SAMPLES (ModuleNotFoundError"),
    ],
)
def test_a_part_that_is_not_there_is_named_once(new_game: Path, file: str, says: str) -> None:
    (new_game / file).unlink()
    (sentence,) = missing(new_game)
    assert says in sentence
    assert "write" in sentence
    assert "python -m pydoc beisitzer." in sentence


@pytest.mark.parametrize(
    ("file", "old", "new", "says"),
    [
        ("__init__.py", ', "{name}.turn:SCREENS"', "", 'write screens="{name}.turn:SCREENS"'),
        (
            "__init__.py",
            '    "{name}", "{name}.rules',
            '    "go", "{name}.rules',
            "must have one name, not",
        ),
        (
            "presentation.py",
            "PRESENTATION = ",
            "PRESENTATION = GAME or ",
            "presentation:PRESENTATION is a Game: it must be a Presentation",
        ),
        ("presentation.py", "    def help(", "    def helped(", "abstract method help"),
        ("turn.py", "    def keying(", "    def keys(", "has no keying: write it (return whether"),
        ("samples.py", '"1#"', '"2#"', "make ('5', '2'), not ('5', '1')"),
        ("samples.py", "Ben red", "Ben pink", "no game begins with the players"),
        ("samples.py", '"records"', '"nowhere"', "beisitzer check --golden FILE"),
    ],
)
def test_a_part_that_is_not_whole_is_named_once(
    new_game: Path, file: str, old: str, new: str, says: str
) -> None:
    name = new_game.name
    replace(new_game / file, old.format(name=name), new.format(name=name))
    (sentence,) = missing(new_game)
    # Python 3.12 and newer put a method's name in quotes
    assert says.format(name=name).replace("'", "") in sentence.replace("'", "")
    assert "python -m pydoc beisitzer." in sentence


def test_two_parts_that_are_missing_are_two_sentences(new_game: Path) -> None:
    (new_game / "presentation.py").unlink()
    (new_game / "turn.py").unlink()
    assert [sentence.partition(":")[0] for sentence in missing(new_game)] == [
        f"{new_game.name}.presentation",
        f"{new_game.name}.turn",
    ]


def test_a_fact_whose_length_is_not_known_is_to_be_written_into_the_samples() -> None:
    used = {("verdict", "{column} is full"): ""}
    (line,) = find_misfits(used, {}, {})
    assert "how long {column} gets is not known: write it into samples.py" in line
    assert "longest={'column': ...}" in line
    assert find_misfits(used, {}, {"column": "7"}) == []
    (line,) = find_misfits({("headline", "full"): ""}, {}, {})
    assert "there is no slot 'headline', write one of title, item" in line


def test_a_suite_without_what_it_needs_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(options, "find_spec", lambda name: None if name == "hypothesis" else 1)
    with pytest.raises(pytest.UsageError, match=r"needs hypothesis: pip install 'beisitzer\[te"):
        options.pytest_load_initial_conftests(["--pyargs", "beisitzer.testing"])
    options.pytest_load_initial_conftests(["tests"])


def test_a_test_of_a_part_that_no_game_has_is_skipped_with_a_reason(new_game: Path) -> None:
    made: list[Any] = []
    config = SimpleNamespace(getoption=lambda _: [new_game.name], getini=lambda _: "")
    markers = SimpleNamespace(iter_markers=lambda _: [pytest.mark.game_with("ai")])
    metafunc: Any = SimpleNamespace(
        fixturenames=["game"],
        config=config,
        definition=markers,
        parametrize=lambda _, games, **__: made.extend(games),
    )
    conftest.pytest_generate_tests(metafunc)
    (skipped,) = made
    assert [mark.kwargs for mark in skipped.marks] == [
        {"reason": "no tested game has an AI: that is fine"}
    ]


def test_a_run_in_which_no_game_is_tried_ends_with_a_sentence(
    pytestconfig: pytest.Config, monkeypatch: pytest.MonkeyPatch
) -> None:
    conftest.pytest_collection_modifyitems(pytestconfig)
    monkeypatch.setattr(conftest, "plugins", dict)
    with pytest.raises(pytest.UsageError, match="name one with --game"):
        conftest.pytest_collection_modifyitems(pytestconfig)
