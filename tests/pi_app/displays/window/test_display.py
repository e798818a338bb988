"""What happened moves for a moment; the window follows its settings, size and hour."""

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from hardware.keys import Key
from pi_app.displays.window import (
    Look,
    NoWindowError,
    WindowDisplay,
    WindowShots,
    bare_trouble,
    ink,
    open_window,
    video_drivers,
)
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import RGB, THEMES
from pi_app.displays.window.touch import Choose
from pi_app.screens.playing.games import playable_games
from pi_app.settings.schema import DisplaySettings, Settings
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.language import Texts
from pi_app.view.frame import (
    Board,
    Body,
    Cell,
    Choices,
    Frame,
    Header,
    Picture,
    Signal,
    Tone,
)
from pi_app.view.inputs import KeyQueue, Tap
from tests.pi_app.displays.window.watch import SIZES
from tests.pi_app.pilot import Clock, Pilot
from tests.players.window import SAMPLES, Table, opened


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    yield from opened(Table, monkeypatch)


def test_a_pressed_key_looks_pressed_and_then_as_before(table: Table) -> None:
    table.window.show(SAMPLES["free"])
    before, point = table.pixels(), table.place(Key.D7)
    table.down(Key.D7)
    assert table.pixels() != before
    table.up(point)
    assert table.pixels() == before


def test_closing_the_window_ends_the_program(table: Table) -> None:
    table.post(pygame.QUIT)
    assert table.keys.stopped


def test_a_larger_window_is_painted_anew(table: Table) -> None:
    table.window.show(SAMPLES["free"])
    pygame.display.set_mode((1280, 720))
    table.post(pygame.VIDEORESIZE, size=(1280, 720), w=1280, h=720)
    assert max(each.box.right for each in table.window.targets) > 1200
    assert table.click(Tap("34")) == [Tap("34")]


