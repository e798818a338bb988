"""The card's image: its table, its partitions, and what a Pi's first stage finds there."""

import os
import py_compile
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.machine.card.card import cut_out, partitions
from tests.ran import ran
from tools.image import boot, disk, emulator, parts, system
from tools.image.base import NoImageError, check, run
from tools.image.disk import FAT, FIRST, LINUX, MIB

WHEN = 1_700_000_000
UNITS = sorted((system.CARD / "usr" / "lib" / "systemd" / "system").glob("*.service"))


def needs(*tools: str) -> pytest.MarkDecorator:
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [tool for tool in tools if shutil.which(tool, path=path) is None]
    return pytest.mark.skipif(bool(missing), reason=f"{', '.join(missing)} not installed")


# --- the table


@needs("sfdisk")
def test_partitions_lie_one_behind_the_other_on_whole_blocks_and_come_out_as_they_went_in(
    tmp_path: Path,
) -> None:
    for name, size in (("one", 5), ("two", 3)):
        (tmp_path / name).write_bytes(name.encode() * (size * MIB // 3) + bytes(size * MIB % 3))
    card = tmp_path / "disk"
    disk.join([(FAT, tmp_path / "one"), (LINUX, tmp_path / "two")], card)
    assert "label-id: 0xb5e15172" in run("sfdisk", "--dump", card)
    assert partitions(card) == [(FAT, FIRST, 5 * MIB), (LINUX, FIRST + 8 * MIB, 3 * MIB)]
    for number, name in enumerate(("one", "two")):
        cut_out(card, number, tmp_path / "cut")
        assert (tmp_path / "cut").read_bytes() == (tmp_path / name).read_bytes()


def test_the_tables_number_is_the_one_by_which_partitions_are_mounted() -> None:
    number = f"{disk.SIGNATURE:08x}"
    script = "etc/initramfs-tools/scripts/init-bottom/beisitzer-machine-id"
    for path in (
        boot.SETTINGS / "cmdline.txt",
        system.CARD / "etc" / "fstab",
        system.CARD / script,
    ):
        found = re.findall(r"PARTUUID=(\w+)-0\d", path.read_text())
        assert set(found) == {number}, path


# --- file systems


def small_tree(folder: Path, names: list[str]) -> Path:
    (folder / "sub").mkdir(parents=True)
    for name in names:
        (folder / "sub" / name).write_text(name)
    system.clamp(folder, WHEN, WHEN)
    return folder


@needs("mkfs.ext4", "debugfs", "dumpe2fs")
def test_the_same_folder_gives_the_same_ext4_in_whatever_order_it_was_filled_and_read(
    tmp_path: Path,
) -> None:
    for name, order, read_s in (("one", ["a", "b", "c"], 0), ("two", ["c", "a", "b"], 900)):
        tree = small_tree(tmp_path / name, order)
        for path in (tree, *tree.rglob("*")):
            os.utime(path, (WHEN + read_s, WHEN), follow_symlinks=False)
        disk.make_ext4(tree, tmp_path / f"{name}.img", 16 * MIB, "system", WHEN)
    one, two = ((tmp_path / f"{name}.img").read_bytes() for name in ("one", "two"))
    assert one == two
    run("e2fsck", "-fn", tmp_path / "one.img")


@needs("mkfs.vfat", "mmd", "mcopy")
def test_the_same_folder_gives_the_same_fat(tmp_path: Path) -> None:
    for name, order in (("one", ["a", "b", "c"]), ("two", ["c", "a", "b"])):
        tree = small_tree(tmp_path / name, order)
        disk.make_fat(tree, tmp_path / f"{name}.img", 64 * MIB, "bootfs", WHEN)
    one, two = ((tmp_path / f"{name}.img").read_bytes() for name in ("one", "two"))
    assert one == two
    assert run("mtype", "-i", tmp_path / "one.img", "::/sub/b") == "b"


def test_what_the_build_made_gets_the_builds_time_and_all_else_keeps_its_own(
    tmp_path: Path,
) -> None:
    for name, stamp in (("old", WHEN - 100), ("newer", WHEN + 100), ("made", WHEN - 10)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (stamp, stamp))
    (tmp_path / "link").symlink_to("nowhere")
    system.clamp(tmp_path, WHEN, WHEN - 50)
    times = {path.name: path.lstat().st_mtime for path in tmp_path.iterdir()}
    assert times == {"old": WHEN - 100, "newer": WHEN, "made": WHEN, "link": WHEN}


# --- what is read before Linux


def test_the_boot_settings_have_what_the_default_rig_needs(tmp_path: Path) -> None:
    asked = ran(
        [sys.executable, "-m", "pi_app", "config", "--boot"],
        check=True,
        env={**os.environ, "BEISITZER_APPLIANCE": "1", "BEISITZER_CONFIG": str(tmp_path / "none")},
    )
    lines = (boot.SETTINGS / "config.txt").read_text().splitlines()
    rig = (boot.SETTINGS / "header.txt").read_text().splitlines()
    assert asked.stdout.splitlines() == [line for line in rig if not line.startswith("#")]
    assert {"arm_64bit=1", "kernel=vmlinuz", "initramfs initrd.img followkernel"} <= set(lines)
    assert lines[-1] == "include header.txt"


def test_a_line_of_the_boot_settings_is_no_longer_than_the_firmware_reads() -> None:
    for name in ("config.txt", "header.txt"):
        for line in (boot.SETTINGS / name).read_text().splitlines():
            assert len(line) <= 98, line


def test_the_kernels_line_is_one_line() -> None:
    text = (boot.SETTINGS / "cmdline.txt").read_text()
    assert text.count("\n") == 1
    assert text.endswith("\n")
    assert " ro " in text


@needs("dtc", "fdtoverlay")
@pytest.mark.parametrize("name", ["card", "gpio-shutdown"])
def test_a_change_of_the_device_tree_fits_a_tree_with_the_headers_devices(
    name: str, tmp_path: Path
) -> None:
    plain = tmp_path / "plain.dts"
    plain.write_text(
        '/dts-v1/; / { i2c1: i2c { status = "okay"; }; spi: spi { status = "disabled"; };'
        " gpio: gpio { #gpio-cells = <2>; }; aliases { }; };"
    )
    boot.compile_tree(plain, tmp_path / "plain.dtb", WHEN)
    boot.compile_tree(boot.TREES / f"{name}.dts", tmp_path / "change.dtbo", WHEN)
    made = tmp_path / "made.dtb"
    run("fdtoverlay", "-i", tmp_path / "plain.dtb", "-o", made, tmp_path / "change.dtbo")
    text = run("dtc", "-q", "-I", "dtb", "-O", "dts", made)
    expected = {"card": "i2c_arm_baudrate", "gpio-shutdown": "gpio-keys"}[name]
    assert expected in text


# --- the system


def test_the_root_is_only_read_and_what_changes_lies_on_its_own_partition() -> None:
    mounts = system.mounts(system.CARD / "etc" / "fstab")
    assert mounts["/"][3].startswith("ro")
    assert mounts["/boot/firmware"][3].startswith("ro")
    assert mounts["/data"][5] == "2", "checked at each boot"
    bound = {where: what for where, (what, _, *_) in mounts.items() if what.startswith("/data")}
    made = (system.CARD / "usr/lib/tmpfiles.d/card.conf").read_text()
    assert {line.split()[1] for line in made.splitlines() if line[0] == "d"} >= set(bound.values())
    for place in ("/var/log", "/var/tmp"):  # noqa: S108  # the system's own
        assert mounts[place][2] == "tmpfs"


def test_a_key_for_ssh_comes_by_the_boot_partition_alone() -> None:
    named = []
    for path in system.CARD.rglob("*"):
        if path.is_file() and path.suffix in (".conf", ".service"):
            named += re.findall(r"\S*authorized_keys\b", path.read_text())
    keys = "/boot/firmware/authorized_keys"
    assert sorted(named) == [keys, f"ConditionPathExists={keys}"]
    rules = (system.CARD / "etc/ssh/sshd_config.d/card.conf").read_text()
    assert "PasswordAuthentication no" in rules


def test_every_unit_that_says_what_wants_it_is_enabled(tmp_path: Path) -> None:
    """Those of every machine, the package enables."""
    assert {"card-grow.service", "card-header.service"} <= set(system.units())
    assert all(unit.startswith("card-") for unit in system.units())
    system.lay_over(tmp_path, "1.2")
    assert (tmp_path / "etc" / "beisitzer-card").read_text() == "1.2\n"
    assert os.access(tmp_path / "usr/lib/beisitzer-card/grow", os.X_OK)


def test_the_system_is_written_only_while_a_version_is_installed() -> None:
    units = system.CARD / "usr/lib/systemd/system"
    for name in ("update-beisitzer", "back-beisitzer"):
        text = (units / f"{name}.service.d/card.conf").read_text()
        assert "ExecStartPre=/usr/bin/mount -o remount,rw /\n" in text
        assert "ExecStopPost=/usr/bin/mount -o remount,ro /\n" in text


@needs("systemd-analyze")
def test_systemd_finds_no_mistake_in_the_units_of_the_card(tmp_path: Path) -> None:
    for unit in UNITS:
        text = re.sub(r"(?m)^(ExecStart=)\S+.*$", r"\1/bin/true", unit.read_text())
        (tmp_path / unit.name).write_text(text)
    checked = ran(["systemd-analyze", "verify", "--man=no", *tmp_path.iterdir()])
    assert (checked.returncode, checked.stderr) == (0, "")


@pytest.mark.parametrize("script", sorted((system.CARD / "usr/lib/beisitzer-card").iterdir()))
def test_a_script_of_the_card_is_a_shells(script: Path) -> None:
    if script.read_text().startswith("#!/bin/sh"):
        subprocess.run(["sh", "-n", script], check=True)


WISHES = "name=attic\r\nzone=Europe/Berlin\nwifi=Our Wi-Fi\npassword=back\\slash 8\n"


@pytest.mark.parametrize(
    ("text", "name", "zone", "wifi"),
    [
        (WISHES, "attic", "Europe/Berlin", ["id=Our Wi-Fi", "psk=back\\\\slash 8"]),
        ("wifi=Open one\n", "", "Etc/UTC", ["ssid=Open one"]),
        ("name=no name\nzone=Mars/Base\njunk\n", "", "Etc/UTC", []),
    ],
)
def test_what_the_owner_wrote_on_the_boot_partition_is_taken_over_once(
    text: str, name: str, zone: str, wifi: list[str], tmp_path: Path
) -> None:
    for folder in ("data/machine", "data/network", "boot/firmware", "etc", "proc/sys/kernel"):
        (tmp_path / folder).mkdir(parents=True)
    (tmp_path / "etc/machine-id").write_text("0123\n")
    (tmp_path / "boot/firmware/beisitzer.txt").write_text(text, newline="")
    (local := tmp_path / "data/machine/localtime").symlink_to("/usr/share/zoneinfo/Etc/UTC")
    script = (system.CARD / "usr/lib/beisitzer-card/prepare").read_text()
    script = re.sub(r"(?<=[ =])/(?=data|boot|etc|proc)", f"{tmp_path}/", script)
    kept = tmp_path / "data/machine/hostname"
    subprocess.run(["sh", "-c", script], check=True)
    assert (kept.read_text().strip() if kept.exists() else "") == name
    assert str(local.readlink()) == f"/usr/share/zoneinfo/{zone}"
    joined = tmp_path / "data/network/beisitzer.nmconnection"
    lines = joined.read_text().splitlines() if joined.exists() else []
    assert set(wifi) <= set(lines)
    assert any("psk" in line for line in lines) == ("password" in text)
    if wifi:
        assert joined.stat().st_mode & 0o77 == 0
    kept.write_text("cellar\n")  # the table has another name since
    subprocess.run(["sh", "-c", script], check=True)
    assert (tmp_path / "proc/sys/kernel/hostname").read_text() == "cellar\n"


def test_byte_code_of_the_system_is_taken_without_its_source(tmp_path: Path) -> None:
    (source := tmp_path / "halma.py").write_text("moves = 1\n")
    code = Path(
        py_compile.compile(
            str(source), invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
        )
        or ""
    )
    system.trust(code)
    source.write_text("moves = 2\n")
    asked = [sys.executable, "-c", "import halma; print(halma.moves)"]
    said = ran(asked, cwd=tmp_path, check=True)
    assert said.stdout == "1\n"


# --- what it is built with


def test_what_is_missing_is_named_before_anything_is_made() -> None:
    with pytest.raises(NoImageError, match="no-such-tool"):
        check(["no-such-tool"])


def test_lgpio_is_compiled_in_the_pinned_version() -> None:
    lines = parts.LGPIO.read_text().splitlines()
    assert lines[0].startswith("lgpio==")
    assert all("--hash=sha256:" in line for line in lines[1:])


# --- trying it without a Pi


@needs("mcopy", "mkfs.vfat", "mmd", "xz")
def test_what_was_played_in_the_emulator_stays_until_there_is_a_newer_image(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    tree = small_tree(tmp_path / "tree", ["vmlinuz"])
    disk.make_fat(tree, tmp_path / "fat", 64 * MIB, "bootfs", WHEN)
    disk.join([(FAT, tmp_path / "fat")], tmp_path / "card.img")
    run("xz", "-T2", "-0", tmp_path / "card.img")
    image = tmp_path / "card.img.xz"
    card = emulator.unpack(image, tmp_path / "try")
    assert card.stat().st_size == emulator.CARD_MB * MIB
    assert (tmp_path / "try/boot/sub/vmlinuz").read_text() == "vmlinuz"
    with card.open("r+b") as file:
        file.seek(-4, os.SEEK_END)
        file.write(b"game")
    for changed in (False, True):
        if changed:
            os.utime(image, (2 * WHEN, 2 * WHEN))
        capsys.readouterr()
        card = emulator.unpack(image, tmp_path / "try")
        said = capsys.readouterr().out
        assert said.startswith(f"  {'unpacking' if changed else 'going on with the card in'} ")
        with card.open("rb") as file:
            file.seek(-4, os.SEEK_END)
            assert file.read() == (bytes(4) if changed else b"game")


def test_the_emulated_card_is_told_what_the_card_is_told(tmp_path: Path) -> None:
    shutil.copy(boot.SETTINGS / "cmdline.txt", tmp_path)
    words = emulator.command(tmp_path / "card", tmp_path, 8080)
    assert words[words.index("-append") + 1] == (tmp_path / "cmdline.txt").read_text().strip()
    assert "user,id=net,hostfwd=tcp:127.0.0.1:8080-:80" in words, "nobody else reaches it"
    assert words[words.index("-vnc") + 1].startswith("127.0.0.1:")


def test_without_an_image_one_line_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(SystemExit, match=re.escape(str(tmp_path / "none.img"))):
        emulator.main([str(tmp_path / "none.img")])
    monkeypatch.setattr("tools.package.ROOT", tmp_path)
    with pytest.raises(SystemExit, match="make image"):
        emulator.main([])
