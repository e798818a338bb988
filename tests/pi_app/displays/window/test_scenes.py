"""Every scene at every size: nobody and nothing is missing, hidden, cut or written over."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import pygame
import pytest

from hardware.keys import Key
from pi_app.displays.window import ink
from pi_app.displays.window.layout import Places
from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import RGB, THEMES, Theme
from pi_app.displays.window.touch import Choose, Target
from pi_app.texts.language import LANGUAGES
from pi_app.view.frame import Body, Choices, Entry, Frame, Header, SoftKey, Tone
from tests.pi_app.displays.menus import AREAS, walked
from tests.pi_app.displays.window.samples import contrast, frames
from tests.pi_app.displays.window.test_colours import READS
from tests.pi_app.displays.window.watch import SIZES, Watch, Written, watching
from tests.pi_app.pilot import Pilot, frame_of
from tests.scenes import FILES, Scene, scenes, scenes_of

DARK = THEMES["dark"]
HELD_FLOOR_PX = 12
"""What a key does while it is held is written no smaller than this, in pixels."""


def faults(
    frame: Frame, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch, *, keypad: bool = True
) -> list[str]:
    """Return everything that is wrong with the window's picture of a frame."""
    painter = Painter(pygame.Surface(size), DARK)
    painter.keypad = keypad
    with watching(monkeypatch, painter.surface) as watch:
        painter.paint(frame)
    at = painter.layout
    assert at is not None
    return [
        *_players(frame, at, watch),
        *_choices(frame, painter.targets, watch),
        *_soft_keys(frame, painter.targets, watch, keypad=at.keypad),
        *_sentences(frame, at, painter.targets, watch),
        *writing_faults(watch),
    ]


