"""The television's view: large letters, nothing cut, no hand, one key there and back."""

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace

import pygame
import pytest

from pi_app.displays.window import Look
from pi_app.displays.window.ink import text_image
from pi_app.displays.window.television import Page, TelevisionPainter, cover
from pi_app.displays.window.television_words import MATTERS, WORD
from pi_app.displays.window.theme import THEMES
from pi_app.settings.schema import DisplaySettings, Settings
from pi_app.view.frame import Frame, Viewers
from tests.pi_app.displays.window.pilot import SAMPLES, Table, opened
from tests.pi_app.displays.window.test_scenes import writing_faults
from tests.pi_app.displays.window.watch import Watch, Written, watching
from tests.pi_app.pilot import Pilot
from tests.scenes import Scene, scenes

SIZES = ((1920, 1080), (1280, 720), (1024, 600), (800, 480), (1080, 1920))
SCENES = {scene.name: scene for scene in scenes()}
LONG = ("Maximilian-Jos", "Annemarie-Elsa", "Konstantin-Max", "Wilhelmina-Mia", "Gwendolyn-Anne")
"""Names of 14 letters."""


def line_height(units: int, page: Page) -> int:
    """Return the height of a line of letters of this size."""
    return text_image("x", page.px(units), (0, 0, 0)).get_height()


