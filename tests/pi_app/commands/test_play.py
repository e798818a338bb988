"""`beisitzer play`: what it makes of its options before the first key."""

import json
from pathlib import Path

import pytest

from pi_app.store import Store
from pi_app.table.players import BotSeats, list_players
from tests.pi_app.commands.called import lines, run


def play(tmp_path: Path, *options: str) -> tuple[int, str, str]:
    """Press one key and return exit status, standard output and standard error."""
    keys = tmp_path / "keys"
    keys.write_text("1", "utf-8")
    result = run("play", *options, "--keys", keys, "--display", "plain")
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.parametrize(("language", "name"), [("en", "Yellow"), ("de", "Gelb")])
def test_players_without_names_are_called_by_colour_in_the_tables_language(
    tmp_path: Path, language: str, name: str
) -> None:
    status, shown, _ = play(tmp_path, "just4fun", "--lang", language)
    assert status == 0
    assert json.loads(shown.splitlines()[-1])["title"] == name


CARD = ("einmaleins", "--players", "Anna, Ben, Carla")


def pressed(tmp_path: Path, keys: str, *options: str) -> list[dict[str, object]]:
    """Press these keys in the store of this test and return the frames."""
    (tmp_path / "keys").write_text(keys, "utf-8")
    store = ("--store", tmp_path / "games", "--lang", "en")
    result = run("play", *options, *store, "--keys", tmp_path / "keys", "--display", "plain")
    assert (result.exit_code, result.stderr) == (0, "")
    return lines(result)


def test_an_open_card_that_the_command_line_leaves_out_is_asked_for_as_in_the_menu(
    tmp_path: Path,
) -> None:
    frames = pressed(tmp_path, "24#", *CARD, "--tag", "Event=Club", "--chair", "Ben")
    assert frames[0]["title"] == "Open card"
    games = Store(tmp_path / "games")
    assert games.load(1).tags == {
        "Game": "einmaleins",
        "Players": "Anna yellow, Ben red, Carla green",
        "Event": "Club",
        "Open": "24",
    }
    assert BotSeats(games, 1).strengths() == {"Ben": "club"}
    assert [player.name for player in list_players(games)] == ["Anna", "Carla"]
    games.close()


def test_the_same_command_goes_on_without_asking_for_the_open_card_again(tmp_path: Path) -> None:
    pressed(tmp_path, "24#", *CARD)
    assert pressed(tmp_path, "", *CARD)[0]["title"] == "Anna"
    assert pressed(tmp_path, "", *CARD, "--new")[0]["title"] == "Open card"


def test_who_does_not_name_the_open_card_is_led_to_the_first_menu(tmp_path: Path) -> None:
    assert pressed(tmp_path, "<", *CARD)[-1]["title"] == "Beisitzer"
    games = Store(tmp_path / "games")
    assert games.latest_game() is None
    games.close()


@pytest.mark.parametrize(
    ("tags", "says"),
    [
        (("Open=97",), "Open: 97 is no product"),
        (("Hand=97",), "Hand: must be a number from 1 to 21"),
        (("Rules=free=9",), "--rules: free cannot be 9"),
        (("Position=yellow 5; red 3",), "Open: is needed"),
    ],
)
def test_a_mistake_beside_the_missing_open_card_is_refused_before_anything_is_asked(
    tmp_path: Path, tags: tuple[str, ...], says: str
) -> None:
    words = [word for tag in tags for word in ("--tag", tag)]
    status, shown, error = play(tmp_path, "einmaleins", *words, "--lang", "en")
    assert (status, shown) == (2, "")
    assert says in error


