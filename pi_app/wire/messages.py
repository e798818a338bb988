"""Messages that check themselves: a class's annotations describe its JSON object.

    class Ack(Message):
        upto: Number
        hub: Word | None = None

`Ack.read(facts)` returns a message or raises MessageError, `ack.facts()` is the object to send.
Unknown keys are ignored, and a field with a default may be left out. A field is a number, a text
(by default made safe to show), true or false, one of some words (`Literal`), another message,
a tuple of these, any object (`dict`), or None beside one of them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from dataclasses import field as dataclass_field
from functools import cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    Self,
    Union,
    dataclass_transform,
    get_args,
    get_origin,
    get_type_hints,
)

from engines.notation import printable

NUMBER_LIMIT = 2**53 - 1
"""The highest number: JavaScript cannot tell higher neighbouring whole numbers apart."""

Json = Mapping[str, Any]
_Check = Callable[[str, Any], Any]
"""Returns the value of the named field, or raises MessageError."""


class MessageError(ValueError):
    """An object is not the expected message; the text says why, in English, for a log."""


# --- rules for fields


@dataclass(frozen=True, slots=True)
class Whole:
    """A whole number from `least` to `most`."""

    least: int = 0
    most: int = NUMBER_LIMIT

    def check(self, name: str, value: Any) -> int:
        # not isinstance: True is an int as well
        if type(value) is not int or not self.least <= value <= self.most:
            bound = "on" if self.most == NUMBER_LIMIT else f"to {self.most}"
            raise MessageError(f"{name} must be a whole number from {self.least} {bound}")
        return value


@dataclass(frozen=True, slots=True)
class String:
    """A text of at most `most` characters; all of it must match `pattern`.

    It is made safe to show unless it is `raw`; `cut` shortens a text that is up to four times too
    long, such as a stranger's name.
    """

    most: int
    pattern: str = ""
    raw: bool = False
    cut: bool = False

    def check(self, name: str, value: Any) -> str:
        if not isinstance(value, str) or len(value) > self.most * (4 if self.cut else 1):
            raise MessageError(f"{name} must be a text of at most {self.most} characters")
        if self.pattern and not re.fullmatch(self.pattern, value, re.ASCII):
            raise MessageError(f"{name} must be a text like {self.pattern}")
        if self.cut:
            return clean(value, self.most)
        return value if self.raw else printable(value)


@dataclass(frozen=True, slots=True)
class Items:
    """Limits of a tuple's length."""

    most: int
    least: int = 0


def clean(text: str, most: int) -> str:
    """Return a stranger's text as one safe line of at most `most` characters.

    Control characters, marks of writing direction and others without a shape become `?`.
    """
    # cut before and after: a huge text costs nothing
    line = " ".join(printable(text[: 4 * most]).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


Number = Annotated[int, Whole()]
Count = Annotated[int, Whole(1)]
Word = Annotated[str, String(64, pattern=r"[!-~]{1,64}", raw=True)]
"""An id or a code: printable ASCII without spaces."""


# --- messages


@dataclass_transform(frozen_default=True, kw_only_default=True, field_specifiers=(dataclass_field,))
class Message:
    """A frozen value, read from and written as a JSON object."""

    def __init_subclass__(cls) -> None:
        dataclass(frozen=True, kw_only=True)(cls)

    @classmethod
    def read(cls, facts: object) -> Self:
        """Return an object as this message; MessageError if it is not one."""
        if not isinstance(facts, Mapping):
            raise MessageError("this is no object")
        values: dict[str, Any] = {}
        for name, (check, required) in checks(cls).items():
            if name in facts:
                values[name] = check(name, facts[name])
            elif required:
                raise MessageError(f"{name} is missing")
        return cls(**values)

    def facts(self) -> dict[str, Any]:
        """Return the object to send."""
        return {name: _plain(getattr(self, name)) for name in checks(type(self))}


def _plain(value: Any) -> Any:
    if isinstance(value, Message):
        return value.facts()
    return [_plain(each) for each in value] if isinstance(value, tuple) else value


def checks(message: type[Message]) -> Mapping[str, tuple[_Check, bool]]:
    """Return the check of each field, and whether the field is required."""
    by_class: Any = message  # mypy takes the class for one of its values
    return _checks(by_class)


@cache
def _checks(message: Any) -> Mapping[str, tuple[_Check, bool]]:
    hints = get_type_hints(message, include_extras=True)
    return {
        field.name: (_check(hints[field.name]), field.default is MISSING)
        for field in fields(message)
    }


def _check(hint: Any) -> _Check:
    """Return the check of values against an annotation."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        rule = next(each for each in parts[1:] if isinstance(each, Whole | String | Items))
        if isinstance(rule, Items):
            return _tuple_check(_check(get_args(parts[0])[0]), rule)
        return rule.check
    if origin in (Union, UnionType):
        rest = [_check(part) for part in parts if part is not NoneType]
        return lambda name, value: None if value is None else rest[0](name, value)
    if origin is Literal:
        return lambda name, value: _one_of(name, value, parts)
    if isinstance(hint, type) and issubclass(hint, Message):
        return lambda name, value: _part(hint, name, value)
    kinds = {bool: "true or false", dict: "an object"}
    kind = dict if origin is dict else hint
    return lambda name, value: _of_type(name, value, kind, kinds[kind])


def _tuple_check(item: _Check, size: Items) -> _Check:
    def check(name: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not size.least <= len(value) <= size.most:
            raise MessageError(f"{name} must be a list of {size.least} to {size.most}")
        return tuple(item(name, each) for each in value)

    return check


def _one_of(name: str, value: Any, words: tuple[Any, ...]) -> Any:
    # a list is not hashable, and True equals 1
    if not any(type(value) is type(word) and value == word for word in words):
        raise MessageError(f"{name} must be one of {', '.join(map(str, words))}")
    return value


def _part(message: type[Message], name: str, value: Any) -> Message:
    try:
        return message.read(value)
    except MessageError as error:
        raise MessageError(f"{name}: {error}") from None


def _of_type(name: str, value: Any, kind: type, words: str) -> Any:
    if type(value) is not kind:
        raise MessageError(f"{name} must be {words}")
    return value


# --- bytes


def read_object(data: bytes | bytearray | str) -> dict[str, Any]:
    """Return a JSON object in UTF-8; MessageError for anything else, such as NaN in it."""
    try:
        text = data if isinstance(data, str) else data.decode("utf-8")
        value = json.loads(text, parse_constant=_refuse_constant)
    except (ValueError, RecursionError) as error:
        raise MessageError("this is no JSON in UTF-8") from error
    if not isinstance(value, dict):
        raise MessageError("this is no object")
    return value


def _refuse_constant(name: str) -> Any:
    raise ValueError(name)  # NaN and Infinity are no JSON


def compact(facts: object) -> bytes:
    """Return objects or lists as JSON without spaces, in UTF-8."""
    text = json.dumps(facts, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    return text.encode("utf-8", "replace")  # half a surrogate pair is no text


def line_of(facts: Json, most: int) -> bytes:
    """Return an object as an ASCII line; ValueError if it is longer than `most` bytes."""
    line = json.dumps(facts, separators=(",", ":")).encode("ascii") + b"\n"
    if len(line) > most:
        raise ValueError(f"a line of {len(line)} bytes is too long")
    return line
