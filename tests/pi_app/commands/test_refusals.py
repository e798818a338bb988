"""What a new user types wrong is answered in one sentence that names it, and what may be."""

from pathlib import Path

import pytest

from tests.pi_app.commands.called import refused, run

JUST4FUN = '[Game "just4fun"]\n[Players "Anna yellow, Ben red"]\n'
EINMALEINS = '[Game "einmaleins"]\n[Players "Anna yellow, Ben red"]\n[Open "24"]\n'
NUMERI = '[Game "numeri"]\n[Players "Anna yellow, Ben red"]\n'
SEQUENCE = '[Game "sequence"]\n[Players "Anna blue, Ben green"]\n'
WON = JUST4FUN + '[Position "yellow 1 14 30; red 2 3 4"]\n[Date "2026-03-01"]\n12+12\n'

pytestmark = pytest.mark.usefixtures("german")


@pytest.fixture(autouse=True)
def _settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BEISITZER_CONFIG", str(tmp_path / "settings.toml"))
    (tmp_path / "settings.toml").write_text("", "utf-8")


@pytest.mark.parametrize(
    ("words", "named"),
    [
        ("chekc", ("chekc", "check")),
        ("boards shwo", ("shwo", "show")),
        ("check --jsno -", ("--jsno", "--json")),
        ("xyzzy", ("xyzzy",)),
        ("check --xyzzy -", ("--xyzzy",)),
        ("legal", ("FILE",)),
        ("import", ("FILES",)),
        ("check /nowhere", ("/nowhere: ",)),
        ("check /", ("/: ",)),
        ("show history x", ("GAME",)),
        ("show history 7 --store {new}", ("7", "beisitzer show history")),
        ("show history --days 0", ("--days", "1")),
        ("show history --days many", ("--days", "many")),
        ("show history --store /no/such/da.db", ("/no/such/da.db: ",)),
        ("export --json --csv", ("--json", "--csv")),
        ("export --of tables", ("--of tables", "--json", "--csv")),
        ("show evening 7 --store {won}", ("7", "beisitzer show evening --list")),
        ("show statistics uno --store {won}", ("uno", "just4fun")),
        ("boards show fern", ("fern",)),
        ("play chess", ("chess", "just4fun, numeri")),
        ("play numeri --tag x", ("--tag", "=")),
        ("play numeri --start Zoe", ("--start", "Zoe")),
        ("play numeri --players Anna", ("--players", "2")),
        ("play just4fun --rules rounds=abc", ("--rules", "rounds", "abc", "1")),
        ("play just4fun --rules secured=x", ("--rules", "secured", "x", "open", "closed")),
        ("match just4fun best", ("2 or 3 or 4", "beisitzer match just4fun best club")),
        ("match just4fun foo_bar:baz random", ("foo_bar:baz", "foo_bar")),
        ("match just4fun json:baz random", ("json:baz", "baz")),
        ("advise - --seconds 90", ("--seconds", "0.01", "60")),
        ("advise - --seconds long", ("--seconds", "long")),
        ("score sequence", ("sequence",)),
        ("score numeri Anna:23x3;Ben:1", ("Anna:23x3",)),
        ("config --set language=zz", ("language", '"zz"', '"auto", "de"')),
        ("config --set web.port=x", ("web.port", '"x"', "1", "65535")),
        ("config --set oled.drver=x", ("oled.drver", " driver ")),
        ("config --set driver=x", ("driver", "language, display, sounds")),
        ("config --set xyzzy=1", ("xyzzy", "language, display, sounds")),
        ("config --set nothing", ("--set", "=")),
    ],
)
def test_what_cannot_be_called_is_answered_with_what_can(
    words: str, named: tuple[str, ...], tmp_path: Path
) -> None:
    won, new = tmp_path / "won.db", tmp_path / "new.db"
    if "{won}" in words:
        for name in ("won", "again"):
            (tmp_path / name).write_text(f'[Event "{name}"]\n{WON}', "utf-8")
            assert run("import", tmp_path / name, "--store", won).exit_code == 0
    said = refused(*words.format(won=won, new=new).split())
    assert [each for each in named if each not in said] == [], said


@pytest.mark.parametrize("verb", ["legal", "advise"])
@pytest.mark.parametrize(
    ("record", "given", "named"),
    [
        (JUST4FUN, (), ("3,5,11,13", "--hand")),
        (JUST4FUN, ("--hand", "1,2"), ("four", "2", "--hand")),
        (JUST4FUN, ("--hand", "1,2,3,f"), ("f",)),
        (NUMERI, (), ("--roll",)),
        (NUMERI, ("--roll", "9"), ("9", "6")),
        (SEQUENCE, ("--hand", "7H,7H,7H"), ("7H", "2")),
        (EINMALEINS, ("--hand", "13"), ("13",)),
        (EINMALEINS, ("--hand", "24,24"), ("24", "1")),
        (EINMALEINS + '[Rules "free=0"]\n', ("--hand", "*"), ("free",)),
    ],
)
def test_a_hand_or_roll_that_cannot_be_is_answered_alike_by_legal_and_advise(
    verb: str, record: str, given: tuple[str, ...], named: tuple[str, ...]
) -> None:
    said = refused(verb, "-", *given, text=record)
    assert [each for each in named if each not in said] == [], said