@pytest.mark.parametrize(
    ("tag", "says"),
    [
        ("rules=rounds=5", "there is no tag rules; there are Annotator, Board,"),
        ("Open=24", "there is no tag Open; there are Annotator, Board,"),
        ("=1", "there is no tag ; there are Annotator, Board,"),
        ("Weather=rain", "there is no tag Weather; there are Annotator, Board,"),
    ],
)
def test_a_tag_that_no_game_has_is_refused_with_those_there_are(
    tmp_path: Path, tag: str, says: str
) -> None:
    status, _, error = play(tmp_path, "just4fun", "--tag", tag, "--lang", "en")
    assert status == 2
    assert says in error


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--tag", "Game=numeri"), "--tag Game: this is said already"),
        (("--tag", "Players=Carla red, Dora white"), "--tag Players: this is said already"),
        (("--rules", "rounds=3", "--tag", "Rules=rounds=4"), "--tag Rules: this is said already"),
        (("--tag", "Event=Club", "--tag", "Event=Home"), "--tag Event: this is said already"),
        (("--tag", 'Event=the "Club"'), '--tag Event: no " may be in it'),
    ],
)
def test_no_tag_silently_replaces_another_or_makes_a_record_that_cannot_be_written(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    status, _, error = play(tmp_path, "just4fun", *words, "--lang", "en")
    assert status == 2
    assert says in error


def test_a_record_is_replaced_whole_or_not_at_all(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record = tmp_path / "game.txt"
    record.write_text("the record of another evening", "utf-8")

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pi_app.system.replace.os.fsync", full)
    status, _, error = play(tmp_path, "just4fun", "--record", str(record))
    assert status == 2
    assert "No space left on device" in error
    assert record.read_text("utf-8") == "the record of another evening"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["game.txt", "keys"]
    monkeypatch.undo()
    assert play(tmp_path, "just4fun", "--record", str(record))[0] == 0
    assert record.read_text("utf-8").startswith('[Game "just4fun"]')


def seated(tmp_path: Path, *options: str) -> dict[str, str]:
    """Begin a game in a store of its own and return its tags."""
    store = tmp_path / "games"
    status, _, error = play(tmp_path, *options, "--store", str(store))
    assert (status, error) == (0, "")
    games = Store(store)
    tags = dict(games.load(games.latest_game() or 0).tags)
    games.close()
    return tags


def test_what_a_display_would_obey_gets_into_no_game(tmp_path: Path) -> None:
    players = ("--players", "An\x1b[2Jna yellow, Ben red", "--chair", "An\x1b[2Jna=club")
    tags = seated(tmp_path, "numeri", *players, "--tag", "Event=\u202e")
    assert (tags["Players"], tags["Event"]) == ("An?[2Jna yellow, Ben red", "?")


@pytest.mark.parametrize(
    ("game", "players", "expected"),
    [
        ("just4fun", "Anna,Ben", "Anna yellow, Ben red"),
        ("just4fun", "Anna, Ben, Clara", "Anna yellow, Ben red, Clara white"),
        ("just4fun", "Anna rot, Ben", "Anna red, Ben yellow"),
        ("just4fun", "Anna, Ben gelb", "Anna red, Ben yellow"),
        ("just4fun", "Anna pink, Ben", "Anna pink, Ben yellow"),
        ("just4fun", "gelb, Ben", "Gelb yellow, Ben red"),
        ("numeri", "Anna,Ben,Clara,Dora", "Anna yellow, Ben red, Clara green, Dora blue"),
        ("sequence", "Anna,Ben,Clara,Dora", "Anna blue, Ben green, Clara blue, Dora green"),
    ],
)
def test_players_without_colours_get_those_of_the_game_in_its_order(
    tmp_path: Path, game: str, players: str, expected: str
) -> None:
    assert seated(tmp_path, game, "--players", players, "--lang", "de")["Players"] == expected


def test_players_of_the_command_line_are_known_from_then_on(tmp_path: Path) -> None:
    seated(tmp_path, "just4fun", "--players", "Anna rot, Ben, Yellow pink", "--chair", "Ben")
    known = list_players(Store(tmp_path / "games"))
    assert [(player.name, player.colour) for player in known] == [("Anna", "red")]


@pytest.mark.parametrize(
    ("bot_seats", "expected"),
    [
        (("Ben",), {"Ben": "club"}),
        (("Ben=best",), {"Ben": "best"}),
        (("Anna = Anfänger", "Ben=Meister"), {"Anna": "beginner", "Ben": "best"}),
    ],
)
def test_the_companion_takes_the_seats_that_the_command_line_gives_it(
    tmp_path: Path, bot_seats: tuple[str, ...], expected: dict[str, str]
) -> None:
    flags = [word for bot_seat in bot_seats for word in ("--chair", bot_seat)]
    seated(tmp_path, "just4fun", "--players", "Anna,Ben", *flags)
    games = Store(tmp_path / "games")
    assert BotSeats(games, games.latest_game() or 0).strengths() == expected


def test_the_same_command_goes_on_with_the_same_seats(tmp_path: Path) -> None:
    command = ("just4fun", "--players", "Anna,Ben", "--chair", "Ben")
    assert seated(tmp_path, *command) == seated(tmp_path, *command)
    games = Store(tmp_path / "games")
    assert games.latest_game() == 1
    assert BotSeats(games, 1).strengths() == {"Ben": "club"}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            ("just4fun", "--players", "Anna,Ben", "--chair", "Carl"),
            "nobody here is called Carl, only Anna, Ben",
        ),
        (("just4fun", "--chair", "Rot=gut"), "how well is gut? Say beginner, club, best"),
        (("--chair", "Ben"), "name the game first"),
    ],
)
def test_a_seat_that_the_companion_cannot_have_is_refused_with_those_it_can(
    tmp_path: Path, options: tuple[str, ...], says: str
) -> None:
    status, _, error = play(tmp_path, *options, "--lang", "de")
    assert status == 2
    assert says in error