@pytest.mark.parametrize("size", [(800, 480), (1400, 720)])
def test_the_rig_shows_the_oled_and_where_there_is_room_the_board(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    table = Table(Look(rig=True, size=size))
    table.window.show(SAMPLES["free"])
    before = table.pixels()
    table.window.signal(Signal.BAD)
    assert table.pixels() != before
    beside = any(isinstance(each.deed, Tap) for each in table.window.targets)
    assert beside is (size[0] > 1000)
    table.window.close()


@pytest.mark.parametrize("look", [Look(), Look(size=(1280, 720), rig=True), Look(size=(640, 400))])
@pytest.mark.parametrize("room", [(800, 440), (1022, 558), (640, 360), (1920, 1040)])
def test_the_window_is_never_larger_than_its_room_and_draws_everything_in_it(
    look: Look, room: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    table = Table(look, pygame.Rect((0, 40), room))
    expected = (min(look.size[0], room[0]), min(look.size[1], room[1]))
    assert pygame.display.get_window_size() == expected
    table.window.show(SAMPLES["free"])
    whole = pygame.Rect((0, 0), expected)
    targets = table.window.targets
    assert all(whole.contains(each.box) for each in targets)
    assert {Key.ENTER, Key.STAR} <= {each.deed for each in targets}
    assert not look.rig or {Key.D0, Key.DIE6} <= {each.deed for each in targets}
    table.window.close()


def test_a_title_bar_that_turns_out_higher_or_missing_is_made_room_for_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    for shown in ((796, 410), (800, 480)):
        table = Table(room=pygame.Rect(0, 40, 800, 440))
        table.room = pygame.Rect((0, 0), shown)
        table.post(pygame.WINDOWEXPOSED)
        assert pygame.display.get_window_size() == table.window.surface.get_size() == shown
        table.room = pygame.Rect(0, 0, 500, 300)  # the desktop's own size stays from now on
        table.post(pygame.WINDOWEXPOSED)
        assert pygame.display.get_window_size() == shown
        table.window.close()


@pytest.mark.parametrize("card", [None, "locked", "there"])
def test_without_a_desktop_one_sentence_says_what_is_missing(
    card: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SDL_VIDEODRIVER", "DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    if card:
        (tmp_path / "card0").touch()
    monkeypatch.setattr(os, "access", lambda *_: card == "there")

    def fail(*_: object, **__: object) -> None:
        raise pygame.error("kmsdrm not available")

    monkeypatch.setattr("pi_app.displays.window.opening.WindowDisplay", fail)
    monkeypatch.setattr("pi_app.displays.window.opening.video_drivers", lambda: ("x11",))
    with pytest.raises(NoWindowError) as caught:
        open_window(KeyQueue(), tx=Texts("en"), bare=True, devices=tmp_path)
    wanted = {None: "vc4-kms-v3d", "locked": "usermod", "there": "python3-pygame"}[card]
    assert wanted in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "SDL_VIDEODRIVER" not in os.environ


def test_an_sdl_that_cannot_draw_on_a_bare_screen_is_named_with_what_helps() -> None:
    tx, version = Texts("en"), ".".join(map(str, pygame.get_sdl_version()))
    assert f"SDL {version}" in (told := bare_trouble(tx, ("x11", "wayland")))
    assert "python3-pygame" in told
    told = bare_trouble(tx, ("x11", "kmsdrm"), ("libNoSuch.so.1",))
    assert "libNoSuch.so.1" in told
    assert "libegl1 libgles2 libgl1-mesa-dri" in told
    assert bare_trouble(tx, ("kmsdrm",), ()) == ""


def test_this_sdl_is_asked_what_it_was_built_with_and_none_elsewhere(tmp_path: Path) -> None:
    assert "dummy" in video_drivers()
    assert video_drivers(tmp_path / "maps") == ()


def test_a_desktop_that_refuses_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "no-such-driver")
    with pytest.raises(NoWindowError, match="no-such-driver not available"):
        open_window(KeyQueue())


def test_shots_are_written_without_a_window(tmp_path: Path) -> None:
    shots = WindowShots(tmp_path)
    shots.show(SAMPLES["free"])
    shots.show(SAMPLES["free"])
    entry = SAMPLES["free"].body.entry
    assert entry is not None
    shots.show(replace(SAMPLES["free"], body=Body(entry=replace(entry, tone=Tone.BAD))))
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "window-0001.png",
        "window-0002.png",
    ]
    assert pygame.image.load(tmp_path / "window-0001.png").get_size() == (800, 480)


class Large(Table):
    """A large window whose hour can be set; the theme follows it."""

    def __init__(self, size: tuple[int, int] = (1280, 720), theme: str = "dark") -> None:
        self.clock = Clock()
        self.keys = KeyQueue()
        self.keys.open()
        self.hour = 12
        look = Look(size=size, theme=theme)
        self.window = WindowDisplay(self.keys, look, self.clock, lambda: self.hour)

    def wait(self, seconds: float) -> None:
        self.clock.now += seconds
        self.window.poll()


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> Iterator[Large]:
    yield from opened(Large, monkeypatch)


def test_settings_changed_at_the_table_reach_the_window(large: Large) -> None:
    large.window.show(SAMPLES["notice"])
    dark = large.pixels()
    light = DisplaySettings(theme="light", board="player")
    large.window.configure(Settings(language="de", display=light))
    assert large.pixels() != dark
    assert large.window.painter is not None
    assert not large.window.painter.fixed
    assert large.window.painter.letters == "de"
    large.window.configure(Settings())
    assert large.pixels() == dark


def test_the_theme_follows_the_time_of_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    table = Large(theme="day")
    table.window.show(SAMPLES["free"])
    corner = table.window.surface.get_at
    day = corner((1279, 719))
    table.hour = 22
    table.wait(1)
    assert corner((1279, 719)) != day
    table.hour = 7
    table.wait(1)
    assert corner((1279, 719)) == day
    table.window.close()


def test_a_board_that_is_turned_lies_as_on_the_table_unless_it_is_to_face_the_player() -> None:
    cells = tuple(Cell(str(n), str(n)) for n in range(9))
    quarter = tuple(cells[n] for n in (6, 3, 0, 7, 4, 1, 8, 5, 2))
    picture = Picture("grid", 3, quarter, turned=1)
    assert picture.turn_back().cells == cells
    for fixed, expected in ((True, cells), (False, quarter)):
        painter = Painter(pygame.Surface((800, 480)), THEMES["dark"], fixed=fixed)
        painter.paint(Frame(Header("Board"), board=Board(picture=picture)))
        taps = [each.deed.name for each in painter.targets if isinstance(each.deed, Tap)]
        assert taps == [cell.name for cell in expected]


def test_whatever_has_a_board_is_shown_as_a_tile_also_a_game_of_tomorrow() -> None:
    board = SAMPLES["free"].board.picture
    items = ("Go on", "Halma", "Mill", "System")
    choices = Choices(items, picture_of=lambda item: board if item in items[1:3] else None)
    painter = Painter(pygame.Surface((800, 480)), THEMES["dark"])
    painter.paint(Frame(Header("Beisitzer"), Body(choices=choices)))
    boxes = {each.deed.steps: each.box for each in painter.targets if isinstance(each.deed, Choose)}
    assert all((boxes[n].height > 150) is (n in (1, 2)) for n in range(4))
    for n in (1, 2):
        place = boxes[n].inflate(-40, -90)
        colours = {
            tuple(painter.surface.get_at((x, place.centery)))
            for x in range(place.left, place.right)
        }
        assert len(colours) > 5


def test_the_home_screen_shows_the_empty_board_of_every_game() -> None:
    choices = Pilot().frame.body.choices
    assert choices is not None
    assert choices.picture_of is not None
    boards = {item: choices.picture_of(item) for item in choices.items}
    assert [item for item, board in boards.items() if board is not None] == [
        PRESENTATIONS[name].name(Texts("en")) for name in playable_games()
    ]
    assert not any(cell.tokens for board in boards.values() if board for cell in board.cells)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de"])
def test_the_names_of_tiles_have_one_size_and_so_have_the_rows_below_them(
    size: tuple[int, int], language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pilot = Pilot(language=language)
    frame = pilot.key('@"Just 4 Fun" # 5# ? @"New game"')
    assert frame.body.choices is not None
    assert frame.body.choices.picture_of is not None
    sizes: dict[str, int] = {}
    draw = ink.text_image

    def noted(text: str, size: int, colour: RGB) -> pygame.Surface:
        sizes[text] = size
        return draw(text, size, colour)

    monkeypatch.setattr(ink, "text_image", noted)
    Painter(pygame.Surface(size), THEMES["dark"]).paint(frame)
    for tiles in (True, False):
        items = [
            n
            for n in frame.body.choices.items[1:]  # the game that waits is larger
            if (frame.body.choices.picture_of(n) is None) != tiles
        ]
        assert len({sizes[item] for item in items}) == 1
