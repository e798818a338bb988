"""What Home Assistant is told, so that it makes a device with entities of a table: docs/home.md."""

from collections.abc import Mapping
from typing import Any, get_args, get_type_hints

from pi_app.link.protocol import TableEvent
from pi_app.wire.messages import compact

STATUS = "homeassistant/status"
"""Where Home Assistant says `online` when it starts."""
TABLE_URL = "http://beisitzer.local/"
"""Where browsers in the house find a table."""
SAY_S = 600
"""How long a text from the house counts."""

EVENT_TYPES = get_args(get_type_hints(TableEvent)["event_type"])
_NONE = "None"
"""What Home Assistant takes for a state that is not known."""


def topic(table: str, leaf: str) -> str:
    """Return a table's topic, such as `beisitzer/1/table-x3k9ab/state` for `state`."""
    return f"beisitzer/1/{table}/{leaf}"


def discovery(table: str, software: str) -> tuple[str, bytes]:
    """Return the topic and the message that describes the table; to be retained."""
    facts = {
        "dev": {
            "identifiers": [f"beisitzer_{table}"],
            "name": f"Beisitzer {table}",
            "model": "Beisitzer",
            "sw_version": software,
            "configuration_url": TABLE_URL,
        },
        "o": {"name": "Beisitzer", "sw_version": software, "support_url": TABLE_URL},
        "availability": [
            {
                "topic": topic(table, "availability"),
                "payload_available": "online",
                "payload_not_available": "offline",
            }
        ],
        "cmps": {
            name: {
                **facts,
                "unique_id": f"beisitzer_{table}_{name}",
                "default_entity_id": _entity(str(facts["p"]), table, name),
            }
            for name, facts in _components(table, software).items()
        },
    }
    place = f"homeassistant/device/beisitzer_{table}/config"
    return place, compact(facts)


def _components(table: str, software: str) -> Mapping[str, Mapping[str, Any]]:
    state = topic(table, "state")
    version = f'{{"installed_version": "{software}", "latest_version": "{software}"}}'
    return {
        "turn": {
            "p": "sensor",
            "name": "Turn",
            "icon": "mdi:account-arrow-right",
            "state_topic": state,
            "value_template": f"{{{{ (value_json.turn or {{}}).colour | default('{_NONE}') }}}}",
            "json_attributes_topic": state,
            "json_attributes_template": "{{ {'seat': (value_json.turn or {}).seat | default(none), "
            "'players': value_json.players, 'waiting': value_json.waiting} | to_json }}",
        },
        "game": {
            "p": "sensor",
            "name": "Game",
            "icon": "mdi:dice-multiple",
            "state_topic": state,
            "value_template": f"{{{{ value_json.game or '{_NONE}' }}}}",
        },
        "in_use": {
            "p": "binary_sensor",
            "name": "In use",
            "device_class": "occupancy",
            "state_topic": state,
            "value_template": "{{ 'ON' if value_json.phase == 'playing' else 'OFF' }}",
        },
        "lamp": {
            "p": "sensor",
            "name": "Lamp",
            "icon": "mdi:lightbulb",
            "state_topic": state,
            "value_template": f"{{{{ (value_json.turn or {{}}).hex | default('{_NONE}') }}}}",
        },
        "table": {
            "p": "event",
            "name": "Table",
            "state_topic": topic(table, "signal"),
            "event_types": list(EVENT_TYPES),
        },
        "say": {
            "p": "notify",
            "name": "Say",
            "command_topic": topic(table, "say"),
            "command_template": "{{ {'id': 'home-' ~ now().timestamp(), "
            f"'text': (value | string)[:200], 'for_s': {SAY_S}}} | to_json }}}}",
            "qos": 1,
        },
        "version": {
            "p": "update",
            "name": "Version",
            "state_topic": state,
            # no topic has it: what runs is known when this is written
            "value_template": version,
        },
    }


def _entity(platform: str, table: str, name: str) -> str:
    return f"{platform}.beisitzer_{table.replace('-', '_')}_{name}"
