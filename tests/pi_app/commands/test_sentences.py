"""What a new user types wrong is answered in one German sentence that says what to do instead."""

import re
from pathlib import Path

import pytest

from pi_app.table.presentation import PRESENTATIONS
from tests.pi_app.commands.called import refused, run

JUST4FUN = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
EINMALEINS = '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n[Open "24"]\n'
NUMERI = '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
SEQUENCE = '[Game "sequence"]\n[Players "Anna blue, Ben green"]\n'


pytestmark = pytest.mark.usefixtures("german")


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEISITZER_CONFIG", str(tmp_path / "settings.toml"))
    (tmp_path / "settings.toml").write_text("", "utf-8")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("chekc",), "es gibt keinen Befehl chekc, meintest du check?"),
        (("boards", "shwo"), "es gibt keinen Befehl shwo, meintest du show?"),
        (("check", "--jsno", "-"), "es gibt keine Option --jsno, meintest du --json?"),
        (("xyzzy",), "es gibt keinen Befehl xyzzy; "),
        (("check", "--xyzzy", "-"), "es gibt keine Option --xyzzy; "),
    ],
)
def test_a_word_that_is_mistyped_brings_the_one_that_was_meant(
    words: tuple[str, ...], says: str
) -> None:
    assert says in refused(*words)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("legal",), "DATEI fehlt"),
        (("import",), "DATEIEN fehlt"),
        (("history", "x"), "SPIEL muss eine ganze Zahl sein"),
        (("export", "x"), "SPIEL muss eine ganze Zahl sein"),
        (("play", "numeri", "--start", "Zoe"), "--start: niemand heißt Zoe, nur Gelb und Rot"),
        (
            ("play", "numeri", "--players", "Anna"),
            "--players: dieses Spiel ist für 2, 3 oder 4 Spieler",
        ),
        (("advise", "-", "--seconds", "90"), "--seconds muss von 0.01 bis 60 sein"),
        (("advise", "-", "--seconds", "long"), "--seconds muss von 0.01 bis 60 sein"),
        (("history", "--limit", "0"), "--limit muss mindestens 1 sein"),
        (("history", "--limit", "many"), "--limit muss mindestens 1 sein"),
    ],
)
def test_a_value_that_cannot_be_is_answered_with_what_may_be(
    words: tuple[str, ...], says: str
) -> None:
    assert says in refused(*words)


@pytest.mark.parametrize("verb", ["legal", "advise"])
@pytest.mark.parametrize(
    ("record", "given", "says"),
    [
        (JUST4FUN, (), "es fehlt die Hand dessen, der am Zug ist: --hand 3,5,11,13"),
        (JUST4FUN, ("--hand", "1,2"), "eine Hand hat vier Karten, nicht 2: --hand 3,5,11,13"),
        (JUST4FUN, ("--hand", "1,2,3,f"), "keine Karte heißt f: lies die Hand noch einmal"),
        (NUMERI, (), "es fehlt der Wurf: --roll 1 bis 6"),
        (NUMERI, ("--roll", "9"), "ein Würfel zeigt nicht 9, nur 1 bis 6"),
        (SEQUENCE, ("--hand", "7H,7H,7H"), "von der Karte 7H gibt es nur 2: lies die Hand"),
        (EINMALEINS, ("--hand", "f"), "keine Karte heißt f: lies die Hand noch einmal"),
        (EINMALEINS, ("--hand", "13"), "keine Karte heißt 13: lies die Hand noch einmal"),
        (EINMALEINS, ("--hand", "24,24"), "von der Karte 24 gibt es nur 1: lies die Hand"),
    ],
)
def test_a_hand_or_roll_that_cannot_be_is_answered_alike_by_legal_and_advise(
    verb: str, record: str, given: tuple[str, ...], says: str
) -> None:
    assert says in refused(verb, "-", *given, text=record)


RULES_OF_SEQUENCE = "sequences, one_eyed_breaks und dead_cards"


@pytest.mark.parametrize(
    ("record", "rules", "says"),
    [
        (SEQUENCE, "red_jacks=wild", f"red_jacks ist keine {{}}{RULES_OF_SEQUENCE}"),
        (SEQUENCE, "red jacks wild", f"red jacks wild ist keine {{}}{RULES_OF_SEQUENCE}"),
        (SEQUENCE, "sequences=2, corners", f"corners ist keine {{}}{RULES_OF_SEQUENCE}"),
        (JUST4FUN, "five in a row", "five in a row ist keine {}rounds und secured"),
        (EINMALEINS, "lay what was drawn", "lay what was drawn ist keine {}free"),
        (NUMERI, "six again", "dieses Spiel hat keine Hausregeln"),
        (JUST4FUN, "rounds", "rounds ist nicht Regel=Wert"),
    ],
)
def test_a_house_rule_that_is_none_here_is_answered_with_those_there_are(
    record: str, rules: str, says: str
) -> None:
    said = refused("check", "-", text=f'{record}[Rules "{rules}"]\n')
    assert says.format("Regel dieses Spiels; es gibt ") in said


