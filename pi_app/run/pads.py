"""Number pads and keyboards at the table; the frame decides whether a letter is typed."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from hardware.config import PadsConfig
from hardware.keys import Key, Put
from pi_app.view.frame import Frame, KeySet
from pi_app.view.keying import typed_keys
from pi_app.view.output import Output

if TYPE_CHECKING:
    from hardware.pads import Pads


class PadsInput(Output):
    """Searches for pads from the first frame on, as the start need not wait for them."""

    name = "pads"

    def __init__(
        self,
        config: PadsConfig,
        put: Put,
        wake: Callable[[], None],
        language: str,
        *,
        appliance: bool,
    ) -> None:
        """Keys go to `put`; `wake` makes the loop ask for lost keys soon."""
        self._config = config
        self._put = put
        self._wake = wake
        self._language = language
        self._appliance = appliance
        self._pads: Pads | None = None
        self._keys = KeySet()
        """What keys mean in the frame that is shown."""
        self._lost = False
        """Whether keys were lost since the loop asked last."""

    def show(self, frame: Frame) -> None:
        self._keys = frame.keys
        if self._pads is None:
            from hardware.pads import PadCalls, Pads

            self._pads = Pads(
                self._config,
                PadCalls(self._put, self.write, self.note_lost),
                appliance=self._appliance,
                layout="de" if self._language == "de" else "en",
            )
            self._pads.start()

    def write(self, letter: str) -> tuple[Key, ...]:
        """Return the keys for a letter of a keyboard, () while nobody types."""
        keys = self._keys
        return typed_keys(letter.lower() if keys.exact else letter, keys)

    def note_lost(self) -> None:
        """Note that keys were lost; callable from any thread."""
        self._lost = True
        self._wake()

    def stuck_keys(self) -> tuple[Key, ...]:
        return self._pads.stuck if self._pads is not None else ()

    def lost_keys(self) -> bool:
        lost, self._lost = self._lost, False
        return lost

    def close(self) -> None:
        """Give the pads back."""
        if self._pads is not None:
            self._pads.close()
