"""The surfaces that programs build on, as plain data, and what a later one lacks of an earlier."""

import inspect
import json
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from club.evening.shown.export import chosen_evening, export
from club.hub.publishing import Publisher
from club.store.database import ClubDatabase
from engines.games import GAMES, SHIPPED
from hardware.serial_panel.protocol import BadLineError, decode, encode, parse
from pi_app.commands.cli import main
from pi_app.link.contract import Ack, Assignment, EventBatch, Say, TableHello
from pi_app.link.protocol import read_asked, read_news
from pi_app.phones import protocol
from pi_app.phones.frames import frame_data
from pi_app.phones.protocol import REQUESTS, status_of
from pi_app.settings.schema import entries
from tests.pi_app.pilot import Pilot

Data = Mapping[str, Any]

MODULES = (
    "beisitzer.plugin",
    "beisitzer.plugin.ai",
    "beisitzer.plugin.presentation",
    "beisitzer.plugin.rules",
    "beisitzer.plugin.screens",
    "beisitzer.testing.pilot",
    "beisitzer.testing.samples",
    "engines",
)
OURS = {"ai", "beisitzer", "engines", "hardware", "pi_app"}
OVERRIDDEN = {"_play", "_read", "_read_layout", "_refuse", "_set"}
"""Methods that a game defines although their names begin with an underscore."""


# --- the surfaces


def plugins() -> Data:
    """Return every name that games import, with its parameters, fields and methods."""
    return {name: dict(_names(import_module(name))) for name in MODULES}


def _names(module: ModuleType) -> Iterator[tuple[str, Data]]:
    listed = getattr(module, "__all__", [name for name in vars(module) if name[0] != "_"])
    for name in sorted(listed):
        value = getattr(module, name)
        if inspect.ismodule(value) or _is_others(value):
            continue
        if not hasattr(module, "__all__") and _is_imported(value, module):
            continue
        if inspect.isclass(value):
            # each Python makes enumerations by other parameters
            made = {} if issubclass(value, Enum) else _parameters(value)
            yield name, {"methods": dict(_methods(value)), "made": made}
        else:
            yield name, {"called": _parameters(value)}


def _is_others(value: object) -> bool:
    """Tell whether a class or function is Python's or a library's: we promise nothing of these."""
    named = inspect.isclass(value) or inspect.isroutine(value)
    return named and str(value.__module__).partition(".")[0] not in OURS


def _is_imported(value: object, module: ModuleType) -> bool:
    """Tell whether a class or function is another module's, which only uses it here."""
    named = inspect.isclass(value) or inspect.isroutine(value)
    return named and value.__module__ != module.__name__


def _methods(kind: type) -> Iterator[tuple[str, Data]]:
    ours = [base for base in kind.__mro__ if base.__module__.partition(".")[0] in OURS]
    for name in sorted({name for base in ours for name in vars(base)}):
        if name[0] != "_" or name in OVERRIDDEN:
            yield name, _parameters(getattr(kind, name, None))


def _parameters(value: object) -> Data:
    """Return each parameter with its place and whether it may be left out; {} for a value."""
    try:
        found = inspect.signature(value).parameters.values()  # type: ignore[arg-type]  # tried
    except (TypeError, ValueError):
        return {}
    return {
        each.name: {
            "place": "name" if each.kind is inspect.Parameter.KEYWORD_ONLY else place,
            "optional": each.default is not inspect.Parameter.empty or "VAR_" in each.kind.name,
        }
        for place, each in enumerate(found)
    }


def verbs() -> Data:
    """Return every command with its options and arguments."""
    context = click.Context(main)
    return dict(_verbs(main, context, ""))


def _verbs(command: click.Command, context: click.Context, name: str) -> Iterator[tuple[str, Data]]:
    if isinstance(command, click.Group):
        for each in command.list_commands(context):
            found = command.get_command(context, each)
            if found is not None:
                yield from _verbs(found, click.Context(found, context), f"{name} {each}".strip())
        return
    yield name, dict(_options(command.params))


def _options(params: Iterable[click.Parameter]) -> Iterator[tuple[str, Data]]:
    place = 0
    for each in params:
        facts: dict[str, Any] = {"optional": not each.required, "many": each.nargs}
        if isinstance(each, click.Option):
            facts["flag"] = each.is_flag
            for word in (*each.opts, *each.secondary_opts):
                yield word, facts
        else:
            yield f"argument {place}", facts
            place += 1


