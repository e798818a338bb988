"""Pictures for paper: their words are in a smooth type, or in the OLED's where there is none."""

import pytest
from PIL.Image import Image

from pi_app.view import drawing
from pi_app.view.chart import draw
from pi_app.view.frame import Cell, Curve, Picture
from pi_app.view.plots import draw_curves, draw_heat

CURVES = (Curve("Anna", "yellow", (0, 3, 7)), Curve("Größe", "red", (0, 2, 9)))
FIELDS = Picture("grid", 2, tuple(Cell(str(n), str(n), n, note="3") for n in range(4)), heat=True)


def pictures() -> list[Image]:
    """Return one picture of each kind; all have their title at the top left."""
    heat, curves = draw_heat(FIELDS, "Felder"), draw_curves(CURVES, "Felder")
    return [draw(CURVES, "Felder", ("Ein Satz.",)), heat.as_image(), curves.as_image()]


def shades(picture: Image) -> int:
    """Return how many shades of grey its title has."""
    title = picture.crop((20, 10, 200, 45)).convert("L")
    return sum(1 for count in title.histogram() if count)


def test_words_for_paper_have_soft_edges() -> None:
    assert drawing.letters(20) is not None
    assert min(map(shades, pictures())) > 10


def test_without_a_type_words_are_written_in_the_oled_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "letters", lambda _: None)
    assert [shades(picture) for picture in pictures()] == [2, 2, 2]


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
@pytest.mark.parametrize("typed", [True, False])
def test_words_stand_where_their_anchor_says(
    anchor: drawing.Anchor, monkeypatch: pytest.MonkeyPatch, *, typed: bool
) -> None:
    if not typed:
        monkeypatch.setattr(drawing, "letters", lambda _: None)
    page = drawing.Drawing(400, 40)
    page.parts.append(drawing.Words(200, 20, 17, "HHHH", "#000000", anchor))
    image = page.as_image().convert("L").point(lambda value: 255 - value)
    box = image.getbbox()
    assert box is not None
    found = {"start": box[0], "middle": (box[0] + box[2]) / 2, "end": box[2]}[anchor]
    assert found == pytest.approx(200, abs=3)
    assert (box[1] + box[3]) / 2 == pytest.approx(20, abs=3)
    assert drawing.words_width("HHHH", 17) == pytest.approx(box[2] - box[0], abs=4)
