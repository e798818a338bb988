"""Messages of Python's TOML reader in words for people who never read TOML's grammar."""

import re

from pi_app.texts.language import Texts

_PLACE = re.compile(r" ?\(at line (\d+), column \d+\)| ?\(at end of document\)")


def toml_words(tx: Texts, message: str) -> str:
    """Say what is wrong, and in which line if the message names one."""
    place = _PLACE.search(message)
    bare = _PLACE.sub("", message)
    why = _missing_sign(tx, bare) or _other_fault(tx, bare)
    if place is None or place[1] is None:
        return why
    return tx("cli", "line {line}: {why}", line=place[1], why=why)


def _missing_sign(tx: Texts, message: str) -> str:
    """Say which sign is missing in a line, or ""."""
    if message.startswith("Expected '='"):
        return tx("cli", "= is missing after the key")
    if message == "Unclosed array" or message.startswith("Expected ']"):
        return tx("cli", "] is missing")
    if message == "Unclosed inline table":
        return tx("cli", "}} is missing")  # a text is a format, in which }} is one }
    if message in ("Unterminated string", "Illegal character '\\n'", 'Expected "\'"'):
        return tx("cli", "the quotes at the end of a text are missing")
    return ""


def _other_fault(tx: Texts, message: str) -> str:
    match message.split(maxsplit=1)[0] if message else "":
        case "Invalid" if message == "Invalid value":
            return tx("cli", 'after = there is no value: a text needs quotes such as "..."')
        case "Invalid" if "statement" in message or "key part" in message:
            return tx("cli", "a line begins with a key or with a [table]")
        case "Expected":
            return tx("cli", "a value ends its line: nothing may follow")
        case "Cannot" | "Duplicate":
            return tx("cli", "this key or table is there twice")
        case "Unescaped" | "Escaped" | "Invalid":
            return tx("cli", "write \\ in a text twice, a date as 2026-12-24")
        case "Illegal" | "Found":
            return tx("cli", "a sign is not allowed here")
        case _:
            return tx("cli", "a value is out of bounds")
