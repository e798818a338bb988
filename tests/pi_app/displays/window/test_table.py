"""The table of products in the window: numbered, and what wants work tells itself apart."""

import pygame
import pytest

from pi_app.displays.window.painter import Painter
from pi_app.displays.window.theme import RGB, THEMES, contrast
from pi_app.view.frame import Board, Cell, Frame, Header, Picture
from tests.pi_app.displays.window.watch import SIZES, watching


def colour_at(painter: Painter, x: int, y: int) -> RGB:
    red, green, blue, _ = painter.surface.get_at((x, y))
    return red, green, blue


@pytest.mark.parametrize("size", SIZES)
def test_what_is_to_be_practised_is_told_from_what_is_new_by_colour_and_form(
    size: tuple[int, int],
) -> None:
    cells = [
        Cell(f"1x{n}", text, shade) for n, (text, shade) in enumerate((("7", 0), ("8!", 1)), 1)
    ]
    painter = Painter(pygame.Surface(size), THEMES["dark"])
    painter.paint(
        Frame(
            Header("Anna"),
            board=Board(picture=Picture("table", 2, tuple(cells * 2)), close_up=True),
        )
    )
    boxes = [painter.cell_box("1x1"), painter.cell_box("1x2")]
    grounds: list[RGB] = []
    edges = []
    for box in boxes:
        assert box is not None
        row = [colour_at(painter, box.left + n, box.centery) for n in range(box.width // 4)]
        grounds.append(row[-1])
        edges.append(len(set(row)))
    assert contrast(grounds[0], grounds[1]) > 3, "also in grey"
    assert grounds[1][0] > 2 * max(grounds[1][1:]), "red"
    assert edges[1] > edges[0], "framed"


def test_a_table_has_its_columns_and_rows_numbered(monkeypatch: pytest.MonkeyPatch) -> None:
    cells = tuple(Cell(f"{a}x{b}", str(a * b)) for a in range(1, 11) for b in range(1, 11))
    surface = pygame.Surface((800, 480))
    with watching(monkeypatch, surface) as watch:
        painter = Painter(surface, THEMES["dark"])
        painter.paint(
            Frame(Header("Anna"), board=Board(picture=Picture("table", 10, cells), close_up=True))
        )
    boxes = {f"{n}": (painter.cell_box(f"1x{n}"), painter.cell_box(f"{n}x1")) for n in range(1, 11)}
    corner = boxes["1"][0]
    assert corner is not None
    above = [each for each in watch.written if each.box.bottom <= corner.top]
    left = [each for each in watch.written if each.box.right <= corner.left]
    for text, (column, row) in boxes.items():
        assert column is not None
        assert row is not None
        (head,) = (each for each in above if each.text == text and each not in left)
        assert column.left < head.box.centerx < column.right
        (head,) = (each for each in left if each.text == text)
        assert row.top < head.box.centery < row.bottom
