"""What a table tells a real Home Assistant, over a real Mosquitto; run by `tools.home_assistant`.

It is no test of this project's suite: Home Assistant needs a newer Python than that, and its own
plug-in for pytest.
"""

import asyncio
import json
import subprocess
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import voluptuous
import yaml
from homeassistant.components import mqtt
from homeassistant.components.mqtt.abbreviations import ABBREVIATIONS, DEVICE_ABBREVIATIONS
from homeassistant.components.mqtt.schemas import DEVICE_DISCOVERY_SCHEMA
from homeassistant.core import HomeAssistant, callback
from homeassistant.helpers import device_registry, entity_registry
from homeassistant.setup import async_setup_component
from pytest_homeassistant_custom_component.common import MockConfigEntry, async_mock_service

from pi_app.link.contract import payload, topic
from pi_app.link.mqtt.home_assistant import discovery

TABLE = "table-07"
PORT = 18830
WITHIN_S = 20.0
ENTITY = "beisitzer_table_07_"
ENTITIES = {
    f"sensor.{ENTITY}turn",
    f"sensor.{ENTITY}game",
    f"sensor.{ENTITY}lamp",
    f"binary_sensor.{ENTITY}in_use",
    f"event.{ENTITY}table",
    f"notify.{ENTITY}say",
    f"update.{ENTITY}version",
}
PLAYING = {
    "boot": "b",
    "n": 1,
    "game": "numeri",
    "phase": "playing",
    "players": 3,
    "waiting": 4,
    "turn": {"seat": 2, "colour": "red", "hex": "#c00000"},
    "assignment": None,
}
IDLE = {**PLAYING, "game": None, "phase": "idle", "turn": None, "n": 2}


async def test_home_assistants_own_schema_takes_the_message(hass: HomeAssistant) -> None:
    del hass  # templates are checked by the one that runs
    said = json.loads(discovery(TABLE, "1.0.0").payload)
    long = {
        "device": {DEVICE_ABBREVIATIONS.get(k, k): v for k, v in said.pop("dev").items()},
        "origin": said.pop("o"),
        "components": {
            name: {
                "platform": facts.pop("p"),
                **{ABBREVIATIONS.get(k, k): v for k, v in facts.items()},
            }
            for name, facts in said.pop("cmps").items()
        },
        **said,
    }
    DEVICE_DISCOVERY_SCHEMA(long)
    for facts in long["components"].values():
        platform = __import__(
            f"homeassistant.components.mqtt.{facts['platform']}", fromlist=["DISCOVERY_SCHEMA"]
        )
        taken = platform.DISCOVERY_SCHEMA(
            {**facts, "device": long["device"], "origin": long["origin"]}
        )
        # the schema drops what it does not know: nothing of ours may be among that
        assert not set(facts) - set(taken) - {"platform"}, facts
    with pytest.raises(voluptuous.Invalid):
        DEVICE_DISCOVERY_SCHEMA({**long, "components": {"turn": {"platform": "lamp"}}})


@pytest.fixture
async def broker(tmp_path: Path, socket_enabled: None) -> AsyncIterator[None]:
    del socket_enabled
    (tmp_path / "mosquitto.conf").write_text(f"listener {PORT} 127.0.0.1\nallow_anonymous true\n")
    process = subprocess.Popen(["/usr/sbin/mosquitto", "-c", str(tmp_path / "mosquitto.conf")])
    for _ in range(200):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", PORT)
        except OSError:
            await asyncio.sleep(0.05)
        else:
            writer.close()
            break
    yield
    process.terminate()
    process.wait()


@pytest.fixture
async def house(hass: HomeAssistant, broker: None, tmp_path: Path) -> AsyncIterator[HomeAssistant]:
    del broker
    (tmp_path / "configuration.yaml").write_text("")
    hass.config.config_dir = str(tmp_path)
    entry = MockConfigEntry(
        domain=mqtt.DOMAIN,
        data={"broker": "127.0.0.1", "port": PORT, "protocol": "5", "discovery": True},
        version=getattr(mqtt, "CONFIG_ENTRY_VERSION", 1),
        minor_version=getattr(mqtt, "CONFIG_ENTRY_MINOR_VERSION", 1),
    )
    entry.add_to_hass(hass)
    assert await hass.config_entries.async_setup(entry.entry_id)
    await hass.async_block_till_done()
    letter = discovery(TABLE, "1.0.0")
    await say(hass, letter.topic, letter.payload)
    await say(hass, topic(TABLE, "availability"), b"online")
    yield hass
    await hass.config_entries.async_unload(entry.entry_id)


async def say(hass: HomeAssistant, name: str, data: bytes, *, retain: bool = True) -> None:
    """Publish by the broker, so that Home Assistant hears it from there."""
    await mqtt.async_publish(hass, name, data.decode(), qos=1, retain=retain)


async def until(holds: Callable[[], Any]) -> None:
    for _ in range(int(WITHIN_S / 0.05)):
        if holds():
            return
        await asyncio.sleep(0.05)
    raise AssertionError("it never held")


def state(hass: HomeAssistant, entity: str) -> str | None:
    found = hass.states.get(entity)
    return None if found is None else found.state


