"""The settings of a Wi-Fi of the table's own."""

from dataclasses import dataclass
from typing import Annotated, Literal

from hardware.config import Says
from pi_app.settings.schema import ExtraTable


@dataclass(frozen=True)
class WifiSettings(ExtraTable):
    """A Wi-Fi of the table's own."""

    table = "wifi"
    called = "Own Wi-Fi"

    own: Annotated[
        Literal["never", "needed", "always"],
        Says(
            "when the table opens a Wi-Fi of its own: never; where phones are switched on and no "
            "known network is in reach; or always",
            called="Open",
        ),
    ] = "never"
    country: Annotated[
        str,
        Says(
            'the country whose rules the radio keeps, in two letters; "auto": by the language',
            pattern="auto|[A-Z]{2}",
            called="Country",
        ),
    ] = "auto"
    channel: Annotated[
        Literal[0, 1, 6, 11],
        Says("the channel of the own Wi-Fi; 0: the quietest one", called="Channel", zero="auto"),
    ] = 0
