"""No text leaves its box, nothing to be touched is off the screen: every page at every size."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.layout import (
    HOLDING,
    SIZES,
    Size,
    State,
    drawn,
    faults,
    hand_states,
    look_back,
    show,
    table_states,
)
from tests.pi_app.phones.web.stage import Stage

Fault = tuple[str, str]

LARGE = """addEventListener("DOMContentLoaded", () => {
  document.documentElement.style.fontSize = "32px";
})"""
"""Letters of twice the size, as somebody sets them for every page."""


each_nth = pytest.mark.parametrize("nth", [pytest.param(1, marks=pytest.mark.nightly), len(SIZES)])
"""Each state of a page at every size, or at one: the next one for the next state."""


def some_of(sizes: tuple[Size, ...], number: int, nth: int) -> tuple[Size, ...]:
    """Return each nth of the sizes: other ones for each state of a page, each equally often."""
    return sizes[number % nth :: nth] or sizes


def _noted(found: dict[Fault, list[Size]], name: str, said: dict[str, list[Size]]) -> None:
    found.update({(name, fault): sizes for fault, sizes in said.items()})


def _told(found: dict[Fault, list[Size]]) -> str:
    """Say what is wrong: each fault once, with the states and sizes where it is seen."""
    faults: dict[str, dict[str, list[str]]] = {}
    for (state, fault), sizes in found.items():
        faults.setdefault(fault, {})[state] = [f"{wide}x{high}" for wide, high in sizes]
    return "\n".join(
        f"{fault}\n" + "\n".join(f"    {state}: {' '.join(at)}" for state, at in states.items())
        for fault, states in faults.items()
    )


def _walk(
    stage: Stage,
    device: Device,
    path: str,
    states: Iterable[State],
    nth: int,
    sizes: tuple[Size, ...] = SIZES,
) -> None:
    """Show the page in each state; fail with everything that is wrong anywhere."""
    device.page.emulate_media(reduced_motion="reduce")  # stones lie still
    found: dict[Fault, list[Size]] = {}
    opened = False
    for number, state in enumerate(states):
        n = show(stage, state)
        if not opened:
            device.open(path)
            opened = True
        drawn(device, n)
        _noted(found, state.name, faults(device, some_of(sizes, number, nth)))
    assert not found, _told(found)


@each_nth
def test_the_board_page_holds_at_every_size(stage: Stage, nth: int) -> None:
    _walk(stage, stage.device(), "/", table_states(), nth)


@each_nth
def test_the_keys_hold_at_every_size(stage: Stage, nth: int) -> None:
    _walk(stage, stage.device(), "/keys", table_states(), nth)


@each_nth
def test_a_hand_holds_at_every_size(stage: Stage, nth: int) -> None:
    device = stage.device()
    device.context.add_init_script(HOLDING)
    _walk(stage, device, "/play", hand_states(), nth)


def test_a_hand_in_letters_of_twice_the_size_holds_on_a_phone(stage: Stage) -> None:
    device = stage.device()
    device.context.add_init_script(f"{HOLDING}; {LARGE}")
    _walk(stage, device, "/play", hand_states(), 1, ((390, 844),))


@each_nth
def test_looking_back_holds_at_every_size(stage: Stage, place: Path, nth: int) -> None:
    device = stage.device()
    found: dict[Fault, list[Size]] = {}
    for language in ("de", "en") if nth == 1 else ("de",):
        for number, (at, answers) in enumerate(look_back(place, language)):
            stage.companion.answers |= answers
            stage.companion.language = language
            device.page.goto("about:blank")
            device.open(f"/history{at}")
            device.page.locator("main h1").wait_for()
            sizes = some_of(SIZES, number, nth)
            _noted(found, f"{at or 'games'} {language}", faults(device, sizes))
    assert not found, _told(found)


@each_nth
def test_pairing_holds_at_every_size(stage: Stage, nth: int) -> None:
    found: dict[Fault, list[Size]] = {}
    stage.scene("just4fun-free", "de")
    for number, paired in enumerate((False, True)):
        device = stage.device(paired=paired)
        device.open("/pair")
        device.page.locator("form input").wait_for()
        _noted(found, f"paired: {paired}", faults(device, some_of(SIZES, number, nth)))
    assert not found, _told(found)
