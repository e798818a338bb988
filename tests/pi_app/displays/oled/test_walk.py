"""Every scene on the OLED: everything said is seen, nothing overlaps, nothing is cut in silence."""

from dataclasses import dataclass, replace

import pytest

from hardware.framebuffer import Framebuffer
from hardware.typefaces import TEXT, Typeface
from pi_app.displays import oled
from pi_app.displays.oled.rim import TOP
from pi_app.texts.language import LANGUAGES
from pi_app.view.frame import Frame, Header, SoftKey
from tests.pi_app.pilot import frame_of
from tests.scenes import FILES, scenes, scenes_of

NIGHT = pytest.mark.nightly

Pixels = frozenset[tuple[int, int]]


@dataclass(frozen=True)
class Said:
    """A text that was drawn, lit or dark, and the pixels it takes."""

    text: str
    on: bool
    ink: Pixels


class Listening(Framebuffer):
    """Keeps what is written on it."""

    def __init__(self, height: int = 64) -> None:
        super().__init__(height=height)
        self.said: list[Said] = []

    def text(self, x: int, y: int, string: str, face: Typeface = TEXT, *, on: bool = True) -> int:
        ink = {
            (at, y + row)
            for at, column in enumerate(_columns(face, string), x)
            for row in range(face.rows)
            if column >> row & 1
        }
        self.said.append(Said(string, on, frozenset(ink)))
        return super().text(x, y, string, face, on=on)


def _columns(face: Typeface, string: str) -> list[int]:
    strip = face.strip(string, 0)
    return (
        [sum(row[at] << 8 * page for page, row in enumerate(strip)) for at in range(len(strip[0]))]
        if strip
        else []
    )


def painted(frame: Frame, monkeypatch: pytest.MonkeyPatch) -> Listening:
    whole = Listening()
    monkeypatch.setattr(oled, "Framebuffer", lambda: whole)
    oled.paint(frame)
    return whole


def overlapping(canvas: Listening) -> list[str]:
    """Return what is written over another text, or over which anything else was drawn."""
    faults = []
    for index, said in enumerate(canvas.said):
        faults += [
            f"{said.text!r} and {other.text!r} overlap"
            for other in canvas.said[index + 1 :]
            if said.ink & other.ink and (said.text, said.ink) != (other.text, other.ink)
        ]
        again = any(other.ink == said.ink for other in canvas.said[index + 1 :])
        hidden = {at for at in said.ink if _inside(at) and canvas.get(*at) is not said.on}
        if hidden and not again:
            faults.append(f"{said.text!r} is painted over")
    return faults


def _inside(at: tuple[int, int]) -> bool:
    return 0 <= at[0] < 128 and 0 <= at[1] < 64


def outside(canvas: Listening) -> list[str]:
    """Return the texts that the glass has not all pixels of."""
    return [said.text for said in canvas.said if not all(map(_inside, said.ink))]


def in_the_board(frame: Frame, canvas: Listening) -> list[str]:
    """Return the texts that begin beside the board and reach into it."""
    board, _ = oled.best_layout(frame)
    if board is None:
        return []
    beside = [said for said in canvas.said if said.ink and min(x for x, _ in said.ink) < board.left]
    return [
        said.text
        for said in beside
        if any(x >= board.left and TOP <= y <= board.bottom for x, y in said.ink)
    ]


