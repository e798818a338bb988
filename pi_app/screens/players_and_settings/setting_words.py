"""Short words for settings and their values, for lists at the table."""

from collections.abc import Mapping

from pi_app.screens.context import Context
from pi_app.settings.schema import Settings, definitions, toml_value, value_of
from pi_app.texts.language import LANGUAGES, Text, Texts, language_name

TABLES: Mapping[str, Text] = {
    "language": Text("item", "Language"),
    "display": Text("item", "Displays"),
    "sounds": Text("item", "Sounds"),
    "voice": Text("item", "Voice"),
    "help": Text("title", "Help"),
    "evening": Text("title", "Evenings"),
    "store": Text("title", "Games"),
    "web": Text("item", "Phones"),
    "club": Text("item", "Club"),
    "home": Text("item", "Smart home"),
    "wifi": Text("title", "Own Wi-Fi"),
    "updates": Text("title", "Updates"),
    "rig": Text("item", "Board and pins"),
    "keypad": Text("item", "Keypad"),
    "die_buttons": Text("item", "Die buttons"),
    "joystick": Text("item", "Joystick"),
    "encoder": Text("item", "Rotary encoder"),
    "lamp": Text("item", "Lamp"),
    "buzzer": Text("item", "Buzzer"),
    "oled": Text("item", "OLED"),
    "panel": Text("item", "Serial panel"),
    "pads": Text("item", "Number pads"),
    "power_button": Text("item", "Power button"),
}

_NAMES: Mapping[str, Text] = {
    "language": Text("item", "Language"),
    "show": Text("item", "Used"),
    "fullscreen": Text("item", "Fill screen"),
    "brightness": Text("item", "Brightness"),
    "dim_brightness": Text("item", "When dimmed"),
    "dim_after_s": Text("item", "Dims after"),
    "blank_after_s": Text("item", "Dark after"),
    "shift_after_s": Text("item", "Shifts after"),
    "theme": Text("item", "Window colours"),
    "display.board": Text("item", "Board in window"),
    "rotate": Text("item", "Turned by"),
    "tick": Text("item", "Key"),
    "ok": Text("item", "Good move"),
    "bad": Text("item", "Refused"),
    "win": Text("item", "The end"),
    "turn": Text("item", "Your turn"),
    "speaker": Text("item", "Loudspeaker"),
    "command": Text("item", "Command"),
    "level": Text("item", "Level"),
    "volume": Text("item", "Volume"),
    "tips": Text("item", "Tips"),
    "evening.count": Text("item", "Counts"),
    "pause_h": Text("item", "Pause"),
    "path": Text("item", "File"),
    "enabled": Text("item", "On"),
    "port": Text("item", "Port"),
    "club.host": Text("item", "Hub"),
    "host": Text("item", "Broker"),
    "user": Text("item", "Table's name"),
    "insecure": Text("item", "In the clear"),
    "discovery": Text("item", "Home Assistant"),
    "names": Text("item", "Names go out"),
    "own": Text("item", "Open"),
    "country": Text("title", "Country"),
    "channel": Text("title", "Channel"),
    "board": Text("title", "Board"),
    "take": Text("item", "Takes"),
}
"""What settings are called that people without tools change, by the end of their keys."""

VALUES: Mapping[object, Text] = {
    "auto": Text("item", "automatic"),
    "none": Text("item", "none"),
    "dark": Text("item", "dark"),
    "light": Text("item", "light"),
    "day": Text("item", "by time of day"),
    "fixed": Text("item", "as it lies"),
    "player": Text("item", "to who moves"),
    "off": Text("item", "nothing"),
    "never": Text("item", "never"),
    "needed": Text("item", "if needed"),
    "always": Text("item", "always"),
    "calls": Text("item", "calls"),
    "stable": Text("item", "stable"),
    "testing": Text("item", "testing"),
    "everything": Text("item", "everything"),
    "sums": Text("item", "sums"),
    "legal": Text("item", "legal fields"),
    "tips": Text("item", "tips"),
    "wins": Text("item", "games won"),
    "ranks": Text("item", "places"),
    "points": Text("item", "points"),
    "window": Text("item", "window"),
    "terminal": Text("item", "terminal"),
}
"""Words for values; any other value is shown as it is written."""


def name_of(tx: Texts, key: str) -> str:
    """Return what a setting is called: one of the wiring as in the file."""
    name = key.rpartition(".")[2]
    return tx.say(_NAMES, key if key in _NAMES else name) or name


def value_words(tx: Texts, key: str, value: object) -> str:
    """Return a value of a setting in words."""
    _, says = definitions()[key]
    if isinstance(value, bool):
        return tx("item", "yes") if value else tx("item", "no")
    if isinstance(value, tuple):
        return " ".join(value_words(tx, key, each) for each in value)
    if key == "wifi.channel" and value == 0:
        return tx("item", "auto")
    if isinstance(value, int):
        unit = {"degrees": "°"}.get(says.unit, f" {says.unit}" if says.unit else "")
        return f"{toml_value(value, says)}{unit}"
    if value in LANGUAGES and (key.startswith("language") or key == "pads.layout"):
        return language_name(str(value))
    return tx.say(VALUES, value) or str(value)


def describe(ctx: Context, key: str) -> str:
    """Return a setting and its value now, in the fewest words."""
    value: object = value_of(ctx.settings, key)
    return f"{name_of(ctx.texts, key)}: {value_words(ctx.texts, key, value)}"


def default_words(tx: Texts, key: str) -> str:
    """Return the value that a setting has if nobody changes it."""
    return value_words(tx, key, value_of(Settings(), key))