def settings() -> Data:
    """Return every key of a settings file."""
    return {each.key: {"optional": True} for each in entries()}


def requests() -> Data:
    """Return what a client of the companion's socket may ask, and the errors it may hear."""
    asked = {
        kind: {
            name: {"optional": field.default is not None, "most": field.most}
            for name, field in fields.items()
        }
        for kind, fields in REQUESTS.items()
    }
    return {
        "requests": asked,
        "errors": {code: status_of(code) for code in sorted(protocol._REFUSALS)},
    }


SHOWN = (("just4fun", "5*"), ("numeri", "d4"), ("sequence", "7*1#"), ("just4fun", "?"))
"""Games and keys whose frames have all that a frame may have."""


def frames() -> Data:
    """Return the fields of frames, by example."""
    found = {}
    for game, keys in SHOWN:
        players = "Anna blue, Ben green" if game == "sequence" else "Anna yellow, Ben red"
        frame = Pilot.game(game, players).key(keys)
        found[f"{game} {keys}"] = _shape(frame_data(frame, game))
    return found


def _shape(value: object) -> Any:
    """Return an object's fields; of a list those of its first element, of a value its type."""
    if isinstance(value, Mapping):
        return {name: _shape(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return {"each": _shape(value[0])} if value else {}
    return {} if value is None else type(value).__name__


def games() -> Data:
    """Return every kind of game with its house rules."""
    return {
        name: {rule.key: dict.fromkeys(rule.choices, "") for rule in GAMES[name].house_rules}
        for name in SHIPPED
    }


# --- bytes


def panel(line: str) -> Data:
    """Return what a line of the serial panel says, and the bytes that say it."""
    body = decode(line.rstrip("\n")[1:].encode())
    try:
        message = parse(body)
    except BadLineError:  # a word of the program's to the panel
        return {"sent": encode(body).decode()}
    names = getattr(message, "__dataclass_fields__", ())
    facts = {name: str(getattr(message, name)) for name in names}
    return {"says": type(message).__name__, "facts": facts, "sent": encode(body).decode()}


READERS: Mapping[str, Any] = {
    "down/ack": Ack, "down/seat": Assignment, "down/say": Say, "up/hello": TableHello,
    "up/events": EventBatch,
}  # fmt: skip


def message(topic: str, facts: Data) -> Data:
    """Return how a message of the club's protocol, or a line of the link, is understood."""
    if topic == "news":
        news = read_news(facts)
        assert news is not None
        return {"kind": facts["kind"], **news.line()}
    if topic == "asked":
        return {**read_asked(str(facts["kind"]), facts).line()}
    return {"v": 1, **READERS[topic].read(facts).facts()}


def club(database: Path) -> Data:
    """Return what a hub tells of the evening in a database: exported, and at its broker."""
    told: dict[str, Any] = {}
    opened = ClubDatabase(f"sqlite:///{database}")
    opened.prepare()
    with opened.read() as connection:
        told["export"] = by_place(export(connection, chosen_evening(connection, None)))
        publisher = Publisher(
            lambda name, data: told.update({name: by_place(data and json.loads(data))}), era=1
        )
        publisher.publish(connection)
        publisher.publish_standings(connection)
    opened.close()
    return told


def by_place(value: object) -> object:
    """Return lists as objects, so that their elements may get more keys."""
    if isinstance(value, Mapping):
        return {name: by_place(each) for name, each in value.items()}
    if isinstance(value, list):
        return {str(place): by_place(each) for place, each in enumerate(value)}
    return value


# --- comparing


def lacking(old: object, new: object, where: str = "") -> list[str]:
    """Return what a later surface lacks of an earlier one, and what it newly demands.

    Nothing may go, and nothing become required; more may come, if it may be left out.
    """
    if not isinstance(old, Mapping):
        became_optional = where.endswith("optional") and new is True
        return [] if old == new or became_optional else [f"{where}: {old!r} is {new!r}"]
    if not isinstance(new, Mapping):
        return [f"{where} is gone"] if old else []
    found = []
    for name, value in old.items():
        place = f"{where} {name}".strip()
        found += lacking(value, new[name], place) if name in new else [f"{place} is gone"]
    demanded = (
        name
        for name, value in new.items()
        if name not in old and isinstance(value, Mapping) and value.get("optional") is False
    )
    # a new command may demand what it likes: only parameters of what was there count
    return found + [f"{where} {name} is demanded now" for name in demanded if old]
