"""One pad's events: presses by the table of times, zeros, NumLock, lost events, letters."""

import re

from hardware.config import PadsConfig, says_of
from hardware.keys import DIAL_KEYS, TIMES, Key
from hardware.pads.reader import EV_KEY, EV_MSC, EV_SYN, KEY_UNKNOWN, MSC_SCAN, Letters, PadReader
from hardware.pads.table import CODES, PRINTED, Layout, letters_of, table_of, with_dice
from tests.hardware.pads.fakes import FakeEvent, change, dropped, tap


def reader(*changes: str, write: Letters = lambda _: (), layout: Layout = "en") -> PadReader:
    config = PadsConfig(keys=changes or "printed")
    return PadReader(table_of(config), letters_of(layout), write)


def heard(reading: PadReader, *events: FakeEvent) -> list[Key]:
    return [key for event in events for key in reading.hear(event)]


def digits(count: int) -> list[FakeEvent]:
    return [event for n in range(count) for event in tap(f"KP{n % 10}", n * 0.1)]


def test_the_length_of_a_press_is_the_kernels_however_late_it_is_read() -> None:
    assert heard(reader(), *tap("BACKSPACE", 5.0, TIMES.hold_s + 0.1)) == [Key.BACK_HELD]
    assert heard(reader(), *tap("BACKSPACE", 5.0, TIMES.hold_s - 0.1)) == [Key.BACK]


def test_the_kernels_repeats_are_ignored() -> None:
    repeats = [event for at in range(9) for event in change("KP4", 2, 0.3 + at / 30, 1)]
    assert heard(reader(), *change("KP4", 1, 0), *repeats, *change("KP4", 0, 1)) == [Key.D4]
    repeats = [event for at in range(9) for event in change("BACKSPACE", 2, 0.3 + at / 30, 1)]
    down, up = change("BACKSPACE", 1, 0), change("BACKSPACE", 0, 1)
    assert heard(reader(), *down, *repeats, *up) == [Key.BACK_HELD]


def test_a_key_of_two_zeros_counts_as_two_however_the_pad_sends_it() -> None:
    assert heard(reader(), *tap("KP0", 0, 0.001), *tap("KP0", 0.002, 0.001)) == [Key.D0, Key.D0]
    special = [
        FakeEvent(kind, code, value)
        for down in (1, 0)
        for kind, code, value in (
            (EV_MSC, MSC_SCAN, 0x700B0),
            (EV_KEY, KEY_UNKNOWN, down),
            (EV_SYN, 0, 0),
        )
    ]
    assert heard(reader(), *special) == [Key.D0, Key.D0]


def test_num_lock_that_a_pad_sends_around_its_digits_itself_is_no_press() -> None:
    events = [*tap("NUMLOCK", 0, 0.008), *tap("KP7", 0.016, 0.06), *tap("NUMLOCK", 0.1, 0.008)]
    assert heard(reader(), *events) == [Key.D7]
    assert heard(reader(), *tap("NUMLOCK", 0, 0.06)) == [Key.MENU]


def test_num_lock_off_changes_nothing() -> None:
    """The kernel's numbers are of keys, not of what NumLock makes of them: there are no arrows."""
    reading = reader()
    assert heard(reading, *tap("KP8"), *tap("NUMLOCK", 1), *tap("KP8", 2), *tap("KPDOT", 3)) == [
        Key.D8, Key.MENU, Key.D8, Key.MENU,
    ]  # fmt: skip


def test_after_dropped_events_it_says_so_and_keys_that_were_down_send_nothing() -> None:
    reading = reader()
    heard(reading, *change("BACKSPACE", 1, 0))
    assert not reading.lost
    assert heard(reading, *dropped(0.5)) == []
    assert reading.lost
    assert reading.presses.due is None
    assert heard(reading, *change("BACKSPACE", 0, 3.0)) == []
    assert heard(reading, *tap("KP5", 4.0)) == [Key.D5]


def test_what_stands_between_dropped_events_and_the_next_report_is_skipped() -> None:
    events = dropped()
    events[1:1] = change("KP5", 1, 0)[:2]
    assert heard(reader(), *events) == []


def test_a_release_that_the_kernel_makes_up_when_a_pad_is_pulled_out_is_no_press() -> None:
    reading = reader()
    heard(reading, *change("BACKSPACE", 1, 0))
    assert heard(reading, *change("BACKSPACE", 0, 0.3, report=1)) == []


def test_letters_reach_a_name_that_is_typed_and_are_keys_else() -> None:
    typed: list[str] = []

    def write(letter: str) -> tuple[Key, ...]:
        typed.append(letter)
        return (Key.D2, Key.STAR)

    assert heard(reader(write=write), *tap("A")) == [Key.D2, Key.STAR]
    assert heard(reader(), *tap("A")) == [Key.UP]
    for name in ("Y", "SEMICOLON", "SPACE"):
        heard(reader(write=write, layout="de"), *tap(name))
    assert typed == ["a", "z", "ö", " "]


def test_the_settings_change_any_key() -> None:
    reading = reader("KPDOT=BACK", "CALC=DIE3", "KP5=none", "F7=BACK_HELD")
    keys = [
        heard(reading, *tap(name, at)) for at, name in enumerate(("KPDOT", "CALC", "KP5", "F7"))
    ]
    assert keys == [[Key.BACK], [Key.DIE3], [], [Key.BACK_HELD]]


def test_the_digits_of_a_second_pad_can_be_die_buttons() -> None:
    reading = PadReader(with_dice(PRINTED), {}, lambda _: ())
    assert heard(reading, *digits(8)) == [
        Key.D0, Key.DIE1, Key.DIE2, Key.DIE3, Key.DIE4, Key.DIE5, Key.DIE6, Key.D7,
    ]  # fmt: skip
    assert heard(reading, *tap("F3", 9)) == [Key.DIE3]


def test_the_settings_take_exactly_the_keys_that_the_table_has() -> None:
    hint = PadsConfig.__annotations__["keys"]
    says = says_of(hint)
    assert says is not None
    for name in CODES:
        assert re.fullmatch(says.pattern, f"{name}=STAR"), name
    for name in ("KPX", "F13", "", "kpdot", "KEY_A"):
        assert not re.fullmatch(says.pattern, f"{name}=STAR"), name
    for key in set(Key) - DIAL_KEYS:  # a pad has digits
        assert re.fullmatch(says.pattern, f"KP1={key}")
    assert not re.fullmatch(says.pattern, "KP1=DIE7")
