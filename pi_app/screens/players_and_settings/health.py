"""The state of the machine and the program, in sentences."""

import shutil
from datetime import UTC, datetime
from pathlib import Path

from hardware.probe import temperature_c, throttling
from pi_app.screens.context import Context
from pi_app.system.host import addresses, version
from pi_app.system.log import known_errors
from pi_app.texts.language import Texts

HOT_C = 80
"""From here on a Pi slows down."""
SCARCE_MB = 200


def health(ctx: Context) -> tuple[str, ...]:
    """Return version, addresses, power, temperature, space and faults in sentences."""
    tx = ctx.texts
    lines = [f"Beisitzer {version()}"]
    lines += addresses() or (tx("line", "No network."),)
    lines += _power_lines(tx)
    lines += _temperature_lines(tx)
    lines += _space_lines(tx, ctx.store.path)
    lines += _error_lines(tx)
    if ctx.before is not None and ctx.before.clean is not None:
        lines.append(
            tx("line", "It was switched off properly last time.")
            if ctx.before.clean
            else tx("line", "Last time the power went or it failed.")
        )
    if ctx.store.trouble is not None:
        lines.append(tx("line", "Games are in memory only: the card cannot be written."))
    return tuple(lines)


def _power_lines(tx: Texts) -> list[str]:
    flags = throttling()
    if flags is None:  # not a Raspberry Pi, or unknown
        return []
    lines = []
    if any(flag.startswith("under-voltage") for flag in flags):
        lines.append(tx("line", "Under-voltage: use a stronger power supply."))
    if any(not flag.startswith("under-voltage") for flag in flags):
        lines.append(tx("line", "The Pi slowed down: too hot or short of power."))
    return lines or [tx("line", "Power supply and temperature are fine.")]


def _temperature_lines(tx: Texts) -> list[str]:
    degrees = temperature_c()
    if degrees is None:
        return []
    if degrees >= HOT_C:
        return [tx("line", "The processor is too hot: {n} °C. Give it air.", n=round(degrees))]
    return [tx("line", "The processor has {n} °C.", n=round(degrees))]


def _space_lines(tx: Texts, store: Path | None) -> list[str]:
    try:
        space = shutil.disk_usage(store.parent if store else Path())
    except OSError:
        return []
    mb, gb = space.free / 1e6, space.free / 1e9
    if mb < SCARCE_MB:
        return [tx("line", "Only {n} MB are free on the card: make room.", n=round(mb))]
    return [tx("line", "{n} GB are free on the card.", n=f"{gb:.1f}")]


def _error_lines(tx: Texts) -> list[str]:
    errors = known_errors()
    if not errors.count:
        return [tx("line", "No errors since the start.")]
    when = datetime.fromtimestamp(errors.at_s, UTC).astimezone().strftime("%Y-%m-%d %H:%M")
    count = tx.many(
        "line", "{n} error since the start.", "{n} errors since the start.", errors.count
    )
    last = tx("line", "The last one, {when}: {what}", when=when, what=errors.text)
    return [count, last]
