"""Writes cards to print: each game's aim, keys and examples of turns.

The sentences are those of the game's displays; the examples are pictures of `docs/pictures.toml`,
whose keys are played here. `docs/cards/GAME.LANG.html` is one A5 page.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from html import escape
from pathlib import Path

from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.texts.language import LANGUAGES, Texts
from pi_app.view.frame import Frame

FOLDER = Path(__file__).parents[1] / "docs" / "cards"

EXAMPLES: dict[str, tuple[tuple[str, str], ...]] = {
    "just4fun": (
        ("just4fun-placed", ""),
        ("just4fun-blocked", ""),
        ("just4fun-exchange", "#"),
        ("just4fun-undone", ""),
    ),
    "numeri": (
        ("numeri-moved", ""),
        ("numeri-chain", ""),
        ("numeri-choose", ""),
        ("numeri-stuck", ""),
        ("numeri-undone", ""),
    ),
    "sequence": (
        ("sequence-placed", ""),
        ("sequence-jack", "#"),
        ("sequence-takes", "#"),
        ("sequence-dead", "#"),
    ),
    "einmaleins": (
        ("einmaleins-proposed", "#"),
        ("einmaleins-free-card", "#1"),
        ("einmaleins-square", ""),
        ("einmaleins-drawn", ""),
    ),
}
"""For each game the pictures that show its turns, each with keys to press after its own keys."""

_WORDS = {
    "en": ("Keys", "For example", "Print this page on A5, or two on A4.", "held"),
    "de": ("Tasten", "Zum Beispiel", "Druck diese Seite auf A5, oder zwei auf A4.", "lang"),
}
"""Two headings, the hint for printing, and the word for a held key, by language."""
_SIGNS = {"^": "A", "v": "B", "<": "C", "?": "D"}
"""The labels of keys that have another sign in key scripts."""
ON_DISPLAYS = (
    "The board is turned to the side of who is to move.",
    "Top right: sequences, yours first, and how many win.",
    "Board: blue full, green a ring, red a cross; sequences inverted.",
    "Board: yellow framed, red filled, green underlined, blue plain.",
)
"""Sentences of a game's help on displays: on paper they would seem to describe the real board."""
_MOST = 3
"""The most sentences of an example; the first ones describe the turn."""

_STYLE = """
@page { size: A5; margin: 9mm; }
* { box-sizing: border-box; }
body { max-width: 130mm; margin: 0 auto; padding: 1px; color: #111; font: 9.5pt/1.32 sans-serif; }
h1 { margin: 0 0 2mm; border-bottom: 0.6mm solid; font-size: 17pt; line-height: 1.2; }
h2 { margin: 3mm 0 1mm; font-size: 10.5pt; }
p { margin: 0 0 0.8mm; }
table { width: 100%; border-collapse: collapse; }
td { padding: 1mm 0; border-top: 0.2mm solid #888; vertical-align: top; }
td:first-child { width: 1%; padding-right: 3mm; white-space: nowrap; }
kbd { display: inline-block; min-width: 1.5em; margin: 0 0.4mm 0.4mm 0; padding: 0 0.9mm;
  border: 0.25mm solid #444; border-radius: 0.8mm; font: bold 9pt sans-serif; text-align: center; }
.hint { color: #555; }
@media print { .hint { display: none; } }
"""


def cards() -> Iterator[tuple[str, str]]:
    """Yield each card's file name and content."""
    for game in EXAMPLES:
        for language in LANGUAGES:
            yield f"{game}.{language}.html", card(PRESENTATIONS[game], language)


def card(presentation: AnyPresentation, language: str) -> str:
    """Return a game's card as an HTML page that needs no other file."""
    tx = Texts(language)
    keys, examples, hint, _ = _WORDS[language]
    name = escape(presentation.name(tx))
    on_displays = [tx("line", sentence) for sentence in ON_DISPLAYS]
    return "\n".join(
        (
            f'<!DOCTYPE html>\n<html lang="{language}">\n<meta charset="utf-8">',
            f"<title>{name}</title>\n<style>{_STYLE}</style>\n<h1>{name}</h1>",
            *_paragraphs(tx.each(presentation.guide.how)),
            f"<h2>{keys}</h2>",
            *_paragraphs(
                sentence
                for sentence in tx.each(presentation.guide.keys)
                if sentence not in on_displays
            ),
            f"<h2>{examples}</h2>\n<table>",
            *(_row(picture, more, language) for picture, more in EXAMPLES[presentation.game.name]),
            f'</table>\n<p class="hint">{hint}</p>\n</html>\n',
        )
    )


def _paragraphs(sentences: Iterable[str]) -> list[str]:
    return [f"<p>{escape(sentence)}</p>" for sentence in sentences]


def _row(picture: str, more: str, language: str) -> str:
    """Return an example: the keys, and the display's sentences after them."""
    from tools.pictures import frame_of, scenes  # here, to avoid a circular import

    scene = next(scene for scene in scenes() if (scene.name, scene.language) == (picture, language))
    keys = f"{scene.keys} {more}".strip()
    before = frame_of(replace(scene, keys="")).body.lines
    words = " ".join(sentences_of(frame_of(replace(scene, keys=keys)), before))
    return f"<tr><td>{key_caps(keys, language)}<td>{escape(words)}"


def key_caps(keys: str, language: str) -> str:
    """Return a key script as images of keys, without the keys that only open a game."""
    # `<<`, a held C, is replaced by one sign, as each sign becomes a cap
    caps = []  # "" stands for a space between two words
    for word in keys.lstrip("# ").replace("<<", "~").split():
        if word[0] == "d":  # a die button is labelled with its number
            caps += [word[1:], ""]
        else:
            hold = f"C {_WORDS[language][3]}"
            caps += [*(hold if key == "~" else _SIGNS.get(key, key) for key in word), ""]
    return "".join(f"<kbd>{escape(cap)}</kbd>" if cap else " " for cap in caps)


def sentences_of(frame: Frame, before: tuple[str, ...]) -> Iterator[str]:
    """Yield a frame's sentences, without those already in the frame `before` the keys."""
    if frame.alert is not None:
        yield _sentence(frame.alert.text)
    if frame.body.entry is not None:
        yield _sentence(f"{frame.body.entry.text}: {frame.body.entry.verdict}")
    for line in [line for line in frame.body.lines if line not in before][:_MOST]:
        yield _sentence(line)
    if frame.body.choices is not None:
        yield "; ".join(
            f"{n}: {item}" for n, item in enumerate(frame.body.choices.items[:_MOST], 1)
        )


def _sentence(text: str) -> str:
    return text if text[-1] in ".!?:" else f"{text}."
