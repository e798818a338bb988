"""Pictures for paper: their words are in a smooth type, or in the OLED's where there is none."""

from dataclasses import replace

import pytest
from PIL.Image import Image

from pi_app.view import drawing
from pi_app.view.frame import Curve
from pi_app.view.plots import draw_report
from pi_app.view.report import Report

CURVES = (Curve("Anna", "yellow", (0, 3, 7)), Curve("Größe", "red", (0, 2, 9)))


def picture() -> Image:
    """Return a picture with its title at the top left."""
    return draw_report(Report("Felder", ("Ein Satz.",), curves=CURVES)).as_image()


def shades(picture: Image) -> int:
    """Return how many shades of grey its title has."""
    title = picture.crop((20, 10, 200, 45)).convert("L")
    return sum(1 for count in title.histogram() if count)


def test_words_for_paper_have_soft_edges() -> None:
    assert drawing.letters(20) is not None
    assert shades(picture()) > 10


def test_without_a_type_words_are_written_in_the_oled_s(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(drawing, "letters", lambda _: None)
    assert shades(picture()) == 2


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


def test_a_chart_says_and_marks_all_of_its_curves_in_either_format() -> None:
    colours = ("yellow", "red", "green", "blue")
    lines = tuple(Curve(c, c, (40, 50, 60 + at), "%", (5, 6, 7)) for at, c in enumerate(colours))
    lines = (replace(lines[0], turns=(1,)), *lines[1:])
    chart = draw_report(Report("Chancen", ("Ein Satz. " * 20,), curves=lines))
    svg = chart.as_svg()
    for said in ("Chancen", "Ein Satz.", "yellow 60%", "blue 63%", ">100<", ">2<"):
        assert said in svg
    assert svg.count('fill-opacity="0.19"') == len(lines)  # the bands
    assert svg.count('fill="none" stroke="#161a20"') == 1  # the move that is marked
    marks = ("<circle", 'rx="0.0"', 'fill-opacity="1"', "<polyline")
    assert all(svg.count(mark) >= 3 for mark in marks)
    image = chart.as_image()
    assert image.height > draw_report(Report("Chancen", curves=lines)).height
    assert {(0xB5, 0x89, 0), (0xC0, 0x39, 0x2B), (0x2E, 0x7D, 0x32), (0x1F, 0x5F, 0xA8)} <= {
        image.getpixel((x, y)) for x in range(image.width) for y in range(image.height)
    }
