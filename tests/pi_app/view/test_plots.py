"""Pictures for paper: a chart marks all of its curves, and its words are in a smooth type."""

from dataclasses import replace

import pytest
from PIL.Image import Image

from pi_app.view import plots
from pi_app.view.frame import Curve
from pi_app.view.plots import draw_report
from pi_app.view.report import Report

COLOURS = {
    "yellow": (0xB5, 0x89, 0),
    "red": (0xC0, 0x39, 0x2B),
    "green": (0x2E, 0x7D, 0x32),
    "blue": (0x1F, 0x5F, 0xA8),
}
CURVES = tuple(
    Curve(name, name, (40, 50 + at, 60 + 5 * at), "%", (5, 6, 7)) for at, name in enumerate(COLOURS)
)


def counts(image: Image) -> dict[object, int]:
    """Return how many pixels of each colour a picture has."""
    return {colour: count for count, colour in image.getcolors(1 << 24) or ()}


def test_a_chart_has_each_curve_with_its_name_and_a_mark_of_its_own() -> None:
    whole = counts(draw_report(Report("Chancen", curves=CURVES)))
    for name, colour in COLOURS.items():
        assert whole[colour] > 300, name
        others = tuple(curve for curve in CURVES if curve.name != name)
        assert colour not in counts(draw_report(Report("Chancen", curves=others)))
    beside = draw_report(Report("Chancen", curves=CURVES)).crop((670, 60, 960, 480))
    assert all(colour in counts(beside) for colour in COLOURS.values())


@pytest.mark.parametrize("change", [{"turns": (1,)}, {"spreads": ()}, {"name": "Größe"}])
def test_turning_points_bands_and_names_are_drawn(change: dict[str, object]) -> None:
    plain = Curve("Anna", "yellow", (0, 3, 7), spreads=(1, 1, 1))
    one, other = (draw_report(Report("T", curves=(c,))) for c in (plain, replace(plain, **change)))  # type: ignore[arg-type]
    assert counts(one) != counts(other)


def test_sentences_are_below_the_chart_in_as_many_lines_as_they_need() -> None:
    chart = draw_report(Report("Chancen", curves=CURVES))
    text = draw_report(Report("Chancen", ("Ein Satz. " * 20,), curves=CURVES))
    assert text.height > chart.height + 24
    above = (0, 0, chart.width, chart.height - 15)
    assert chart.crop(above).tobytes() == text.crop(above).tobytes()
    assert text.crop((900, 0, 960, text.height)).convert("L").getextrema() == (255, 255)


def test_words_have_soft_edges() -> None:
    title = draw_report(Report("Felder", curves=CURVES)).crop((20, 10, 200, 45)).convert("L")
    assert len(title.getcolors() or ()) > 10


def test_without_a_font_it_says_which_one_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError

    monkeypatch.setattr("PIL.ImageFont.truetype", fail)
    monkeypatch.setattr(plots, "find_spec", lambda _: None)
    with pytest.raises(OSError, match="apt install fonts-dejavu-core"):
        draw_report(Report("Felder", curves=CURVES))
