"""`beisitzer doctor` tries the way to the broker, and says at which step it ends and what to do."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pi_app.link.mqtt.examination import BrokerStep, examine
from pi_app.link.mqtt.trouble import LinkFault
from pi_app.settings.schema import LinkSettings
from tests.pi_app.link.mosquitto import Mosquitto, make_ca, needed
from tests.pi_app.link.test_doors import CONNACK_OF_3_1_1, Door
from tests.pi_app.link.test_process import environment
from tests.ports import free_port
from tests.stand_ins.hub import KeepingHub
from tests.stand_ins.table import RunningLink, TableInMemory, known, settings

pytestmark = needed


def ends(given: LinkSettings) -> tuple[BrokerStep, LinkFault | None]:
    """Return the last step that was tried, and what was in the way."""
    last = list(examine(given))[-1]
    return last.step, None if last.trouble is None else last.trouble.fault


def test_every_step_of_a_way_that_is_free_is_named(shared_broker: Mosquitto) -> None:
    tried = list(examine(settings(shared_broker, "table-23")))
    assert [(each.step, each.trouble) for each in tried] == [
        (BrokerStep.NAME, None),
        (BrokerStep.PORT, None),
        (BrokerStep.CERTIFICATE, None),
        (BrokerStep.LOGIN, None),
        (BrokerStep.RIGHTS, None),
    ]
    assert tried[0].found == "127.0.0.1"
    assert tried[2].found.startswith("TLSv1.")


def test_each_step_in_the_way_is_named(shared_broker: Mosquitto, tmp_path: Path) -> None:
    make_ca(tmp_path)
    (tmp_path / "wrong").write_text("wrong\n")
    cases: list[tuple[dict[str, Any], BrokerStep, LinkFault]] = [
        ({"user": "Table"}, BrokerStep.LOGIN, LinkFault.SETTINGS),
        ({"password_file": "/nowhere/at/all"}, BrokerStep.LOGIN, LinkFault.PASSWORD),
        ({"host": "broker.invalid"}, BrokerStep.NAME, LinkFault.NAME),
        ({"port": free_port()}, BrokerStep.PORT, LinkFault.PORT),
        ({"ca": str(tmp_path / "ca.pem")}, BrokerStep.CERTIFICATE, LinkFault.CERTIFICATE),
        ({"password_file": str(tmp_path / "wrong")}, BrokerStep.LOGIN, LinkFault.LOGIN),
    ]
    for facts, step, fault in cases:
        given = settings(shared_broker, "table-23", **facts)
        assert ends(given) == (step, fault), facts


def test_an_older_broker_and_one_that_forbids_are_named(broker: Mosquitto) -> None:
    door = Door(CONNACK_OF_3_1_1)
    older = LinkSettings(port=door.port, user="table-23", insecure=True)
    # the first connection only tries the port
    assert ends(older) == (BrokerStep.LOGIN, LinkFault.VERSION)
    door.close()
    broker.stop()
    reads = "pattern read beisitzer/1/%u/down/#\n"
    for rights in (reads, f"{reads}pattern write beisitzer/1/%u/signal\n"):
        (broker.folder / "rights").write_text(rights)
        broker.start()
        assert ends(settings(broker, "table-23")) == (BrokerStep.RIGHTS, LinkFault.RIGHTS)
        broker.stop()


def test_a_clock_that_nobody_has_set_is_named(
    shared_broker: Mosquitto, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pi_app.link.mqtt.examination.clock_is_sure", lambda _now: False)
    assert ends(settings(shared_broker, "table-23")) == (BrokerStep.CLOCK, LinkFault.CLOCK)


def test_a_link_that_runs_goes_on_after_an_examination(
    shared_broker: Mosquitto, hub: KeepingHub
) -> None:
    table = TableInMemory("store-examined")
    given = settings(shared_broker, "table-24")
    with RunningLink(table, given) as link:
        hub.wait_for(lambda: link.connected == 1)
        assert ends(given) == (BrokerStep.RIGHTS, None)
        table.add(1)
        hub.wait_for(lambda: table.upto == 1)
        # a broker that tells the older connection (0x8E) makes it wait half a minute
        assert LinkFault.TWICE not in [each.fault for each in link.troubles]


def test_the_doctor_says_it_in_sentences(shared_broker: Mosquitto, tmp_path: Path) -> None:
    variables = environment(tmp_path, **known(shared_broker, "table-25"))
    command = [sys.executable, "-m", "pi_app", "doctor", "--simulate", "--lang", "en"]
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if ": link: " in line]
    assert len(lines) == 5
    assert lines[0] == "ok: link: the broker is at 127.0.0.1"
    assert lines[-1] == "ok: link: this table may write and read"
    variables = environment(tmp_path, enabled=True, user="table-25", port=free_port())
    done = subprocess.run(command, env=variables, capture_output=True, text=True, check=False)
    assert "MISSING: link: nothing listens there: check link.port" in done.stdout