@pytest.mark.parametrize(
    ("record", "token", "rules"),
    [
        (SEQUENCE, "JH@r4c5", '"sequences", "one_eyed_breaks" und "dead_cards"'),
        (SEQUENCE, "JD-r4c5", '"sequences", "one_eyed_breaks" und "dead_cards"'),
        (SEQUENCE, "XX@r4c5", '"sequences", "one_eyed_breaks" und "dead_cards"'),
        (JUST4FUN, "1+2+3+4+5", '"rounds" und "secured"'),
        (JUST4FUN, "x1+2+3+4", '"rounds" und "secured"'),
        (EINMALEINS, "25=5x5 26=2x13", '"free"'),
    ],
)
def test_a_move_of_a_house_rule_that_is_none_here_is_answered_with_those_there_are(
    record: str, token: str, rules: str
) -> None:
    for words in (("check", "-"), ("check", "-", "--json")):
        said = run(*words, text=f"{record}\n{token}\n").stdout.replace('\\"', '"')
        assert f"Hausregeln hier: {rules}; andere nicht." in said


def test_a_game_without_house_rules_says_so_to_a_move_of_one() -> None:
    for token in ("6:5,1", "1:-", "7"):
        said = run("check", "-", text=f"{NUMERI}\n{token}\n").stdout
        assert "Hausregeln gibt es hier nicht." in said


def test_a_deck_without_free_cards_says_so() -> None:
    record = EINMALEINS + '[Rules "free=0"]\n'
    assert "dieses Spiel hat keine freien Karten" in refused(
        "legal", "-", "--hand", "*", text=record
    )


def test_stones_that_no_field_can_hold_are_answered_with_how_they_are_written() -> None:
    for typed, example in (("23x33", "23x3"), ("37:1", "23:3"), ("37", "23:3")):
        said = refused("score", "just4fun", f"Anna gelb {typed}; Ben rot 7")
        assert said == f"beisitzer: {typed}: Feld 1 bis 36, höchstens 20 Steine, so: {example}\n"
    said = refused("score", "numeri", "Anna gelb 6:36 7:36; Ben rot 6:35")
    assert said == "beisitzer: 7:36: Steine 1 bis 6 auf Feldern dieser Bahn, so: 3:17\n"


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("just4fun", "Anna gelb 23x3"),
            "dieses Spiel ist für 2, 3 oder 4 Spieler, nicht für 1; nenne jeden von ihnen, "
            "wie in Anna gelb 23:3 7:1; Ben rot 7:2",
        ),
        (
            ("just4fun",),
            "es fehlen die STEINE, wie in beisitzer score just4fun "
            '"Anna gelb 23:3 7:1; Ben rot 7:2"',
        ),
        (
            ("numeri",),
            "es fehlen die STEINE, wie in beisitzer score numeri "
            '"Anna gelb 6:36 5:30; Ben rot 6:35"',
        ),
        (("sequence",), "Sequence wird ohne Punkte gespielt"),
        (
            ("just4fun", "Anna lila 3:2; Ben rot 7:2"),
            "lila ist keine Farbe dieses Spiels: gelb, rot, weiß oder rosa",
        ),
        (
            ("numeri", "6:36; Ben 6:35"),
            "6:36 ist kein Name mit Farbe und Steinen wie in Anna gelb 6:36 5:30; Ben rot 6:35",
        ),
        (("just4fun", "Anna gelb 3; Ben rot 7", "--board", "x"), "x ist kein bekannter Spielplan"),
    ],
)
def test_stones_that_cannot_be_are_answered_with_how_they_are_typed(
    words: tuple[str, ...], says: str
) -> None:
    assert refused("score", *words).startswith(f"beisitzer: {says}")


def test_one_point_is_one_point() -> None:
    shown = run("score", "just4fun", "Anna gelb 1; Ben rot 7").stdout
    assert "Anna: 1 Punkt\n" in shown
    assert "Ben: 7 Punkte\n" in shown


def test_a_match_without_enough_bots_says_how_to_name_them() -> None:
    said = refused("match", "just4fun", "best")
    assert "just4fun hat 2, 3 oder 4 Spieler: nenne für jeden einen Bot" in said
    assert "beisitzer match just4fun best club" in said


