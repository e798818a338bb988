"""The settings of a club's table, and of one in a smart home."""

from dataclasses import dataclass
from typing import Annotated

from hardware.config import Says
from pi_app.settings.schema import ExtraTable

HOST_PATTERN = r"[A-Za-z0-9][A-Za-z0-9._:-]{0,252}"
"""A name or an address, without a port."""


@dataclass(frozen=True)
class ClubSettings(ExtraTable):
    """A club's table: sends results to the hub."""

    table = "club"
    called = "Club"

    enabled: Annotated[bool, Says("whether this table belongs to a club", called="On")] = False
    host: Annotated[str, Says("the hub's name or address", pattern=HOST_PATTERN, called="Hub")] = (
        "127.0.0.1"
    )
    port: Annotated[int, Says("the hub's port", 1, 65535, called="Port")] = 8443
    names: Annotated[
        bool, Says("whether names leave the table, with results and moves", called="Names go out")
    ] = False


@dataclass(frozen=True)
class HomeSettings(ExtraTable):
    """The table in a smart home, through the house's broker (MQTT)."""

    table = "home"
    called = "Smart home"

    enabled: Annotated[
        bool, Says("whether this table tells the house what it does", called="On")
    ] = False
    host: Annotated[
        str, Says("the broker's name or address", pattern=HOST_PATTERN, called="Broker")
    ] = "127.0.0.1"
    port: Annotated[int, Says("the broker's port", 1, 65535, called="Port")] = 8883
    user: Annotated[
        str, Says("this table's name at the broker", pattern="[!-~]{0,128}", called="Table's name")
    ] = ""
    insecure: Annotated[
        bool,
        Says("whether the password may go through the network in the clear", called="In the clear"),
    ] = False
    discovery: Annotated[
        bool, Says("whether Home Assistant finds this table by itself", called="Home Assistant")
    ] = True
