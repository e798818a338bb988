"""A real Mosquitto with a password, with TLS and without, in a folder of a test."""

import shutil
import signal
import socket
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.ports import free_port
from tests.stand_ins.certificates import make_ca, make_certificate
from tests.stand_ins.waiting import wait_for

USER, PASSWORD = "beisitzer", "correct horse"
_FOLDERS = "/usr/sbin:/usr/bin:/usr/local/sbin"
needed = pytest.mark.skipif(
    any(shutil.which(name, path=_FOLDERS) is None for name in ("mosquitto", "openssl"))
    or find_spec("aiomqtt") is None,
    reason="mosquitto, openssl or aiomqtt is not installed",
)


def program(name: str) -> str:
    """Return the path of one of Mosquitto's programs; Debian has the broker in /usr/sbin."""
    found = shutil.which(name, path=_FOLDERS)
    assert found is not None, name
    return found


class Mosquitto:
    """A broker that lets USER in with PASSWORD."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port, self.plain_port = free_port(), free_port()
        self._process: subprocess.Popen[bytes] | None = None
        folder.mkdir(parents=True, exist_ok=True)
        make_ca(folder)
        make_certificate(folder, "broker")
        (folder / "users").write_text(f"{USER}:{PASSWORD}\n")
        (folder / "users").chmod(0o600)
        subprocess.run([program("mosquitto_passwd"), "-U", str(folder / "users")], check=True)
        (folder / "mosquitto.conf").write_text(
            f"user root\nallow_anonymous false\npassword_file {folder}/users\n"
            f"log_dest file {folder}/log\nlistener {self.plain_port} 127.0.0.1\n"
            f"listener {self.port} 127.0.0.1\ncafile {folder}/ca.pem\n"
            f"certfile {folder}/broker.pem\nkeyfile {folder}/broker.key\n"
        )

    def start(self) -> None:
        command = [program("mosquitto"), "-c", str(self.folder / "mosquitto.conf")]
        with (self.folder / "output").open("ab") as output:
            self._process = subprocess.Popen(command, stdout=output, stderr=output)
        wait_for(self._answers, "mosquitto")

    def _answers(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, (self.folder / "output").read_text()
        try:
            socket.create_connection(("127.0.0.1", self.port), 1).close()
        except OSError:
            return False
        return True

    def stop(self, number: int = signal.SIGTERM) -> None:
        if self._process is not None:
            self._process.send_signal(number)
            self._process.wait(60)
            self._process = None


class Home:
    """What a smart home sees of one table: its words, the newest by topic, and all of them."""

    def __init__(self, broker: Mosquitto) -> None:
        import paho.mqtt.client as mqtt
        from paho.mqtt.enums import CallbackAPIVersion

        self.heard: list[tuple[str, bytes]] = []
        self._client = mqtt.Client(CallbackAPIVersion.VERSION2, protocol=mqtt.MQTTv5)
        self._client.username_pw_set(USER, PASSWORD)
        self._client.on_message = lambda _client, _data, message: self.heard.append(
            (message.topic, bytes(message.payload))
        )
        self._client.on_connect = lambda client, *_: client.subscribe("#", 1)
        self._client.connect("127.0.0.1", broker.plain_port)
        self._client.loop_start()

    def newest(self, leaf: str) -> bytes | None:
        found = [payload for topic, payload in self.heard if topic.endswith(leaf)]
        return found[-1] if found else None

    def say(self, topic: str, payload: bytes, *, retain: bool = False) -> None:
        self._client.publish(topic, payload, 1, retain=retain).wait_for_publish(60)

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()
