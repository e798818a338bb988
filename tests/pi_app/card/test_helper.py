"""Root's helper: the listed calls with checked arguments, over a real socket, and nothing else."""

import json
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

from pi_app.card.helper import HelperError, call
from systemd import helper

USB = "devices/platform/soc/3f980000.usb/usb1/1-1/1-1:1.0/host0/target0:0:0/0:0:0:0/block"
PCI = "devices/pci0000:00/ata1/host1/target1:0:0/1:0:0:0/block"
MOUNT = (
    "systemd-mount", "--quiet", "--collect", "--fsck=no", "--type=vfat",
    "--options=rw,nosuid,nodev,noexec,uid=990,gid=980,fmask=0177,dmask=0077,"
    "x-systemd.device-bound",
    "/dev/sda1", "/run/beisitzer-stick",
)  # fmt: skip


class FakeMachine:
    """A machine in a folder: its disks as the kernel and udev describe them."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.calls: list[Sequence[str]] = []
        self.fails: dict[str, str] = {}
        self.mounts: dict[str, str] = {"179:2": "/"}
        self.note_mounts()

    def machine(self) -> helper.Machine:
        return helper.Machine(990, 980, self.root, self.command)

    def command(self, words: Sequence[str]) -> "subprocess.CompletedProcess[str]":
        self.calls.append(words)
        text = self.fails.get(words[0], "")
        return subprocess.CompletedProcess(words, int(bool(text)), "", text)

    def note_mounts(self, **places: str) -> None:
        self.mounts.update(places)
        lines = [f"1 1 {n} / {at} rw - ext4 /dev/x rw\n" for n, at in self.mounts.items()]
        self.write("proc/self/mountinfo", "".join(lines))

    def write(self, place: str, text: str) -> None:
        path = self.root / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def add_disk(self, name: str, where: str = USB, removable: int = 1) -> None:
        disk = f"sys/{where}/{name}"
        self.write(f"{disk}/removable", f"{removable}\n")
        self.add_device(name, disk, f"8:{ord(name[2]) - ord('a')}")
        links = self.root / "sys/block"
        links.mkdir(parents=True, exist_ok=True)
        (links / name).symlink_to(self.root / disk)

    def add_partition(self, disk: str, number: int, kind: str) -> None:
        name = f"{disk}{number}"
        place = (self.root / "sys/block" / disk).resolve() / name
        device = f"8:{(ord(disk[2]) - ord('a')) * 16 + number + 100}"
        self.add_device(name, str(place.relative_to(self.root)), device)
        self.write(
            f"run/udev/data/b{device}",
            f"S:disk/by-x\nE:ID_FS_USAGE=filesystem\nE:ID_FS_TYPE={kind}\n",
        )

    def add_device(self, name: str, place: str, number: str) -> None:
        self.write(f"{place}/dev", f"{number}\n")
        links = self.root / "sys/class/block"
        links.mkdir(parents=True, exist_ok=True)
        (links / name).symlink_to(self.root / place)


@pytest.fixture(name="fake")
def _fake(tmp_path: Path) -> FakeMachine:
    return FakeMachine(tmp_path / "root")


@pytest.fixture(name="stick")
def _stick(fake: FakeMachine) -> FakeMachine:
    fake.add_disk("sda")
    fake.add_partition("sda", 1, "vfat")
    return fake


def ask(machine: helper.Machine, **request: object) -> dict[str, object]:
    reply = json.loads(helper.answer_line(json.dumps(request).encode(), machine))
    assert isinstance(reply, dict)
    return reply


def names(fake: FakeMachine) -> list[str]:
    found = ask(fake.machine(), call="stick-list")["ok"]
    assert isinstance(found, dict)
    return [stick["name"] for stick in found["sticks"]]


def test_a_stick_is_listed_with_its_kind(stick: FakeMachine) -> None:
    assert ask(stick.machine(), call="stick-list") == {
        "ok": {"sticks": [{"name": "sda1", "kind": "vfat"}]}
    }


def test_fixed_disks_and_those_that_are_not_on_usb_are_no_sticks(fake: FakeMachine) -> None:
    fake.add_disk("sda", removable=0)
    fake.add_partition("sda", 1, "vfat")
    fake.add_disk("sdb", where=PCI)
    fake.add_partition("sdb", 1, "vfat")
    assert names(fake) == []


def test_the_stick_that_the_machine_started_from_is_never_touched(stick: FakeMachine) -> None:
    stick.add_partition("sda", 2, "ext4")
    stick.note_mounts(**{"8:102": "/"})
    assert names(stick) == []
    reply = ask(stick.machine(), call="stick-mount", name="sda1", write=True)
    assert reply == {"error": "no-stick"}
    assert stick.calls == []


def test_a_stick_without_partitions_is_one_file_system(fake: FakeMachine) -> None:
    fake.add_disk("sda")
    fake.write("run/udev/data/b8:0", "E:ID_FS_USAGE=filesystem\nE:ID_FS_TYPE=exfat\n")
    assert names(fake) == ["sda"]


def test_reading_mounts_read_only(stick: FakeMachine) -> None:
    ask(stick.machine(), call="stick-mount", name="sda1", write=False)
    assert stick.calls[0][5].startswith("--options=ro,nosuid,nodev,noexec,")


def test_another_file_system_is_refused_with_its_name(fake: FakeMachine) -> None:
    fake.add_disk("sda")
    fake.add_partition("sda", 1, "ntfs")
    reply = ask(fake.machine(), call="stick-mount", name="sda1", write=True)
    assert reply == {"error": "kind", "kind": "ntfs"}
    assert fake.calls == []


def test_a_mounted_stick_is_unmounted_before_one_is_mounted(stick: FakeMachine) -> None:
    stick.note_mounts(**{"8:101": "/run/beisitzer-stick"})
    ask(stick.machine(), call="stick-mount", name="sda1", write=True)
    assert [words[0] for words in stick.calls] == ["systemctl", "systemd-mount"]


def test_unmounting_stops_the_mount_and_is_nothing_without_one(stick: FakeMachine) -> None:
    assert ask(stick.machine(), call="stick-unmount") == {"ok": {}}
    assert stick.calls == []
    stick.note_mounts(**{"8:101": "/run/beisitzer-stick"})
    assert ask(stick.machine(), call="stick-unmount") == {"ok": {}}
    assert stick.calls == [("systemctl", "stop", r"run-beisitzer\x2dstick.mount")]


def test_a_command_that_fails_is_told_with_its_words(stick: FakeMachine) -> None:
    stick.fails["systemd-mount"] = "Job failed.\n"
    reply = ask(stick.machine(), call="stick-mount", name="sda1", write=True)
    assert reply == {"error": "failed", "command": "systemd-mount", "text": "Job failed."}


@pytest.mark.parametrize(
    ("request_line", "error"),
    [
        (b"", "request"),
        (b"\xff\xfe", "request"),
        (b"[" * 100_000, "request"),
        (b"[]", "request"),
        (b"{}", "unknown-call"),
        (b'{"call": ["stick-list"]}', "unknown-call"),
        (b'{"call": "reboot"}', "unknown-call"),
        (b'{"call": "stick-list", "name": "sda1"}', "argument"),
        (b'{"call": "stick-mount"}', "argument"),
        (b'{"call": "stick-mount", "name": "sda1"}', "argument"),
        (b'{"call": "stick-mount", "name": "sda1", "write": 1}', "argument"),
        (b'{"call": "stick-mount", "name": "mmcblk0p1", "write": true}', "argument"),
        (b'{"call": "stick-mount", "name": "sda1\\n", "write": true}', "argument"),
        (b'{"call": "stick-mount", "name": "../sda1", "write": true}', "argument"),
        (b'{"call": "stick-mount", "name": 3, "write": true}', "argument"),
        (b'{"call": "stick-mount", "name": "sda1", "write": true, "machine": 1}', "argument"),
    ],
)
def test_what_is_not_on_the_list_is_refused(
    stick: FakeMachine, request_line: bytes, error: str
) -> None:
    assert json.loads(helper.answer_line(request_line, stick.machine()))["error"] == error
    assert stick.calls == []


# --- over a socket

Serve = Callable[[Callable[[socket.socket], object]], Path]


@pytest.fixture(name="serve")
def _serve(tmp_path: Path) -> Iterator[Serve]:
    """Return a function that lets the given one handle one connection, as systemd would."""
    threads = []
    with socket.socket(socket.AF_UNIX) as door:

        def start(handle: Callable[[socket.socket], object]) -> Path:
            door.bind(str(tmp_path / "s"))
            door.listen()

            def run() -> None:
                connection, _ = door.accept()
                with connection:
                    handle(connection)

            threads.append(threading.Thread(target=run))
            threads[0].start()
            return tmp_path / "s"

        yield start
        for thread in threads:
            thread.join()


def test_a_stick_is_mounted_over_the_socket_so_that_nothing_on_it_can_run_or_be_a_device(
    serve: Serve, stick: FakeMachine
) -> None:
    at = serve(lambda connection: helper.serve(connection, stick.machine()))
    found = call("stick-mount", at=at, name="sda1", write=True)
    assert found == {"place": "/run/beisitzer-stick"}
    assert stick.calls == [MOUNT]


def test_a_refusal_comes_back_as_an_error_with_its_facts(serve: Serve, fake: FakeMachine) -> None:
    at = serve(lambda connection: helper.serve(connection, fake.machine()))
    with pytest.raises(HelperError) as refused:
        call("stick-mount", at=at, name="/dev/sda", write=True)
    assert refused.value.args == ("argument", {"argument": "name"})


def test_the_stick_belongs_to_whoever_asks(serve: Serve) -> None:
    asked = []
    at = serve(lambda connection: asked.append(helper.asker(connection)))
    with pytest.raises(HelperError) as cut:
        call("stick-list", at=at)
    assert cut.value.code == "no-answer"
    assert (asked[0].uid, asked[0].gid) == (at.stat().st_uid, at.stat().st_gid)


def test_a_request_that_never_ends_is_dropped(serve: Serve, fake: FakeMachine) -> None:
    at = serve(lambda connection: helper.serve(connection, fake.machine()))
    with pytest.raises(HelperError) as cut:
        call("stick-mount", at=at, name="x" * 5000)
    assert cut.value.code == "no-answer"


def test_an_answer_of_junk_is_no_answer(serve: Serve) -> None:
    at = serve(lambda connection: connection.sendall(b"[1, 2]\n"))
    with pytest.raises(HelperError) as junk:
        call("stick-list", at=at)
    assert junk.value.code == "no-answer"


def test_a_machine_without_the_helper_says_so(tmp_path: Path) -> None:
    with pytest.raises(HelperError) as none:
        call("stick-list", at=tmp_path / "none")
    assert none.value.code == "no-helper"
