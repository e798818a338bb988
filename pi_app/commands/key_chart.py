"""The key chart of a number pad: one A5 page to print and lay under it, made from its table."""

from collections.abc import Iterator, Mapping
from html import escape

from hardware.keys import Key
from hardware.pads.table import PRINTED
from pi_app.texts.language import Text, Texts

_ROWS = (
    (
        ("Num", "NUMLOCK", 1, 1),
        ("/", "KPSLASH", 1, 1),
        ("*", "KPASTERISK", 1, 1),
        ("−", "KPMINUS", 1, 1),
    ),
    (("7", "KP7", 1, 1), ("8", "KP8", 1, 1), ("9", "KP9", 1, 1), ("+", "KPPLUS", 1, 2)),
    (("4", "KP4", 1, 1), ("5", "KP5", 1, 1), ("6", "KP6", 1, 1)),
    (("1", "KP1", 1, 1), ("2", "KP2", 1, 1), ("3", "KP3", 1, 1), ("Enter", "KPENTER", 1, 2)),
    (("0", "KP0", 2, 1), (".", "KPDOT", 1, 1)),
)
"""The pad row by row: what is printed on a key, the kernel's name, columns and rows it takes."""

_BESIDE = (
    ("⌫", "BACKSPACE"), ("Esc", "ESC"), ("Tab", "TAB"), ("↑", "UP"), ("↓", "DOWN"),
    *((f"F{number}", f"F{number}") for number in range(1, 13)),
)  # fmt: skip
"""Keys that some pads have besides, and every keyboard."""

_WORDS = {
    Key.STAR: Text("cli", "* next card"),
    Key.ENTER: Text("cli", "# done"),
    Key.UP: Text("cli", "A up"),
    Key.DOWN: Text("cli", "B down"),
    Key.BACK: Text("cli", "C back; held: take back the move"),
    Key.MENU: Text("cli", "D menu; held: phones"),
    Key.BACK_HELD: Text("cli", "take back the move"),
    Key.MENU_HELD: Text("cli", "phones"),
}

_STYLE = """
@page { size: A5; margin: 9mm; }
* { box-sizing: border-box; }
body { max-width: 130mm; margin: 0 auto; padding: 1px; color: #111; font: 9.5pt/1.3 sans-serif; }
h1 { margin: 0 0 3mm; border-bottom: 0.6mm solid; font-size: 17pt; line-height: 1.2; }
.pad { width: 100%; table-layout: fixed; border-collapse: separate; border-spacing: 1.2mm; }
.pad td { height: 18mm; padding: 1mm; border: 0.3mm solid #444; border-radius: 1.5mm;
  text-align: center; vertical-align: middle; }
b { display: block; font-size: 13pt; }
.beside { margin-top: 3mm; }
.beside td { padding: 0.4mm 3mm 0.4mm 0; }
.beside b { display: inline; font-size: 10pt; }
.hint { color: #555; }
@media print { .hint { display: none; } }
"""


def key_words(tx: Texts, key: Key | None) -> str:
    """Say what a key does at the table; "" for one that does nothing."""
    if key is None:
        return ""
    if key.die is not None:
        return tx("cli", "die {face}", face=key.die)
    return key.value if key.digit is not None else tx.say(_WORDS, key)


def key_chart(tx: Texts, table: Mapping[str, Key] = PRINTED) -> str:
    """Return the chart as an HTML page that needs no other file."""
    title = escape(tx("cli", "Beisitzer: the number pad"))
    hint = escape(tx("cli", "Print this page on A5 and lay it under the pad."))
    return "\n".join(
        (
            f'<!DOCTYPE html>\n<html lang="{tx.language}">\n<meta charset="utf-8">',
            f"<title>{title}</title>\n<style>{_STYLE}</style>\n<h1>{title}</h1>",
            '<table class="pad">',
            *_pad_rows(tx, table),
            '</table>\n<table class="beside">',
            *_beside_rows(tx, table),
            f'</table>\n<p class="hint">{hint}</p>\n</html>\n',
        )
    )


def _pad_rows(tx: Texts, table: Mapping[str, Key]) -> Iterator[str]:
    for row in _ROWS:
        cells = []
        for printed, name, columns, rows in row:
            words = key_words(tx, table.get(name))
            does = "" if words == printed else escape(words)  # a digit says it already
            size = f' colspan="{columns}"' * (columns > 1) + f' rowspan="{rows}"' * (rows > 1)
            cells.append(f"<td{size}><b>{escape(printed)}</b>{does}")
        yield f"<tr>{''.join(cells)}"


def _beside_rows(tx: Texts, table: Mapping[str, Key]) -> Iterator[str]:
    """Yield a row for each thing that keys besides do, with all keys that do it."""
    by_words: dict[str, list[str]] = {}
    for printed, name in _BESIDE:
        if words := key_words(tx, table.get(name)):
            by_words.setdefault(words, []).append(printed)
    for words, keys in by_words.items():
        yield f"<tr><td><b>{escape(' '.join(keys))}</b><td>{escape(words)}"