def sizes_of(
    frame: Frame, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> dict[str, int]:
    """Return the size in pixels in which each text of a frame was written."""
    sizes: dict[str, int] = {}
    draw = ink.text_image

    def noted(text: str, size: int, colour: RGB) -> pygame.Surface:
        sizes[text] = size
        return draw(text, size, colour)

    with monkeypatch.context() as patch:
        patch.setattr(ink, "text_image", noted)
        Painter(pygame.Surface(size), DARK).paint(frame)
    return sizes


def _players(frame: Frame, at: Places, watch: Watch) -> list[str]:
    """Say which player has no name, no score or no hand in sight."""
    found = watch.inside(at.players)
    wanted = [
        text for seat in frame.extras.seats for text in (seat.name, seat.score, seat.note) if text
    ]
    missing = []
    for text in wanted:
        shown = next((each for each in found if each.says(text)), None)
        if shown is None or not _seen(shown, watch.surface):
            missing.append(f"player's {text!r}")
        else:
            found.remove(shown)
    return missing


def _choices(frame: Frame, targets: Sequence[Target], watch: Watch) -> list[str]:
    """Say which choice cannot be seen with its digit, or be touched."""
    choices = frame.body.choices
    if choices is None:
        return []
    boxes = {each.deed.steps: each.box for each in targets if isinstance(each.deed, Choose)}
    whole = len(choices.items) <= 9
    missing = []
    for index, item in enumerate(choices.items):
        box = boxes.get(index - choices.selected)
        if box is None:
            if whole or index == choices.selected:
                missing.append(f"choice {item!r}")
            continue
        texts = [each for each in watch.inside(box) if _seen(each, watch.surface)]
        words = {choices.sentence(index) or item, choices.words(index) or item}
        lines = " ".join(each.text for each in texts if each.text != choices.digit(index))
        if not ({lines} & words or any(each.says(said) for each in texts for said in words)):
            missing.append(f"choice {item!r} in its place")
        digit = choices.digit(index)
        if digit and not any(each.text == digit for each in texts):
            missing.append(f"digit of {item!r}")
    scrolls = {Key.UP, Key.DOWN} & {each.deed for each in targets}
    if len(boxes) < len(choices.items) and not scrolls:
        missing.append("arrows beside the list")
    return missing


def _soft_keys(frame: Frame, targets: Sequence[Target], watch: Watch, *, keypad: bool) -> list[str]:
    """Say which soft key cannot be touched or has no word."""
    boxes = {each.deed: each.box for each in targets}
    missing = [f"key {n}" for n in frame.keys.dice if Key(f"DIE{n}") not in boxes]
    for soft in frame.keys.soft:
        if soft.scrolls or soft.key.die:
            continue
        # what a key does when it is held stands on the key itself
        box = boxes.get(Key.BACK if keypad and soft.key is Key.BACK_HELD else soft.key)
        if box is None:
            missing.append(f"key {soft.label!r}")
        elif not _labelled(soft, box, watch):
            missing.append(f"word of {soft.label!r}{' on the keypad' if keypad else ''}")
    return missing


def _labelled(soft: SoftKey, box: pygame.Rect, watch: Watch) -> bool:
    """Tell whether a key says what it does; whole, where it does so only while it is held."""
    found = [each for each in watch.inside(box) if _seen(each, watch.surface)]
    if not soft.sign:
        return any(each.says(soft.label) for each in found)
    texts = {each.text for each in found}
    return f"{soft.sign}: {soft.label}" in texts or {soft.sign, soft.label} <= texts


def _sentences(frame: Frame, at: Places, targets: Sequence[Target], watch: Watch) -> list[str]:
    """Say which sentence is not there although nothing scrolls to it."""
    arrows = [each for each in targets if each.deed is Key.DOWN and at.body.contains(each.box)]
    if arrows or frame.body.top:
        return []
    said = " ".join(each.text for each in watch.written)
    return [
        f"sentence {line!r}"
        for line in frame.body.lines
        if not all(word in said for word in line.split())
    ]


def writing_faults(watch: Watch) -> list[str]:
    """Say which text is cut by its region, lies on another one, or cannot be seen."""
    wrong = [f"{each.text!r} is cut" for each in watch.written if not each.clip.contains(each.box)]
    boxes = [each.box for each in watch.written]
    for number, each in enumerate(watch.written):
        other = each.box.collidelist(boxes[number + 1 :])
        if other >= 0:
            wrong.append(f"{each.text!r} lies on {watch.written[number + 1 + other].text!r}")
        if not _seen(each, watch.surface):
            wrong.append(f"{each.text!r} has no pixels")
    return wrong


def _seen(each: Written, surface: pygame.Surface) -> bool:
    """Tell whether pixels of a text's colour are where it was written."""
    place = each.box.clip(surface.get_rect())
    if not place.width or not place.height:
        return False
    near = (110, 110, 110, 255)
    return pygame.mask.from_threshold(surface.subsurface(place), each.colour, near).count() > 0


Combinations = list[tuple[tuple[int, int], bool]]
COMBINATIONS: Combinations = [(size, keypad) for size in SIZES for keypad in (True, False)]


def two_of(index: int) -> Combinations:
    """Return two combinations of size and keypad: other ones for each scene, each equally often."""
    other = index + 1 + index // len(COMBINATIONS) % (len(COMBINATIONS) - 1)
    return [COMBINATIONS[each % len(COMBINATIONS)] for each in (index, other)]


def all_faults(
    frames: Iterable[tuple[Frame, Combinations]], monkeypatch: pytest.MonkeyPatch
) -> list[str]:
    """Return what is wrong with frames, each at its combinations."""
    return [
        f"{frame.header.title} {size[0]}x{size[1]}{'' if keypad else ' without keypad'}: {fault}"
        for frame, combinations in frames
        for size, keypad in combinations
        for fault in faults(frame, size, monkeypatch, keypad=keypad)
    ]


@pytest.mark.parametrize("night", [False, pytest.param(True, marks=pytest.mark.nightly)])
@pytest.mark.parametrize("file", FILES)
def test_nothing_of_a_scene_is_missing_cut_or_written_over(
    file: str, monkeypatch: pytest.MonkeyPatch, *, night: bool
) -> None:
    """Each scene in one language at two combinations of size and keypad; at night in all."""
    wrong = []
    for index, scene in enumerate(scenes_of(file), len(file)):
        languages = LANGUAGES if night else (("de", "en")[index % 3 == 0],)
        combinations = COMBINATIONS if night else two_of(index)
        frames = [(frame_of(scene, language), combinations) for language in languages]
        found = all_faults(frames, monkeypatch)
        wrong += [f"{scene.name}: {fault}" for fault in found]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("area", AREAS)
def test_nothing_of_a_menu_is_missing_cut_or_written_over(
    area: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    frames = walked(area, "de", tmp_path / "de").values()
    each = [(frame, two_of(index)[:1]) for index, frame in enumerate(frames)]
    wrong = all_faults(each, monkeypatch)
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", ["1#", "1# 7*2*20"])
def test_what_a_key_does_while_it_is_held_is_whole_and_can_be_read(
    keys: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = Scene("", keys, PEOPLE | {"Game": "just4fun"})
    frame = Pilot.scene(scene, "de").key(keys)
    held = next(soft for soft in frame.keys.soft if soft.sign)
    sizes = sizes_of(frame, size, monkeypatch)
    together = f"{held.sign}: {held.label}"
    words = (together,) if together in sizes else (held.label, held.sign)
    assert min(sizes[text] for text in words) >= HELD_FLOOR_PX


LISTS = ("home-set-up", "home-seat", "system-menu", "just4fun-menu", "history-games")


@pytest.mark.parametrize("size", [(800, 480), (1024, 600), (1920, 1080)])
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_items_of_a_list_have_one_size_and_columns_where_that_makes_them_larger(
    language: str, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    for scene in (scene for scene in scenes() if scene.name in LISTS):
        frame = frame_of(scene, language)
        choices = frame.body.choices
        assert choices is not None
        sizes = sizes_of(frame, size, monkeypatch)
        items = range(len(choices.items))
        shown = [{choices.sentence(at), choices.words(at)} & set(sizes) for at in items]
        (letters,) = {sizes[text] for texts in shown for text in texts}
        assert all(shown)
        assert letters >= size[1] // 30, scene.name
        painter = Painter(pygame.Surface(size), DARK)
        painter.paint(frame)
        lefts = {each.box.left for each in painter.targets if isinstance(each.deed, Choose)}
        assert (len(lefts) > 1) >= (len(choices.items) > 7), scene.name


@pytest.mark.parametrize("size", SIZES)
def test_the_game_that_waits_is_the_largest_item_of_the_first_menu(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = frames()["home"]
    choices = frame.body.choices
    assert choices is not None
    sizes = sizes_of(frame, size, monkeypatch)
    others = [sizes[choices.words(at)] for at in range(1, len(choices.items))]
    waiting = sizes.get(choices.sentence(0)) or sizes[choices.words(0)]
    assert waiting > max(others) or size[0] < size[1]


@pytest.mark.parametrize("size", SIZES)
def test_an_item_that_is_its_own_number_is_written_as_large_as_its_neighbours(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = Frame(
        Header("Rounds"), Body(choices=Choices(("0 all", "10", "25"), digits=("0", "10", "25")))
    )
    sizes = sizes_of(frame, size, monkeypatch)
    assert sizes["10"] == sizes["25"] == sizes["all"] > sizes["0"]


PEOPLE = {"Players": "Anna yellow, Ben red"}
CARDS = (
    Scene("companion's", '@"Just 4 Fun" 4 6 3 < 1 #'),
    Scene("just4fun", "^", PEOPLE | {"Game": "just4fun"}),
    Scene(
        "einmaleins",
        "^#",
        PEOPLE | {"Game": "einmaleins", "Position": "yellow 3; red 3; open 24=4x6"},
    ),
)
"""Screens on which the first card is to be keyed now."""


@pytest.mark.parametrize("scene", CARDS, ids=lambda scene: scene.name)
@pytest.mark.parametrize("size", [*SIZES, (820, 720)])
def test_cards_can_be_keyed_by_touch_alone_from_the_first_key_on(
    scene: Scene, size: tuple[int, int]
) -> None:
    pilot = Pilot.scene(scene, "de")
    pilot.key(scene.keys)
    for keys in ("", "1", "<"):
        frame = pilot.key(keys)
        assert frame.secret
        painter = Painter(pygame.Surface(size), DARK)
        painter.paint(frame)
        deeds = {each.deed for each in painter.targets}
        assert deeds >= {Key(str(digit)) for digit in range(10)}, keys


@pytest.mark.parametrize("size", SIZES)
def test_a_long_verdict_for_many_players_is_whole(
    size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    frame = frames()["blocked"]
    verdict = "33 blocked: Maximilian leads by 2 on it"
    frame = replace(frame, body=replace(frame.body, entry=Entry("16+17", verdict, Tone.BAD)))
    painter = Painter(pygame.Surface(size), DARK)
    with watching(monkeypatch, painter.surface) as watch:
        painter.paint(frame)
    said = " ".join(each.text.strip() for each in watch.written)
    assert verdict in said
    assert not faults(frame, size, monkeypatch)


@pytest.mark.parametrize("theme", THEMES.values(), ids=lambda theme: theme.name)
@pytest.mark.parametrize("nth", [pytest.param(1, marks=pytest.mark.nightly), 6])
def test_every_pair_of_colours_that_carries_text_reads_well(
    nth: int, theme: Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Pairs are found by looking at what lies under each text of each, or each nth, scene."""
    pairs: dict[tuple[RGB, RGB], str] = {}
    for scene in scenes()[::nth]:
        frame = frame_of(scene, "de")
        painter = Painter(pygame.Surface((800, 480)), theme)
        with watching(monkeypatch, painter.surface, grounds=True) as watch:
            painter.paint(frame)
        for each in watch.written:
            for ground in each.grounds:
                pairs.setdefault((each.colour, ground), f"{each.text!r} in {scene.name}")
    weak = {pair: where for pair, where in pairs.items() if contrast(*pair) < READS}
    assert len(pairs) > 20
    assert not weak