def look_at(
    frame: Frame, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> tuple[Page, Watch]:
    """Return the page that is painted for a frame, and what is written on it."""
    painter = TelevisionPainter(pygame.Surface(size), THEMES["dark"])
    with watching(monkeypatch, painter.surface) as watch:
        painter.paint(frame)
    assert painter.page is not None
    return painter.page, watch


def faults(frame: Frame, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return everything that is wrong with the television's picture of a frame."""
    page, watch = look_at(frame, size, monkeypatch)
    watch.written = [each for each in watch.written if not page.drawing.contains(each.box)]
    texts = watch.written
    said = " ".join(each.text for each in texts)
    wrong = [*writing_faults(watch), *_missing(page, texts, said)]
    least = line_height(WORD, page)
    wrong += [f"{each.text!r} is small" for each in texts if each.high < least]
    scrolls = {soft.label for soft in frame.keys.soft if soft.scrolls}
    if not (page.scrolls or frame.body.top):
        wrong += [f"{each.text!r} does nothing" for each in texts if each.text in scrolls]
    wrong += [f"{each.text!r} is short" for each in texts if each.text.endswith("…")]
    return wrong + _small(page, texts)


def _missing(page: Page, texts: list[Written], said: str) -> list[str]:
    """Say what of a frame is not written."""
    frame, body = page.frame, page.frame.body
    wanted = [frame.header.title]
    for seat in frame.extras.seats:
        wanted += [seat.name, seat.score, seat.note]
    if frame.alert is not None:
        wanted.append(frame.alert.text)
    if body.entry is not None:
        wanted += [body.entry.text, body.entry.verdict]
    wanted.append(body.big)
    wanted += [
        soft.label
        for soft in frame.keys.soft
        if not soft.spare and (page.scrolls or not soft.scrolls)
    ]
    if not page.scrolls:
        wanted += body.lines[body.top :]
    if body.choices is not None and len(body.choices.items) <= 9:
        choices = body.choices
        rows = [(choices.sentence(n), choices.words(n)) for n in range(len(choices.items))]
        wanted += [
            long for long, short in rows if not any(each.text in (long, short) for each in texts)
        ]
    return [
        f"{text!r} is missing" for text in wanted if not all(word in said for word in text.split())
    ]


def _small(page: Page, texts: list[Written]) -> list[str]:
    """Say what matters and is not large."""
    large = line_height(MATTERS, page)
    frame = page.frame
    titles = [each for each in texts if page.head.contains(each.box)][-1:]
    if len(frame.header.title) <= 16:
        wrong = [f"title {each.text!r} is small" for each in titles if each.high < large]
    else:
        wrong = []
    if len(frame.extras.seats) <= 6:
        scores = [each for each in texts if any(card.contains(each.box) for card in page.cards)]
        wanted = {seat.score for seat in frame.extras.seats}
        wrong += [
            f"score {each.text} is small"
            for each in scores
            if each.text in wanted and each.high < large
        ]
    return wrong


@pytest.mark.parametrize("scene", SCENES.values(), ids=lambda scene: scene.name)
def test_nothing_of_a_scene_is_missing_cut_small_or_written_over(
    scene: Scene, third_language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = []
    for language in ("en", "de", third_language):
        pilot = Pilot.scene(scene, language)
        public = None if pilot.frame.secret else pilot.frame
        frame = cover(pilot.key(scene.keys), public)
        for size in SIZES:
            found = faults(frame, size, monkeypatch)
            wrong += [f"{language} {size[0]}x{size[1]}: {fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize(
    "name",
    ["einmaleins-six-players", "sequence-won-by-a-team", "just4fun-blocked", "numeri-chain"],
)
@pytest.mark.parametrize("size", SIZES)
def test_names_of_14_letters_are_whole_for_six_players_too(
    name: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = SCENES[name]
    frame = Pilot.scene(scene, "de").key(scene.keys)
    names = [*LONG, "Friedrich-Carl"]
    seats = tuple(
        replace(seat, name=name) for seat, name in zip(frame.extras.seats, names, strict=False)
    )
    frame = replace(
        frame,
        header=replace(frame.header, title=LONG[0]),
        extras=replace(frame.extras, seats=seats, moves=()),
    )
    assert not faults(frame, size, monkeypatch)


class Television(Table):
    """A window whose setting is the television's view."""

    def __init__(self, look: Look | None = None) -> None:
        super().__init__(look or Look(view="television", size=(1920, 1080), animation=False))


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    yield from opened(Table, monkeypatch)


@pytest.fixture
def television(monkeypatch: pytest.MonkeyPatch) -> Iterator[Television]:
    yield from opened(Television, monkeypatch)


def test_one_key_switches_to_the_television_and_back(table: Table) -> None:
    table.window.show(SAMPLES["notice"])
    shown = table.pixels()
    assert table.type(pygame.K_F12) == []
    assert table.window.look.afar
    assert table.pixels() != shown
    assert table.type(pygame.K_F12) == []
    assert table.pixels() == shown


def test_the_setting_begins_with_the_television_and_a_touch_shows_the_table(
    television: Television,
) -> None:
    television.window.show(SAMPLES["notice"])
    assert television.window.targets == []
    television.post(pygame.MOUSEBUTTONDOWN, button=1, touch=False, pos=(960, 540))
    television.post(pygame.MOUSEBUTTONUP, button=1, touch=False, pos=(960, 540))
    assert television.heard() == []
    assert not television.window.look.afar
    assert television.window.targets


def test_the_view_chosen_at_the_table_reaches_the_window(table: Table) -> None:
    table.window.show(SAMPLES["notice"])
    table.window.configure(Settings(display=DisplaySettings(view="television")))
    assert table.window.look.afar
    table.window.configure(Settings())
    assert not table.window.look.afar


def test_the_television_never_rests(television: Television) -> None:
    television.window.show(SAMPLES["notice"])
    shown = television.pixels()
    television.clock.now += 1000
    television.window.poll()
    assert not television.window.resting
    assert television.pixels() == shown


def test_a_hand_is_not_shown_to_the_room(
    television: Television, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = SCENES["sequence-hand"]
    pilot = Pilot.scene(scene, "de")
    television.window.show(pilot.frame)
    assert television.window.painter is not None
    frame = pilot.key(scene.keys)
    assert frame.secret
    assert frame.body.choices is not None
    with watching(monkeypatch, television.window.painter.surface) as watch:
        television.window.show(frame)
    said = {each.text for each in watch.written}
    assert {frame.header.title, "Anna", "Ben"} <= said
    assert not said & {*frame.body.choices.items, *frame.body.choices.sentences}


def test_a_hand_at_the_very_beginning_shows_its_title_only() -> None:
    frame = replace(SAMPLES["free"], viewers=Viewers.TABLE)
    covered = cover(frame, None)
    assert covered.header == frame.header
    assert covered.body.entry is None
    assert covered.extras.seats == ()


def test_the_same_frame_is_painted_once() -> None:
    painter = TelevisionPainter(pygame.Surface((1280, 720)), THEMES["dark"])
    assert painter.paint(SAMPLES["free"])
    assert painter.paint(SAMPLES["free"]) == []


def test_a_window_for_the_table_does_not_load_the_television() -> None:
    code = (
        "import sys\n"
        "from pi_app.displays.window import Look, WindowDisplay\n"
        "from pi_app.view.frame import Frame, Header\n"
        "from pi_app.view.inputs import KeyQueue\n"
        "window = WindowDisplay(KeyQueue(), Look())\n"
        "window.show(Frame(Header('Anna')))\n"
        "assert 'pi_app.displays.window.television' not in sys.modules\n"
    )
    env = {"SDL_VIDEODRIVER": "dummy", "PATH": ""}
    subprocess.run([sys.executable, "-c", code], check=True, env=env)