def test_where_nothing_was_played_there_is_a_sentence_and_no_refusal(tmp_path: Path) -> None:
    store = ("--store", str(tmp_path / "none.db"))
    for words, says in (
        (("history",), "Es wurde noch kein Spiel gespielt."),
        (("evening",), "Noch hat niemand zweimal nacheinander gespielt."),
        (("evening", "3"), "Noch hat niemand zweimal nacheinander gespielt."),
        (("evening", "--list"), "Noch hat niemand zweimal nacheinander gespielt."),
        (("statistics",), "Es wurde noch kein Spiel beendet."),
        (("statistics", "numeri"), "Es wurde noch kein Spiel beendet."),
    ):
        result = run(*words, *store)
        assert (result.exit_code, result.stdout, result.stderr) == (0, f"{says}\n", ""), words
    assert run("evening", "--json", *store).stdout == "null\n"
    assert run("statistics", "numeri", "--json", *store).stdout == "[]\n"


def test_an_evening_that_is_not_there_brings_the_list_of_those_that_are(tmp_path: Path) -> None:
    record = tmp_path / "won.txt"
    won = JUST4FUN + '[Position "yellow 1 14 30; red 2 3 4"]\n'
    record.write_text(won + '[Date "2026-03-01"]\n12+12\n', "utf-8")
    again = tmp_path / "again.txt"
    again.write_text(won + '[Date "2026-03-01"]\n[Event "again"]\n12+12\n', "utf-8")
    store = ("--store", str(tmp_path / "games.db"))
    assert run("import", str(record), str(again), *store).exit_code == 0
    assert "einen Abend 7 gibt es nicht: beisitzer evening --list" in refused(
        "evening", "7", *store
    )


def test_statistics_of_a_game_that_does_not_exist_names_those_that_do(tmp_path: Path) -> None:
    said = refused("statistics", "uno", "--store", str(tmp_path / "none.db"))
    assert "kein Spiel heißt uno; es gibt just4fun, numeri" in said


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ("language=zz", 'Einstellungen: language: "zz" ist nicht erlaubt; erlaubt: "auto", "de"'),
        ("web.port=x", 'web.port: "x" ist nicht erlaubt; erlaubt: eine ganze Zahl von 1 bis 65535'),
        ("oled.drver=x", "es gibt keine Einstellung oled.drver; meintest du oled.driver?"),
        ("driver=x", "es gibt keine Einstellung driver; meintest du oled.driver?"),
        ("xyzzy=1", "es gibt keine Einstellung xyzzy; beisitzer config zeigt alle"),
        ("nothing", "--set erwartet SCHLÜSSEL=WERT"),
    ],
)
def test_a_setting_that_cannot_be_is_refused_in_german_with_what_can(
    change: str, says: str
) -> None:
    assert says in refused("config", "--set", change)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('language "de"', "nach dem Schlüssel fehlt ="),
        ("language = de", "nach = steht kein Wert: ein Text braucht Anführungszeichen"),
        ('language = "de', "die Anführungszeichen am Ende eines Textes fehlen"),
        ("language = 'de", "die Anführungszeichen am Ende eines Textes fehlen"),
        ('language = """de', "die Anführungszeichen am Ende eines Textes fehlen"),
        ('language = "de" "en"', "ein Wert beendet seine Zeile"),
        ('language = "de"\nlanguage = "en"', "dieser Schlüssel oder diese Tabelle steht zweimal"),
        ("[oled]\n[oled]", "dieser Schlüssel oder diese Tabelle steht zweimal"),
        ("[oled", "es fehlt ]"),
        ("[keypad]\nrows = [1, 2", "es fehlt ]"),
        ("x = {a = 1", "es fehlt }"),
        ("= 1", "eine Zeile beginnt mit einem Schlüssel"),
        ("!", "eine Zeile beginnt mit einem Schlüssel"),
        ('[store]\npath = "C:\\games"', "schreibe \\ in einem Text doppelt"),
        ("x = 2026-02-30", "ein Datum wie 2026-12-24"),
        ('x = "1\x01"', "ein Zeichen ist hier nicht erlaubt"),
    ],
)
def test_a_mistake_in_toml_is_told_in_german_alone(tmp_path: Path, line: str, says: str) -> None:
    (tmp_path / "settings.toml").write_text(line, "utf-8")
    said = refused("config")
    assert says in said
    assert f"settings.toml, Zeile {line.count(chr(10)) + 1}: das ist kein TOML: " in said
    board = tmp_path / "board.toml"
    board.write_text(line, "utf-8")
    said = refused("boards", "check", str(board))
    assert says in said
    for word in ("Expected", "Invalid", "Cannot", "Illegal", "Un", "key", "value", "line"):
        assert word not in said


