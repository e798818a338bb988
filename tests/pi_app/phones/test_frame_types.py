"""The pages' scripts are checked with types that are made from the classes of a frame."""

from collections.abc import Callable, Iterator
from dataclasses import fields
from enum import StrEnum
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from pi_app.view.data import ListRow
from pi_app.view.frame import (
    Alert,
    Board,
    Body,
    Cell,
    Choices,
    Curve,
    Entry,
    Extras,
    Header,
    KeySet,
    Picture,
    Played,
    Seat,
    SoftKey,
    Stroke,
    Token,
)
from tests.golden import check_golden_text
from tests.options import Options

FILE = Path(__file__).parents[3] / "tools/page_scripts/frame.d.ts"
PARTS = (Header, Body, Board, Extras, KeySet)
VALUES: tuple[Any, ...] = (
    Alert,
    Cell,
    Curve,
    Entry,
    ListRow,
    Picture,
    Played,
    Seat,
    SoftKey,
    Stroke,
    Token,
)
PLAIN = {str: "string", int: "number", bool: "boolean", NoneType: "null"}


def script_type(kind: Any) -> str:
    """Return a field's type in TypeScript."""
    parts = get_args(kind)
    if get_origin(kind) in (Union, UnionType):
        return " | ".join(map(script_type, parts))
    if get_origin(kind) is Literal:
        return " | ".join(f'"{part}"' for part in parts)
    if get_origin(kind) in (tuple, frozenset):
        inner = script_type(parts[0])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if kind is Choices:
        return "{ items: ListRow[]; selected: number; numbered: boolean }"
    if isinstance(kind, type) and issubclass(kind, StrEnum) and len(kind) < 10:
        return " | ".join(f'"{each}"' for each in kind)
    return PLAIN.get(kind) or (str(kind.__name__) if kind in VALUES else "string")


def field_lines(kind: Any) -> Iterator[str]:
    hints = get_type_hints(kind)
    for each in fields(kind):
        hint = hints[each.name]
        if Callable not in {get_origin(part) for part in (hint, *get_args(hint))}:
            yield f"  {each.name}: {script_type(hint)};"


def test_the_pages_know_the_fields_of_a_frame_by_their_types(options: Options) -> None:
    lines = [f"// Made from pi_app/view/frame.py: pytest --golden write {Path(__file__).name}"]
    for kind in VALUES:
        lines += ["", f"interface {kind.__name__} {{", *field_lines(kind), "}"]
    lines += ["", "interface Frame {", "  alert: Alert | null;"]
    lines += [*(line for part in PARTS for line in field_lines(part)), "}", ""]
    text = "\n".join(lines)
    check_golden_text(FILE, text, options)
