"""What a disk may hold after a power cut: rebuilt from the system calls of a process.

The process runs under strace; what it wrote, synced, renamed and removed in one folder is then
replayed up to any point. A kill leaves all of it. A power cut leaves names as the file system's
journal orders them, from some point since the last sync on, and of what was written and not
synced any part, torn at 512 bytes.
"""

import random
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

CALLS = (
    "openat,write,pwrite64,ftruncate,fsync,fdatasync,rename,renameat,renameat2,unlink,link,close"
)
SECTOR = 512
_LINE = re.compile(r"^(\w+)\((.*)\)\s+= (-?\d+)")
_TEXT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')


@dataclass(frozen=True, slots=True)
class Call:
    """One thing that a process did to a folder, or said (`said`)."""

    kind: str
    name: str = ""
    other: str = ""
    data: bytes = b""
    at: int = 0


@dataclass(slots=True)
class Disk:
    """Names and what they stand for: files by number, as links share them."""

    names: dict[str, int] = field(default_factory=dict)
    files: dict[int, bytearray] = field(default_factory=dict)

    def put(self, folder: Path) -> None:
        for name, number in self.names.items():
            (folder / name).write_bytes(self.files[number])


def traced(script: str, folder: Path, *arguments: str) -> list[Call]:
    """Run a Python script under strace; return what it did in the folder, in order."""
    output = folder.parent / f"{folder.name}.strace"
    command = ["strace", "-f", "-xx", "-s", "1000000", "-e", f"trace={CALLS}", "-o", str(output)]
    command += [sys.executable, "-c", script, *arguments]
    subprocess.run(command, check=True, timeout=120, stdout=subprocess.DEVNULL)
    handles: dict[str, str] = {"1": "said"}
    calls: list[Call] = []
    for line in output.read_text("ascii", "replace").splitlines():
        found = _LINE.match(line.partition(" ")[2].strip())
        if found is not None and int(found[3]) >= 0:
            calls += _call(found[1], found[2], found[3], handles, folder)
    return calls


def _call(
    kind: str, rest: str, result: str, handles: dict[str, str], folder: Path
) -> Iterator[Call]:
    texts = [bytes.fromhex(text.replace("\\x", "")) for text in _TEXT.findall(rest)]
    names = [Path(text.decode("utf-8", "replace")) for text in texts[:2]]
    handle = rest.split(",", maxsplit=1)[0]
    if kind == "openat":
        yield from _opened(names[0], rest, result, handles, folder)
    elif kind == "close":
        handles.pop(handle, None)
    elif kind in ("rename", "renameat", "renameat2", "link"):
        yield Call(kind[:6], names[0].name, names[1].name)
    elif kind == "unlink":
        yield Call("unlink", names[0].name)
    elif handle in handles:
        numbers = [int(word) for word in re.findall(r"(?<=, )\d+", rest)]
        at = numbers[-1] if kind in ("pwrite64", "ftruncate") else 0
        name = handles[handle]
        what = _KINDS[kind] if name != "said" else "said"
        yield Call(what, name, data=texts[0] if texts else b"", at=at)


_KINDS = {
    "pwrite64": "write",
    "write": "append",
    "ftruncate": "cut",
    "fsync": "sync",
    "fdatasync": "sync",
}


def _opened(
    path: Path, rest: str, result: str, handles: dict[str, str], folder: Path
) -> Iterator[Call]:
    handles.pop(result, None)
    if path == folder:
        handles[result] = "."
    elif path.parent == folder and not path.name.endswith("-shm"):
        handles[result] = path.name
        if "O_CREAT" in rest or "O_TRUNC" in rest:
            yield Call("truncate" if "O_TRUNC" in rest else "create", path.name)


def after(before: dict[str, bytes], calls: list[Call], chance: random.Random | None) -> Disk:
    """Return the disk after these calls: killed (no `chance`), or with the power cut.

    With the power cut, changes of names since the last sync may be missing from some point on,
    and each write since its file's last sync may be missing or torn.
    """
    disk = Disk()
    for number, (name, content) in enumerate(before.items()):
        disk.names[name], disk.files[number] = number, bytearray(content)
    sure = max((i + 1 for i, call in enumerate(calls) if call.kind == "sync"), default=0)
    named = len(calls) if chance is None else chance.randint(sure, len(calls))
    names = dict(disk.names)  # as the process sees them
    synced = _synced(calls)
    for index, call in enumerate(calls):
        if call.kind in ("create", "truncate") and call.name not in names:
            names[call.name] = number = max(disk.files, default=-1) + 1
            disk.files[number] = bytearray()
            if index < named:
                disk.names[call.name] = number
        elif call.kind in ("rename", "link", "unlink"):
            for seen in (names, disk.names) if index < named else (names,):
                if call.name in seen:
                    number = seen[call.name] if call.kind == "link" else seen.pop(call.name)
                    if call.kind != "unlink":
                        seen[call.other] = number
        elif call.name in names:
            lost = (
                chance is not None and index >= synced.get(call.name, 0) and chance.random() < 0.5
            )
            _write(disk.files[names[call.name]], call, chance if lost else None)
    return disk


def _synced(calls: list[Call]) -> dict[str, int]:
    return {call.name: index for index, call in enumerate(calls) if call.kind == "sync"}


def _write(file: bytearray, call: Call, torn: random.Random | None) -> None:
    if call.kind == "cut" and torn is None:
        del file[call.at :]
        file.extend(bytes(call.at - len(file)))
    elif call.kind == "truncate":
        del file[:]
    elif call.kind in ("write", "append"):
        at = call.at if call.kind == "write" else len(file)
        data = call.data if torn is None else call.data[: torn.randrange(len(call.data) + 1)]
        data = data[: len(data) // SECTOR * SECTOR] if torn is not None else data
        if data:
            file.extend(bytes(max(0, at - len(file))))
            file[at : at + len(data)] = data