async def test_every_entity_is_there_under_its_name(house: HomeAssistant) -> None:
    await until(lambda: {each.entity_id for each in house.states.async_all()} >= ENTITIES)
    registered = entity_registry.async_get(house).entities
    assert {each.entity_id for each in registered.values()} == ENTITIES
    (device,) = device_registry.async_get(house).devices.values()
    assert (device.name, device.model, device.sw_version) == (
        "Beisitzer table-07",
        "Beisitzer",
        "1.0.0",
    )


async def test_the_states_are_what_the_table_says(house: HomeAssistant) -> None:
    await say(house, topic(TABLE, "state"), payload(PLAYING))
    await until(lambda: state(house, f"sensor.{ENTITY}turn") == "red")
    turn = house.states.get(f"sensor.{ENTITY}turn")
    assert turn is not None
    assert [turn.attributes[name] for name in ("seat", "players", "waiting")] == [2, 3, 4]
    assert state(house, f"sensor.{ENTITY}game") == "numeri"
    assert state(house, f"sensor.{ENTITY}lamp") == "#c00000"
    assert state(house, f"binary_sensor.{ENTITY}in_use") == "on"
    await until(lambda: house.states.get(f"update.{ENTITY}version").attributes["installed_version"])
    version = house.states.get(f"update.{ENTITY}version")
    assert version is not None
    assert (version.state, version.attributes["installed_version"]) == ("off", "1.0.0")
    await say(house, topic(TABLE, "state"), payload(IDLE))
    await until(lambda: state(house, f"sensor.{ENTITY}turn") == "unknown")
    await until(lambda: state(house, f"binary_sensor.{ENTITY}in_use") == "off")
    assert state(house, f"sensor.{ENTITY}lamp") == "unknown"
    assert state(house, f"sensor.{ENTITY}game") == "unknown"
    await say(house, topic(TABLE, "availability"), b"offline")
    await until(lambda: state(house, f"sensor.{ENTITY}turn") == "unavailable")


@pytest.mark.parametrize("event_type", ["turn", "row", "illegal", "win", "help"])
async def test_an_event_of_the_table_is_one_of_the_house(
    house: HomeAssistant, event_type: str
) -> None:
    entity = f"event.{ENTITY}table"
    await until(lambda: state(house, entity) not in (None, "unavailable"))
    facts = {"event_type": event_type, "seat": 2}
    await say(house, topic(TABLE, "signal"), payload(facts), retain=False)
    await until(lambda: house.states.get(entity).attributes.get("event_type") == event_type)
    assert house.states.get(entity).attributes["seat"] == 2


async def test_what_the_house_says_is_what_the_contract_wants(house: HomeAssistant) -> None:
    from pi_app.link.contract import Say, read_payload

    heard: list[str] = []

    @callback
    def hear(message: mqtt.ReceiveMessage) -> None:
        heard.append(str(message.payload))

    await mqtt.async_subscribe(house, topic(TABLE, "down/say"), hear)
    entity = f"notify.{ENTITY}say"
    await until(lambda: state(house, entity) not in (None, "unavailable"))
    for text in ('Dinner: "now"\n', "x" * 900, "Dinner"):
        await house.services.async_call(
            "notify", "send_message", {"entity_id": entity, "message": text}, blocking=True
        )
    await until(lambda: len(heard) == 3)
    said = [Say.read(read_payload(each.encode())) for each in heard]
    assert said[0].text == 'Dinner: "now"'
    assert len(said[1].text) == 200
    assert len({each.id for each in said}) == 3


def automations() -> list[dict[str, Any]]:
    """Return the automations that docs/home.md gives people to copy, for this table."""
    text = Path(__file__).with_name("home.md").read_text("utf-8").replace("table_01", "table_07")
    blocks = text.split("\n    alias:")[1:]
    found = []
    for block in blocks:
        lines = f"    alias:{block}".splitlines()
        end = next((i for i, line in enumerate(lines) if line and line[:4] != "    "), len(lines))
        found.append(yaml.safe_load("\n".join(line[4:] for line in lines[:end])))
    return found


async def test_the_manuals_automations_do_what_it_says(house: HomeAssistant) -> None:
    given = automations()
    assert [each["alias"] for each in given] == [
        "The lamp shows whose turn it is",
        "The table speaks",
    ]
    # nobody waits five minutes here
    (free,) = [each for each in given[1]["triggers"] if each["id"] == "free"]
    free["for"] = "00:00:00"
    entity = f"event.{ENTITY}table"
    await until(lambda: state(house, entity) not in (None, "unavailable"))
    on, off = (async_mock_service(house, "light", f"turn_{to}") for to in ("on", "off"))
    spoken = async_mock_service(house, "tts", "speak")
    told = async_mock_service(house, "notify", "notify")
    assert await async_setup_component(house, "automation", {"automation": given})
    await house.async_block_till_done()
    assert len(house.states.async_entity_ids("automation")) == 2
    await say(house, topic(TABLE, "state"), payload(PLAYING))
    await until(lambda: on)
    assert on[0].data["rgb_color"] == [0xC0, 0, 0]
    for event_type in ("row", "turn"):
        facts = {"event_type": event_type, "seat": 2}
        await say(house, topic(TABLE, "signal"), payload(facts), retain=False)
    await until(lambda: spoken)
    assert [each.data["message"] for each in spoken] == ["Seat 2, it is your turn."]
    await say(house, topic(TABLE, "state"), payload(IDLE))
    await until(lambda: off and told)
    assert [each.data["message"] for each in told] == ["The table is free."]
