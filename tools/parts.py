"""Installs the optional libraries one by one: `python -m tools.parts`.

`make run` calls it with the Python of the environment that it sets up. Status 1 means that a
library is missing, so that the next `make run` tries again.
"""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path

from pi_app.texts.language import Texts, language_for
from tools.installing import CONSTRAINTS, environment


@dataclass(frozen=True)
class Library:
    """An optional library."""

    extra: str
    """The extra of this project that installs it."""
    module: str
    """The name to import."""
    package: str
    """Its Debian package, "" if there is none."""
    project: str = ""
    """Its name in the package index, if that is not the module's."""


OLDER = "pygame"
"""An older environment has this instead of pygame-ce; their files overwrite each other."""
PARTS = (
    Library("window", "pygame", "python3-pygame", "pygame-ce"),
    Library("gpio", "gpiozero", "python3-gpiozero"),
    Library("lgpio", "lgpio", "python3-lgpio"),
    Library("oled", "luma.oled", ""),
    Library("web", "starlette", ""),
    Library("spi", "spidev", "python3-spidev"),
)


def loss_words(tx: Texts, part: Library) -> str:
    """Say what is impossible without a part."""
    return {
        "window": tx("cli", "there is no window, the terminal is used"),
        "gpio": tx("cli", "nothing on a Pi's header can be used"),
        "lgpio": tx("cli", "keys and lamps on a Pi's header cannot be used; the serial panel can"),
        "oled": tx("cli", "an OLED cannot be used"),
        "web": tx("cli", "phones cannot show the table"),
        "spi": tx("cli", "an OLED on SPI cannot be used; one on I2C can"),
    }[part.extra]


Runner = Callable[[list[str]], bool]
"""Runs a command without output and returns whether it succeeded."""


def install(
    tx: Texts,
    run: Runner,
    say: Callable[[str], None],
    is_installed: Callable[[str], bool],
    environment: Path,
) -> bool:
    """Install the missing parts; return whether all are installed now."""
    whole = True
    run([*_pip("uninstall"), "--yes", OLDER])
    for part in PARTS:
        if is_installed(part.module):
            continue
        say(f"  {part.module} ...")
        # only finished wheels: a Zero would build pygame for hours; spidev has none and is small
        wheels = [] if part.extra == "spi" else ["--only-binary", part.project or part.module]
        wanted = [*wheels, f"beisitzer[{part.extra}]"]
        if run([*_pip("install"), "--constraint", str(CONSTRAINTS), *wanted]):
            continue
        if run([*_pip("install"), *wanted]):
            untested = tx(
                "cli",
                "the tested {library} is not to be had for this machine: another one is installed",
                library=part.module,
            )
            say(f"  {untested}")
            continue
        # the system's Python, which the environment was made with
        python = Path(sys.base_prefix) / "bin" / f"python3.{sys.version_info.minor}"
        if run([str(python), "-c", f"import {part.module}"]):
            system = tx(
                "cli",
                "no {library} to install for this machine: the system's own is used",
                library=part.module,
            )
            say(f"  {system}")
            share_system(environment)
            continue
        whole = False
        missing = tx(
            "cli",
            "no {library} for this machine: {why}.",
            library=part.module,
            why=loss_words(tx, part),
        )
        remedy = tx("cli", "On a Pi: {command}", command=f"sudo apt-get install {part.package}")
        say(f"  {missing} {remedy}" if part.package else f"  {missing}")
    return whole


def share_system(environment: Path) -> None:
    """Make the system's packages visible in an environment, after its own."""
    config = environment / "pyvenv.cfg"
    lines = config.read_text("utf-8").splitlines()
    name = "include-system-site-packages"
    changed = [f"{name} = true" if line.startswith(name) else line for line in lines]
    config.write_text("\n".join(changed) + "\n", "utf-8")


def _pip(command: str) -> list[str]:
    """Return a command of pip that gives up soon without a network."""
    quiet = ["--disable-pip-version-check", "--quiet", "--retries", "1"]
    return [sys.executable, "-m", "pip", *quiet, command]


def _run(command: list[str]) -> bool:
    done = subprocess.run(command, env=_variables(), capture_output=True, check=False)  # noqa: S603
    return done.returncode == 0


@cache
def _variables() -> dict[str, str]:
    return {**environment([sys.executable]), "PIP_BUILD_CONSTRAINT": CONSTRAINTS.as_uri()}


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ImportError:  # the package around it is missing
        return False


if __name__ == "__main__":
    whole = install(
        Texts(language_for("auto")),
        _run,
        partial(print, flush=True),
        _is_installed,
        Path(sys.prefix),
    )
    raise SystemExit(0 if whole else 1)
