"""The changelog: closes `[Unreleased]` as a version, with its parts and topics in order."""

import re
from collections.abc import Iterable

PARTS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")
"""The parts of a version, in the order of Keep a Changelog."""
UNRELEASED = "Unreleased"
_VERSION = re.compile(r"^## \[(?P<name>[^\]]+)\].*$", re.MULTILINE)


class ChangelogError(Exception):
    """The changelog cannot be closed; the text is one line that says what to do."""


def notes(text: str, version: str) -> str:
    """Return what the changelog says of a version, without its headline.

    Raises ChangelogError if the changelog does not have that version.
    """
    begin, end = _span(text, version)
    return text[begin:end].strip()


def close(text: str, version: str, day: str) -> str:
    """Return the changelog with what is unreleased as this version, of this day, in order.

    An empty `[Unreleased]` stays above it. Raises ChangelogError if nothing is unreleased, the
    version is there already, or a part has a name that Keep a Changelog does not know.
    """
    if f"\n## [{version}]" in text:
        raise ChangelogError(f"CHANGELOG.md has a version {version} already")
    begin, end = _span(text, UNRELEASED)
    ordered = in_order(text[begin:end])
    if not ordered:
        raise ChangelogError("CHANGELOG.md has nothing under [Unreleased]: say what is new first")
    rest = text[end:]
    return f"{text[:begin]}\n## [{version}] - {day}\n\n{ordered}\n{rest and chr(10)}{rest}"


def in_order(text: str) -> str:
    """Return a version's parts in the order of PARTS, and each part's topics by the alphabet.

    Parts and topics that come twice are joined. Entries keep their order within a topic; those
    without a topic come first.
    """
    parts: dict[str, dict[str, list[str]]] = {name: {} for name in PARTS}
    for name, body in _split(text, "### "):
        if name not in parts:
            where = f'a part "{name}"' if name else "entries before the first part"
            raise ChangelogError(f"CHANGELOG.md has {where}: allowed are {', '.join(PARTS)}")
        for topic, entries in _split(body, "#### "):
            parts[name].setdefault(topic, []).append(entries)
    return "\n\n".join(
        f"### {name}\n\n{_topics(topics)}" for name, topics in parts.items() if topics
    )


def _topics(topics: dict[str, list[str]]) -> str:
    written = []
    for topic in sorted(topics, key=str.casefold):
        head = f"#### {topic}\n\n" if topic else ""
        written.append(head + "\n".join(topics[topic]))
    return "\n\n".join(written)


def _split(text: str, mark: str) -> Iterable[tuple[str, str]]:
    """Return each headline with what follows; "" for what comes before the first."""
    pieces = re.split(f"^{mark}(.*)$", text, flags=re.MULTILINE)
    pairs = zip(["", *pieces[1::2]], pieces[0::2], strict=True)
    return [(name.strip(), body.strip()) for name, body in pairs if body.strip()]


def _span(text: str, version: str) -> tuple[int, int]:
    """Return where a version's text begins, behind its headline, and where it ends."""
    heads = list(_VERSION.finditer(text))
    for head, following in zip(heads, [*heads[1:], None], strict=True):
        if head["name"] == version:
            return head.end() + 1, following.start() if following else len(text)
    raise ChangelogError(f"CHANGELOG.md has no part [{version}]")
