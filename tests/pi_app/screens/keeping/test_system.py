"""The system menu: settings changed at the table, what the companion is, switching off."""

from pathlib import Path

import pytest

from hardware.keys import Key
from pi_app.files.host import addresses
from pi_app.files.starts import Before
from pi_app.run.session import farewell
from pi_app.screens.base import Quit
from pi_app.settings.schema import Settings
from pi_app.view.frame import Frame, Signal
from pi_app.view.output import Output
from tests.pi_app.desk import Desk


def system(game: bool = False, *, appliance: bool = False) -> Desk:
    """Return a desk with the system menu open."""
    desk = Desk.game("just4fun") if game else Desk()
    desk.ctx.appliance = appliance
    if game:
        desk.key("?")
    choose(desk, "System")
    assert desk.frame.header.title == "System"
    return desk


def choose(desk: Desk, item: str) -> Frame:
    """Go to an item of the list on show and take it."""
    choices = desk.frame.body.choices
    assert choices is not None
    while choices.items[choices.selected] != item:
        choices = desk.key([Key.DOWN]).body.choices
        assert choices is not None
    return desk.key([Key.ENTER])


@pytest.mark.parametrize("game", [False, True])
def test_it_is_reached_from_home_and_from_a_game_and_left_again(game: bool) -> None:
    desk = system(game)
    frame = desk.key("<")
    assert frame.header.title == ("Menu" if game else "Beisitzer")


def test_the_language_changes_at_once_and_is_kept() -> None:
    desk = system()
    kept: list[tuple[str, object]] = []
    desk.ctx.save = lambda key, value: kept.append((key, value))
    choose(desk, "Language")
    frame = choose(desk, "Deutsch")
    assert frame.body.choices is not None
    assert frame.body.choices.items[0] == "Sprache"
    assert kept == [("language", "de")]
    assert desk.ctx.settings.language == "de"


def test_sounds_and_brightness_reach_the_outputs_at_once() -> None:
    desk = system()
    seen: list[Settings] = []

    class Follower(Output):
        def configure(self, settings: Settings) -> None:
            seen.append(settings)

    desk.program.outputs = [*desk.program.outputs, Follower()]
    choose(desk, "Brightness")
    choose(desk, "25 %")
    choose(desk, "Sounds")
    frame = choose(desk, "key: on")
    assert frame.body.choices is not None
    assert frame.body.choices.items[0] == "key: off"
    assert [s.display.brightness for s in seen] == [25, 25]
    assert [s.sounds.tick for s in seen] == [True, False]


def test_a_setting_that_cannot_be_stored_is_said_and_holds_until_the_end() -> None:
    desk = system()

    def full(key: str, value: object) -> None:
        raise OSError(28, f"No space left for {key} = {value}")

    desk.ctx.save = full
    choose(desk, "Brightness")
    frame = choose(desk, "100 %")
    assert "could not be stored" in frame.body.lines[0]
    assert desk.ctx.settings.display.brightness == 100


@pytest.mark.parametrize(("item", "power"), [("Switch off", "off"), ("Restart", "restart")])
def test_an_appliance_can_be_switched_off_and_restarted_after_a_question(
    item: str, power: str
) -> None:
    desk = system(appliance=True)
    choose(desk, item)
    choose(desk, "no")
    assert desk.program.quit is None
    choose(desk, item)
    choose(desk, "yes")
    assert desk.program.quit is not None
    assert desk.program.quit.power == power


def test_the_voice_is_set_at_the_table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.screens.keeping.system.has_program", lambda _: True)
    desk = system()
    kept: list[tuple[str, object]] = []
    desk.ctx.save = lambda key, value: kept.append((key, value))
    choose(desk, "Voice")
    choose(desk, "Says: nothing")
    frame = choose(desk, "everything")
    assert frame.body.choices is not None
    assert frame.body.choices.items == ("Says: everything", "Volume: 80 %")
    choose(desk, "Volume: 80 %")
    choose(desk, "100 %")
    assert kept == [("voice.level", "everything"), ("voice.volume", 100)]
    assert desk.ctx.speaks


def test_a_voice_without_a_program_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.screens.keeping.system.has_program", lambda _: False)
    desk = system()
    choose(desk, "Voice")
    choose(desk, "Says: nothing")
    frame = choose(desk, "calls")
    assert frame.body.lines == ("Nothing speaks here: sudo apt install espeak-ng",)


def test_somebody_elses_machine_is_not_switched_off() -> None:
    desk = system()
    choices = desk.frame.body.choices
    assert choices is not None
    assert choices.items == (
        "Language",
        "Sounds",
        "Voice",
        "Brightness",
        "Window colours",
        "Board in window",
        "Phone",
        "About",
        "Quit",
    )
    choose(desk, "Quit")
    assert desk.program.quit == Quit((Signal.TICK,))


@pytest.mark.parametrize("keys", ["", '@"System"', '@"numeri" @"Start" ?'])
def test_an_appliance_has_no_quit_that_leaves_the_table_dark(keys: str) -> None:
    desk = Desk()
    desk.ctx.appliance = True
    choices = desk.key(keys).body.choices
    assert choices is not None
    assert "Quit" not in choices.items


def test_about_says_what_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pi_app.screens.keeping.system.addresses", lambda: ("192.168.1.7",))
    monkeypatch.setattr(
        "pi_app.screens.keeping.system.throttling", lambda: ("under-voltage-since-start",)
    )
    desk = system()
    desk.ctx.before = Before(clean=False, failed=0)
    frame = choose(desk, "About")
    assert frame.body.lines[0].startswith("Beisitzer ")
    assert frame.body.lines[1:] == (
        "192.168.1.7",
        "Under-voltage: use a stronger power supply.",
        "Last time the power went or it failed.",
    )


def test_the_last_frame_says_that_the_plug_may_be_pulled() -> None:
    desk = Desk()
    assert farewell(desk.ctx, "off").body.lines == ("You may unplug now.",)
    assert farewell(desk.ctx, "restart").body.lines == ("Restarting ...",)


TRIE = """Main:
  +-- 0.0.0.0/0 3 0 5
     |-- 0.0.0.0
        /0 universe UNICAST
     +-- 127.0.0.0/8 2 0 2
        |-- 127.0.0.1
           /32 host LOCAL
     |-- 192.168.1.0
        /24 link UNICAST
     |-- 192.168.1.7
        /32 host LOCAL
Local:
     |-- 192.168.1.7
        /32 host LOCAL
     |-- 192.168.1.255
        /32 link BROADCAST
"""


def test_addresses_are_read_from_the_kernels_table(tmp_path: Path) -> None:
    (tmp_path / "net").mkdir()
    (tmp_path / "net" / "fib_trie").write_text(TRIE)
    assert addresses(tmp_path) == ("192.168.1.7",)
    assert addresses(tmp_path / "nowhere") == ()


def test_safe_mode_is_left_from_the_menu_and_only_from_there() -> None:
    desk = system(appliance=True)
    assert desk.frame.body.choices is not None
    assert "Normal start" not in desk.frame.body.choices.items
    desk = Desk()
    desk.ctx.appliance, desk.ctx.before = True, Before(clean=False, failed=2)
    choose(desk, "System")
    choose(desk, "Normal start")
    assert desk.program.quit is not None
    assert desk.program.quit.power == "again"
    assert farewell(desk.ctx, "again").body.lines == ("Restarting ...",)
