"""Newer programs on a flashed card: told under System, and started when nobody plays."""

from functools import partial
from pathlib import Path

from pi_app.run.loop import Companion

PROGRAMS = Path("/data/program")


def add_updates(program: Companion, programs: Path = PROGRAMS) -> None:
    """Watch for newer programs, if this one is started from its folder on a card."""
    own = Path(__file__).resolve().parents[3]
    if own.parent != programs.resolve() or program.ctx.store.path is None:
        return
    from pi_app.card.updates import Updates, UpdateWatch, system_items  # for a card only

    updates = Updates(programs, own.name)
    program.ctx.system_items.append(partial(system_items, program.ctx, updates))
    program.follow(UpdateWatch(program, updates))