@pytest.mark.parametrize(
    ("record", "rule", "token", "there_are"),
    [
        (SEQUENCE, "red_jacks=wild", "JH@r4c5", ("sequences", "one_eyed_breaks", "dead_cards")),
        (JUST4FUN, "five in a row", "1+2+3+4+5", ("rounds", "secured")),
        (EINMALEINS, "lay what was drawn", "25=5x5 26=2x13", ("free",)),
        (NUMERI, "six again", "6:5,1", ()),
    ],
)
def test_a_house_rule_that_is_none_here_is_answered_with_those_there_are(
    record: str, rule: str, token: str, there_are: tuple[str, ...]
) -> None:
    said = refused("check", "-", text=f'{record}[Rules "{rule}"]\n')
    assert rule.split("=", maxsplit=1)[0] in said or not there_are
    played = run("check", "-", text=f"{record}\n{token}\n").stdout
    assert "Hausregeln" in played
    for each in there_are:
        assert each in said
        assert f'"{each}"' in played


@pytest.mark.parametrize(
    ("game", "stones", "named"),
    [
        ("just4fun", "Anna gelb 23x33; Ben rot 7", ("23x33", "Anna yellow 23:3")),
        ("just4fun", "Anna gelb 37:1; Ben rot 7", ("37", "Anna yellow 23:3")),
        ("just4fun", "Anna gelb 23x3", ("2", "Anna yellow 23:3 7:1; Ben red 7:2")),
        ("just4fun", "", ('beisitzer score just4fun "Anna yellow 23:3 7:1; Ben red 7:2"',)),
        ("just4fun", "Anna lila 3:2; Ben rot 7:2", ("lila", "Anna yellow")),
        ("just4fun", "Anna gelb 23:3;", ("; ",)),
        ("just4fun", "Anna gelb 23:3; Ben gelb 7", ("yellow",)),
        ("just4fun", "An,na 23:3; Ben 7", ("An,na 23:3", "Anna yellow")),
        ("numeri", "Anna gelb 6:36 7:36; Ben rot 6:35", ("7@36", "6:36")),
        ("numeri", "", ('beisitzer score numeri "Anna yellow 6:36 5:30; Ben red 6:35"',)),
        ("numeri", "6:36; Ben 6:35", ("6:36", "Anna yellow 6:36 5:30; Ben red 6:35")),
    ],
)
def test_stones_that_cannot_be_are_answered_with_how_they_are_typed(
    game: str, stones: str, named: tuple[str, ...]
) -> None:
    said = refused("score", game, *filter(None, [stones]))
    assert [each for each in named if each not in said] == [], said


@pytest.mark.parametrize("verb", ["show history", "show evening 3", "show statistics"])
def test_where_nothing_was_played_there_is_a_sentence_and_no_refusal(
    verb: str, tmp_path: Path
) -> None:
    result = run(*verb.split(), "--store", str(tmp_path / "none.db"))
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.count("\n") <= 2


@pytest.mark.parametrize(
    "line",
    [
        'language "de"',
        "language = de",
        'language = "de',
        'language = """de',
        'language = "de" "en"',
        'language = "de"\nlanguage = "en"',
        "[oled]\n[oled]",
        "[oled",
        "[keypad]\nrows = [1, 2",
        "x = {a = 1",
        "= 1",
        "!",
        '[store]\npath = "C:\\games"',
        "x = 2026-02-30",
        'x = "1\x01"',
    ],
)
def test_a_mistake_in_toml_is_told_with_its_line_and_without_the_parsers_english(
    tmp_path: Path, line: str
) -> None:
    (tmp_path / "settings.toml").write_text(line, "utf-8")
    said = refused("config")
    assert f"settings.toml, Zeile {line.count(chr(10)) + 1}: " in said
    (tmp_path / "board.toml").write_text(line, "utf-8")
    said = refused("boards", "check", str(tmp_path / "board.toml"))
    for word in ("Expected", "Invalid", "Cannot", "Illegal", "Un", "key", "value", "line"):
        assert word not in said


def test_a_store_that_cannot_be_read_is_refused_without_the_words_of_the_database(
    tmp_path: Path,
) -> None:
    text, people = tmp_path / "text.db", tmp_path / "people"
    text.write_text("no database at all", "utf-8")
    (people / "people.jsonl").mkdir(parents=True)
    for verb in ("show history", "show statistics", "show tables", "show evening", "export"):
        for store in (text, people):
            said = refused(*verb.split(), "--store", str(store))
            assert str(store) in said
            assert "database" not in said
