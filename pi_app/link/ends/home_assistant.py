"""The discovery message that gives Home Assistant a device for the table: docs/link.md.

`home_assistant.json` has the message: `@table` and `@software` are filled in. Home Assistant reads
`None` as an unknown state. The version has no topic, because the message itself states it.
"""

import json
from pathlib import Path

from pi_app.wire.messages import compact

STATUS = "homeassistant/status"
"""The topic on which Home Assistant publishes `online` when it starts."""
MESSAGE = Path(__file__).with_name("home_assistant.json")


def topic(table: str, leaf: str) -> str:
    """Return a table's topic, such as `beisitzer/1/table-x3k9ab/state` for `state`."""
    return f"beisitzer/1/{table}/{leaf}"


def discovery(table: str, software: str) -> tuple[str, bytes]:
    """Return the topic and the retained message that describes the table."""
    text = MESSAGE.read_text("utf-8").replace("@table", table).replace("@software", software)
    facts = json.loads(text)
    for name, component in facts["cmps"].items():
        component["unique_id"] = f"beisitzer_{table}_{name}"
        entity = f"beisitzer_{table.replace('-', '_')}_{name}"
        component["default_entity_id"] = f"{component['p']}.{entity}"
    return f"homeassistant/device/beisitzer_{table}/config", compact(facts)
