"""A folder as a USB stick, with the faults that sticks have."""

import errno
from collections.abc import Callable
from pathlib import Path

from pi_app.card.helper import CardError
from pi_app.card.stick import Sticks


class FolderStick(Sticks):
    """A stick whose content is in a folder; `at` lets something happen at a step.

    As with a real one, nothing can be reached that is not mounted, and what is read after mounting
    it anew comes from the stick: `rots` changes what was written.
    """

    def __init__(self, folder: Path) -> None:
        self.content = folder / "content"
        self.content.mkdir(parents=True)
        self.place = folder / "mounted"
        self.is_plugged = True
        self.rots = False
        self.others: list[str] = []
        self.steps: list[str] = []
        self.at: dict[str, Callable[[], None]] = {}

    def plugged(self) -> list[str]:
        return ["sda1", *self.others] if self.is_plugged else []

    def mount(self, name: str, *, write: bool) -> Path:
        step = f"mount {name} {'rw' if write else 'ro'}"
        self._do(step)
        if not self.is_plugged:
            raise CardError("no-stick")
        self.place.symlink_to(self.content)
        return self.place

    def unmount(self) -> None:
        self._do("unmount")
        self.place.unlink(missing_ok=True)
        if self.rots:
            for file in self.content.iterdir():
                file.write_bytes(b"rot" + file.read_bytes()[3:])

    def pull_out(self) -> None:
        """Take the stick out: whoever uses its files gets errors from now on."""
        self.is_plugged = False
        self.place.unlink(missing_ok=True)

    def files(self) -> list[str]:
        return sorted(file.name for file in self.content.iterdir())

    def _do(self, step: str) -> None:
        self.steps.append(step)
        if step in self.at:
            self.at[step]()


def failing(code: int) -> Callable[..., None]:
    """Return a function that fails as the system would."""

    def fail(*_: object) -> None:
        raise OSError(code, errno.errorcode[code])

    return fail
