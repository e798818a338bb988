"""The card boots with its own kernel to the companion's first frame, and is what it should be."""

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.machine.card.card import Card, copy_card, put_on_boot, set_up, told
from tests.machine.card.conftest import Image
from tests.machine.table import RUNS, Figures
from tests.players.panel import Hand

SERIAL_S = 1500
READY = "Started beisitzer.service"


@pytest.fixture(scope="module", name="card")
def _card(image: Image) -> Iterator[Card]:
    copy = set_up(copy_card(image.card, image.folder / "booted"))
    with Hand(copy.parent / "hand") as hand, Card(copy, image.boot, panel=hand) as card:
        hand.shows("Just 4 Fun", timeout_s=900)
        card.wait_for(RUNS, 900)
        yield card


def test_the_card_boots_to_the_first_frame(card: Card, figures: Figures) -> None:
    figures.start(card, "of the card, for the first time")
    figures.note(f"memory of the whole system: {card.ok('free -m | sed -n 2p')}")
    assert card.ok("uname -m") == "aarch64"


def test_nothing_has_failed(card: Card) -> None:
    card.wait_for("systemctl is-system-running --wait | grep -q running")
    assert card.ok("systemctl --failed --no-legend --plain") == ""


def test_the_root_is_only_read(card: Card) -> None:
    assert card.run("touch /etc/anything").status != 0
    assert card.run("touch /boot/firmware/anything").status != 0
    assert "ro," in card.ok("findmnt -no OPTIONS /")


def test_the_data_partition_reaches_to_the_cards_end(card: Card) -> None:
    total = int(card.ok("cat /sys/class/block/vda/size"))
    end = int(card.ok("cd /sys/class/block/vda3; echo $(($(cat start) + $(cat size)))"))
    assert total - end < 16384
    card.wait_for(f"test $(df -m --output=size /data | tail -1) -gt {1500}")


def test_the_game_and_settings_are_on_the_data_partition(card: Card) -> None:
    assert card.ok("findmnt -no SOURCE /var/lib/beisitzer").endswith("[/state]")
    assert card.ok("stat -c %U:%a /var/lib/beisitzer") == "beisitzer:750"
    card.ok("test -s /data/state/games")


def test_logs_are_in_memory(card: Card) -> None:
    assert card.ok("findmnt -no FSTYPE /var/log") == "tmpfs"
    card.ok("journalctl -n 1 -u beisitzer; test -d /run/log/journal && ! test -e /var/log/journal")


def test_nobody_can_log_in(card: Card) -> None:
    with_password = card.ok("awk -F: '$2 !~ /^[!*]/' /etc/shadow")
    assert with_password == ""
    assert card.ok("systemctl is-active ssh.service || true") != "active"
    assert card.ok("cat /proc/net/tcp /proc/net/tcp6 | awk '$4 == \"0A\"'") == ""


def test_the_wifis_service_may_do_what_it_has_to(card: Card) -> None:
    told = card.ok(
        "setpriv --reuid beisitzer-wifi --regid beisitzer-wifi --clear-groups"
        " nmcli -t -f PERMISSION,VALUE general permissions"
    )
    for right in ("enable-disable-wifi", "settings.modify.system", "wifi.share.protected"):
        assert f"org.freedesktop.NetworkManager.{right}:yes" in told.splitlines()


def test_a_system_that_hangs_is_started_anew_by_the_watchdog(image: Image, free: Path) -> None:
    copy = copy_card(image.card, free)
    with Card(copy, image.boot, more=("-device", "i6300esb")) as card:
        card.wait_for("journalctl -b | grep -i 'watchdog.*14s'")
        card.ok("kill -SEGV 1")  # systemd then stands still
        assert card.end(timeout_s=180) == "guest-reset"


def test_the_program_has_its_libraries_and_byte_code(card: Card) -> None:
    lib = "/usr/lib/beisitzer"
    card.ok(f"cd /; LG_WD=/run PYTHONPATH={lib} python3 -B -c 'import lgpio, evdev, pygame'")
    assert card.ok(f"find {lib}/pi_app -name '*.py' | wc -l") == card.ok(
        f"find {lib}/pi_app -name '*.pyc' | wc -l"
    )


def test_the_card_keeps_its_machine_id_and_starts_again(card: Card, figures: Figures) -> None:
    before = card.ok("cat /etc/machine-id")
    assert before == card.ok("cat /data/machine/machine-id")
    card.restart(lambda: restart(card))
    card.wait_for(RUNS, 900)
    assert card.ok("cat /etc/machine-id") == before
    figures.start(card, "of the card, for the second time")


def restart(card: Card) -> None:
    card.ok("systemctl --no-block reboot")


def test_ssh_comes_with_a_key_on_the_boot_partition(image: Image, free: Path) -> None:
    copy = copy_card(image.card, free)
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", free / "key"], check=True)
    put_on_boot(copy, "authorized_keys", (free / "key.pub").read_text())
    with Card(copy, image.boot) as card:
        card.wait_for("systemctl is-active ssh.service", 900)
        offered = card.ok("sshd -T | grep -E '^(passwordauth|kbdinter|permitroot)'")
        assert offered.splitlines() == [
            "permitrootlogin without-password",
            "passwordauthentication no",
            "kbdinteractiveauthentication no",
        ]
        card.ok("test -s /data/machine/ssh/ssh_host_ed25519_key")


def test_the_card_boots_on_a_pi_3_by_its_own_device_tree(
    image: Image, free: Path, figures: Figures
) -> None:
    """The emulator's Pi has no port for the agent, so its serial line tells how far it came."""
    copy = copy_card(image.card, free)
    console = free / "console.txt"
    command = ["setpriv", "--pdeathsig", "KILL", "qemu-system-aarch64", "-M", "raspi3b"]
    command += ["-display", "none", "-no-reboot", "-serial", "null", "-serial", f"file:{console}"]
    command += ["-kernel", str(image.boot / "vmlinuz"), "-initrd", str(image.boot / "initrd.img")]
    command += ["-dtb", str(image.boot / "bcm2837-rpi-3-b.dtb"), "-sd", str(copy)]
    # the emulated watchdog does not count: it starts the machine anew as soon as it is set
    quirks = "console=ttyS1,115200 systemd.log_color=no systemd.watchdog_sec=0"
    command += ["-append", f"{told(image.boot)} {quirks}"]
    begun = time.monotonic()
    pi = subprocess.Popen(command, stdin=subprocess.DEVNULL)
    try:
        while READY not in (
            text := console.read_text(errors="replace") if console.exists() else ""
        ):
            assert pi.poll() is None, text[-2000:]
            assert time.monotonic() - begun < SERIAL_S, text[-2000:]
            time.sleep(2)
    finally:
        pi.kill()
        pi.wait()
    figures.note(f"an emulated Pi 3 came to the first frame in {time.monotonic() - begun:.0f} s")
