"""The settings of a flashed card."""

from dataclasses import dataclass
from typing import Annotated, Literal

from hardware.config import Says
from pi_app.settings.schema import ExtraTable


@dataclass(frozen=True)
class UpdateSettings(ExtraTable):
    """Newer versions on a flashed card."""

    table = "updates"
    called = "Updates"

    take: Annotated[
        Literal["stable", "testing", "off"],
        Says(
            'which updates are fetched, and installed when nobody plays; "off": none',
            called="Takes",
        ),
    ] = "stable"