@pytest.mark.parametrize(
    ("words", "ends"),
    [
        (("history", "--chart", "x.svg"), ".png"),
        (("history", "--chart", "x"), ".png"),
        (("evening", "--chart", "x.gif"), ".png"),
        (("analyse", "-", "--picture", "x.jpg"), ".png"),
    ],
)
def test_a_picture_gets_no_name_that_says_another_kind_than_it_is(
    words: tuple[str, ...], ends: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    said = refused(*words, text=JUST4FUN)
    assert said == f"beisitzer: {words[-1]}: der Name muss auf {ends} enden\n"
    assert not Path(words[-1]).exists()


def test_what_may_be_chosen_is_listed_as_a_sentence_has_it() -> None:
    last = list(PRESENTATIONS)[-1]
    for words in (("match", "uno", "best", "club"), ("score", "uno", "Anna gelb 3")):
        said = refused(*words)
        assert "es gibt just4fun, numeri, " in said
        assert said.endswith(f" und {last}\n")
    said = refused("check", "-", text=JUST4FUN + '[Rules "x=1"]\n')
    assert "x ist keine Regel dieses Spiels; es gibt rounds und secured" in said
    said = refused("check", "-", text=NUMERI + '[Rules "x=1"]\n')
    assert said.endswith(": Rules: dieses Spiel hat keine Hausregeln\n")


def test_a_store_that_cannot_be_read_is_refused_without_the_words_of_the_database(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    text = tmp_path / "text.db"
    text.write_text("no database at all", "utf-8")
    for verb in ("history", "statistics", "tables", "evening", "export"):
        said = refused(verb, "--store", str(tmp_path))
        assert "ist ein Ordner, keine Datenbank der Partien" in said
        assert refused(verb, "--store", str(text)) == (
            f"beisitzer: {text} kann nicht gelesen werden: sie ist keine Datenbank der Partien, "
            "der Zugriff ist verweigert, oder nichts darin ist heil\n"
        )
    assert "a store cannot be read" in caplog.text


@pytest.mark.parametrize(
    ("bot", "says"),
    [
        ("foo_bar:baz", "lässt sich nicht laden: es gibt kein Modul foo_bar"),
        ("json:baz", "lässt sich nicht laden: baz ist nicht darin"),
        (":baz", "ist kein Bot: beginner"),
    ],
)
def test_a_bot_that_cannot_be_loaded_is_refused_in_german(bot: str, says: str) -> None:
    assert f"{bot} {says}" in refused("match", "just4fun", bot, "random")


def test_two_bots_of_one_name_are_told_apart_and_their_wins_are_written_in_german() -> None:
    shown = run("match", "numeri", "random", "random", "--games", "2")
    first, second = shown.stdout.splitlines()
    line = r"{}  random +\d+,\d %  \(\d+,\d % – \d+,\d %\)"
    assert re.fullmatch(line.format(1), first)
    assert re.fullmatch(line.format(2), second)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (
            ("play", "just4fun", "--rules", "rounds=abc"),
            "--rules: rounds kann nicht abc sein, nur eine Zahl ab 1",
        ),
        (
            ("play", "just4fun", "--rules", "secured=x"),
            "--rules: secured kann nicht x sein, nur open oder closed",
        ),
        (("--lang", "de"), "--lang gehört hinter den Befehl: beisitzer history --lang de"),
        (("tables", "--days"), "--days braucht --csv"),
        (("export", "--json", "--csv"), "nenne nur eines von --json und --csv"),
        (("history", "--store", "/no/such/da.db"), "/no/such/da.db: "),
    ],
)
def test_what_was_meant_is_said_where_something_else_was_typed(
    words: tuple[str, ...], says: str
) -> None:
    assert refused(*words).startswith(f"beisitzer: {says}")


def test_statistics_of_somebody_unknown_name_who_finished_a_game(tmp_path: Path) -> None:
    record, store = tmp_path / "won.txt", ("--store", str(tmp_path / "games.db"))
    assert "niemand mit einem Namen" in refused("statistics", "--player", "Zoe", *store)
    record.write_text(JUST4FUN + '[Position "yellow 1 14 30; red 2 3 4"]\n12+12\n', "utf-8")
    assert run("import", str(record), *store).exit_code == 0
    said = refused("statistics", "--player", "Zoe", *store)
    assert "niemand namens Zoe hat ein Spiel beendet, nur Anna und Ben" in said
