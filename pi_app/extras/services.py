"""Switches the services that systemd runs beside the companion."""

from __future__ import annotations

import logging
from importlib.util import find_spec
from pathlib import Path
from threading import Lock, Thread

from pi_app.screens.context import Context
from pi_app.system.host import HELPER_SOCKET, state_folder

log = logging.getLogger(__name__)


class ServiceSwitch:
    """Starts and stops the service of phones ("web") or of the link ("link").

    `note` is a file that exists while the service is on, so that a restarted companion knows
    whether it left the service running; nothing else reads it.
    """

    def __init__(self, name: str, note: Path, at: Path = HELPER_SOCKET) -> None:
        self._name = name
        self._note = note
        self._at = at
        self._asking = Lock()
        self._wanted = False
        self._told: bool | None = None

    @property
    def is_on(self) -> bool:
        """Whether the service was turned on last."""
        return self._note.exists()

    def __call__(self, on: bool) -> None:
        """Turn the service on or off, in a thread: the helper may take a second."""
        self._wanted = on
        try:
            self._note.touch() if on else self._note.unlink(missing_ok=True)
        except OSError as error:
            log.warning("%s cannot be changed: %s", self._note, error)
        Thread(target=self._switch_service, name=f"{self._name} service", daemon=True).start()

    def _switch_service(self) -> None:
        from pi_app.card.helper import HelperError, call  # only needed under systemd

        with self._asking:  # one call at a time: the last one decides
            on = self._wanted
            if on == self._told:
                return
            try:
                call("service-switch", at=self._at, name=self._name, on=on)
                self._told = on
            except HelperError as error:
                log.warning("the service %s cannot be switched: %s", self._name, error)


def service_switch(ctx: Context, name: str) -> ServiceSwitch | None:
    """Return the switch of a service; None where systemd does not run the companion."""
    folder = state_folder()
    if folder is None or not ctx.appliance:
        return None
    return ServiceSwitch(name, folder / f"{name}.on")


def serves_pages() -> bool:
    """Tell whether the library that serves pages for phones is installed."""
    return find_spec("uvicorn") is not None