def unsaid(frame: Frame, canvas: Listening) -> list[str]:
    """Return the words of a frame that have no pixels though nothing says that there are more."""
    board, body = oled.best_layout(frame)
    heard = [said.text for said in canvas.said if said.ink or not said.text.strip()]
    words = {word for text in heard for word in text.split()}
    whole = "".join("".join(heard).split())
    missing = [
        f"key {key.label}"
        for key in body.keys
        if key.label not in heard or not heard_sign(key, heard)
        if not (key.spare and sign_of(key) not in heard)
    ]
    if frame.header.title not in heard and not any(text.endswith("…") for text in heard[:2]):
        missing.append(f"title {frame.header.title}")
    if frame.body.choices is not None:
        rows = [frame.body.choices.words(index) for index in range(len(frame.body.choices.items))]
        chosen = rows[frame.body.choices.selected] if rows else ""
        shown = [row for row in rows if row in heard]
        cut = sum(text.endswith("…") for text in heard)
        if chosen not in heard and not cut:
            missing.append(f"chosen {chosen}")
        if len(shown) + cut < len(frame.body.choices.items) and not body.bars:
            missing.append("choices without a bar")
    said = [*frame.body.lines] if not body.bars and not frame.body.top else []
    if frame.body.entry is not None:
        said += [frame.body.entry.verdict, frame.body.entry.result or frame.body.entry.text]
    elif board is None or not board.shown:
        said.append(frame.body.big)
    if frame.alert is not None:
        said = [frame.alert.text]
    missing += [
        text
        for text in said
        if not set(text.split()) <= words and "".join(text.split()) not in whole
    ]
    return missing


def heard_sign(key: SoftKey, heard: list[str]) -> bool:
    """Tell whether a key's sign is seen, alone or with the mark that holding it does more."""
    return sign_of(key) in heard or f"{sign_of(key)}…" in heard


def sign_of(key: SoftKey) -> str:
    """Return what stands on a key."""
    return key.name


def faults(frame: Frame, canvas: Listening) -> list[str]:
    """Return what the glass lacks of a frame's texts, or has in the wrong place."""
    wrong = [f"{text!r} leaves the glass" for text in outside(canvas)] + overlapping(canvas)
    wrong += [f"{text!r} reaches into the board" for text in in_the_board(frame, canvas)]
    return wrong + [f"{words} is not seen" for words in unsaid(frame, canvas)]


@pytest.mark.parametrize(
    "turn", [0, *(pytest.param(n, marks=NIGHT) for n in range(1, len(LANGUAGES)))]
)
@pytest.mark.parametrize("file", FILES)
def test_scenes_show_all_they_say(file: str, turn: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each scene is tried in one language, and in the others at night."""
    wrong = []
    for number, scene in enumerate(scenes_of(file), turn):
        frame = frame_of(scene, LANGUAGES[number % len(LANGUAGES)])
        wrong += [f"{scene.name}: {it}" for it in faults(frame, painted(frame, monkeypatch))]
    assert not wrong, "\n".join(wrong)


def cut(canvas: Listening) -> int:
    """Return how many texts end before their end; a sign that says what holding does is none."""
    return sum(said.text.endswith("…") and len(said.text) > len("C…") for said in canvas.said)


def test_every_player_of_a_board_has_pixels() -> None:
    """Without any one player's stones the board looks different."""
    for scene in scenes():
        frame = frame_of(scene, "de")
        board, _ = oled.best_layout(frame)
        if board is None or frame.board.picture is None:
            continue
        whole = _board(frame)
        for colour in {token.colour for cell in frame.board.picture.cells for token in cell.tokens}:
            assert _board(_without(frame, colour)) != whole, f"{scene.name}: {colour}"


def _board(frame: Frame) -> bytes:
    canvas = Framebuffer()
    board, _ = oled.best_layout(frame)
    assert board is not None
    board.paint(canvas)
    return bytes(canvas)


def _without(frame: Frame, colour: str) -> Frame:
    picture = frame.board.picture
    assert picture is not None
    cells = tuple(
        replace(cell, tokens=tuple(token for token in cell.tokens if token.colour != colour))
        for cell in picture.cells
    )
    return replace(frame, board=replace(frame.board, picture=replace(picture, cells=cells)))


@pytest.mark.parametrize("score", ["", "12:27"])
def test_a_store_in_trouble_is_told_beside_the_score_too(
    score: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    canvas = painted(Frame(Header("Anna", corner="!yellow", score=score)), monkeypatch)
    assert any(said.text.startswith("!") for said in canvas.said)
