"""The lower edge: every key with its whole word, and what holding C does where there is room."""

import pytest

from hardware.keys import Key
from hardware.typefaces import TEXT
from pi_app.displays import oled
from pi_app.displays.oled import rim
from pi_app.view.frame import SoftKey
from tests.pi_app.pilot import Pilot


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize(
    ("game", "keys"),
    [
        ("just4fun", "7#"),
        ("just4fun", "5*"),
        ("just4fun", "44"),
        ("numeri", "d4"),
        ("numeri", "9"),
        ("sequence", "7*1#"),
        ("sequence", "12*2"),
        ("einmaleins", "#42#"),
        ("einmaleins", "#42"),
    ],
)
def test_the_foot_always_says_that_holding_c_does_something(
    game: str, keys: str, language: str
) -> None:
    players = "Anna blue, Ben green" if game == "sequence" else "Anna yellow, Ben red"
    tags = {"Open": "24"} if game == "einmaleins" else {}
    frame = Pilot.game(game, players, language, **tags).key(keys)
    board, body = oled.best_layout(frame)
    shown = rim._boxes(body.keys, oled._foot_width(board))
    assert shown is not None
    assert any(key.key is Key.BACK_HELD or key.sign == "C…" for key, *_ in shown)
    assert all(TEXT.width(key.label) <= room for key, _, room, _ in shown)


def test_keys_keep_their_order_where_there_is_room_for_two() -> None:
    keys = (SoftKey(Key.MENU, "menu"), SoftKey(Key.UP, "other"))
    for given in (keys, keys[::-1]):
        shown = rim._boxes(given, 75) or ()
        assert [key.key for key, *_ in shown] == [Key.UP, Key.MENU]


def test_keys_stand_apart_with_whole_words_and_what_is_to_be_spared_gives_way() -> None:
    spare = SoftKey(Key.BACK_HELD, "zurück", spare=True, sign="C lang")
    two = (SoftKey(Key.UP, "Hand"), SoftKey(Key.MENU, "Menü"))
    three = (SoftKey(Key.UP, "Hilfe"), SoftKey(Key.DOWN, "ziehen"), SoftKey(Key.MENU, "Menü"))
    for keys, kept in (((*two, spare), 3), ((*three, spare), 4)):
        boxes = rim._boxes(keys, 128)
        assert boxes is not None
        assert len(boxes) == kept
        end = -rim._APART
        for key, left, room, _ in boxes:
            assert left >= end + rim._APART
            assert TEXT.width(key.label) <= room
            end = left + rim._sign_width(key) + 2 + TEXT.width(key.label)
        assert end <= 128
    assert rim.foot_fits((SoftKey(Key.ENTER, "übernehmen"), SoftKey(Key.BACK, "zurück")), 128)


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("game", ["just4fun", "sequence"])
def test_the_check_of_the_board_says_what_each_of_its_keys_does(game: str, language: str) -> None:
    players = "Anna blue, Ben green" if game == "sequence" else "Anna yellow, Ben red"
    pilot = Pilot.game(game, players, language)
    pilot.key("?")
    keys = pilot.choose("Check table").keys.soft
    shown = rim._boxes(keys, 128)
    assert shown is not None
    assert rim._words_fit(shown)
    assert {key.key for key, *_ in shown} == {Key.ENTER, Key.STAR, Key.BACK, Key.MENU}
