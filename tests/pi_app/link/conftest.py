"""A broker for a module's tests, and a hub for each test."""

from collections.abc import Iterator

import pytest

from tests.pi_app.link.mosquitto import Mosquitto
from tests.stand_ins.hub import KeepingHub

TABLES = tuple(f"table-{number:02}" for number in range(1, 31))


@pytest.fixture(scope="module")
def shared_broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Start a broker that a module's tests share; each uses a table of its own."""
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"), TABLES)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    """Start a broker that a test may harm."""
    broker = Mosquitto(tmp_path_factory.mktemp("mosquitto"), TABLES)
    broker.start()
    yield broker
    broker.stop()


@pytest.fixture
def hub(shared_broker: Mosquitto) -> Iterator[KeepingHub]:
    """Start a hub at the shared broker."""
    hub = KeepingHub(shared_broker)
    hub.start()
    yield hub
    hub.stop()
