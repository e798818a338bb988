"""What Home Assistant is told, so that it makes a device with entities of a table: docs/link.md.

The message lies in `home_assistant.json`: `@table` and `@software` are filled in. `None` is what
Home Assistant takes for a state that is not known. The version has no topic of its own: what runs
is known when the message is written.
"""

import json
from pathlib import Path

from pi_app.wire.messages import compact

STATUS = "homeassistant/status"
"""Where Home Assistant says `online` when it starts."""
MESSAGE = Path(__file__).with_name("home_assistant.json")


def topic(table: str, leaf: str) -> str:
    """Return a table's topic, such as `beisitzer/1/table-x3k9ab/state` for `state`."""
    return f"beisitzer/1/{table}/{leaf}"


def discovery(table: str, software: str) -> tuple[str, bytes]:
    """Return the topic and the message that describes the table; to be retained."""
    text = MESSAGE.read_text("utf-8").replace("@table", table).replace("@software", software)
    facts = json.loads(text)
    for name, component in facts["cmps"].items():
        component["unique_id"] = f"beisitzer_{table}_{name}"
        entity = f"beisitzer_{table.replace('-', '_')}_{name}"
        component["default_entity_id"] = f"{component['p']}.{entity}"
    return f"homeassistant/device/beisitzer_{table}/config", compact(facts)
