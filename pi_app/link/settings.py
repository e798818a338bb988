"""The settings of a club's table, and of one in a smart home."""

from dataclasses import dataclass
from typing import Annotated

from hardware.config import Says
from pi_app.settings.schema import ExtraTable

_HOST = r"[A-Za-z0-9][A-Za-z0-9._:-]{0,252}"


@dataclass(frozen=True)
class ClubSettings(ExtraTable):
    """One table among many: results for a club's hub."""

    table = "club"

    enabled: Annotated[bool, Says("whether this table belongs to a club")] = False
    host: Annotated[str, Says("the hub's name or address", pattern=_HOST)] = "127.0.0.1"
    port: Annotated[int, Says("the hub's port", 1, 65535)] = 8443
    names: Annotated[bool, Says("whether names leave the table, with results and moves")] = False


@dataclass(frozen=True)
class HomeSettings(ExtraTable):
    """The table in a smart home, by a broker of the house (MQTT)."""

    table = "home"

    enabled: Annotated[bool, Says("whether this table tells the house what it does")] = False
    host: Annotated[str, Says("the broker's name or address", pattern=_HOST)] = "127.0.0.1"
    port: Annotated[int, Says("the broker's port", 1, 65535)] = 8883
    user: Annotated[str, Says("this table's name at the broker", pattern="[!-~]{0,128}")] = ""
    insecure: Annotated[
        bool, Says("whether the password may go through the network in the clear")
    ] = False
    discovery: Annotated[bool, Says("whether Home Assistant finds this table by itself")] = True
