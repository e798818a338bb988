"""Writes SVG: shapes and texts as strings, the same bytes on every machine."""

from collections.abc import Iterable
from html import escape

FONT = "font-family=\"'DejaVu Sans', Verdana, sans-serif\""


def document(width: int, height: int, parts: Iterable[str], title: str) -> str:
    """Return a whole SVG of this size in pixels; `title` is read aloud by screen readers."""
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img">'
    )
    return "\n".join([head, f"<title>{escape(title)}</title>", *parts, "</svg>", ""])


def box(
    x: float, y: float, width: float, height: float, fill: str, edge: str = "none", radius: int = 0
) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius}" '
        f'fill="{fill}" stroke="{edge}"/>'
    )


def circle(x: float, y: float, radius: float, fill: str, edge: str = "none") -> str:
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}" fill="{fill}" stroke="{edge}"/>'


def wire(points: str, colour: str) -> str:
    """Return a wire through these points, written `x,y x,y ...`."""
    return (
        f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="3" '
        f'stroke-linejoin="round"/>'
    )


def text(
    x: float, y: float, words: str, size: int = 13, fill: str = "#1c222c", anchor: str = "start"
) -> str:
    """Return a line of text; `anchor` is start, middle or end."""
    return (
        f'<text x="{x:g}" y="{y:g}" {FONT} font-size="{size}" fill="{fill}" '
        f'text-anchor="{anchor}">{escape(words)}</text>'
    )
