"""What every machine of a test can be asked, however it runs: scripts, units, waiting."""

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Self


@dataclass(frozen=True)
class Done:
    """What a script in the machine came to."""

    status: int
    words: str


class Asked(ABC):
    """A running machine that runs scripts as root."""

    @abstractmethod
    def run(self, script: str, timeout_s: float = 600) -> Done:
        """Run a shell script as root."""

    @abstractmethod
    def kill(self) -> None:
        """Pull the plug."""

    def ok(self, script: str, timeout_s: float = 600) -> str:
        """Run a script that has to go well, and return what it says."""
        done = self.run(script, timeout_s)
        assert done.status == 0, f"{script}\n{done.words}"
        return done.words.strip()

    def wait_for(self, script: str, timeout_s: float = 300) -> None:
        """Wait in the machine until a script goes well."""
        self.ok(
            f"for i in $(seq {int(timeout_s * 5)}); do\n"
            f"if ( {script} ) > /dev/null 2>&1; then exit 0; fi; sleep 0.2; done\n"
            f"echo 'never came: {script}'; ( {script} )\n"
            "systemctl status --no-pager beisitzer; journalctl -n 30 --no-pager -u beisitzer\n"
            "exit 1",
            timeout_s * 3,
        )

    def unit(self, *names: str, unit: str = "beisitzer.service") -> dict[str, str]:
        """Return properties of a unit."""
        wanted = " ".join(f"-p {name}" for name in names)
        lines = self.ok(f"systemctl show {unit} {wanted}").splitlines()
        return dict(line.split("=", 1) for line in lines)

    def check_uninterrupted(self) -> None:
        """Check that the companion has not had to start again; tell its last words else."""
        restarts = self.unit("NRestarts")["NRestarts"]
        assert restarts == "0", self.ok("journalctl --no-pager -b -u beisitzer -n 60")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.kill()
