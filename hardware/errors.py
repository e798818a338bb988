"""What a device reports when it is not there or stops working."""

REASONS = {
    "no-gpiozero": "gpiozero is not installed",
    "no-luma": "luma.oled is not installed",
    "no-lgpio": "lgpio is not installed",
    "no-rpigpio": "RPi.GPIO is not installed",
    "no-spidev": "spidev is not installed",
    "rpigpio-on-pi5": "RPi.GPIO does not work on a Pi 5, lgpio does",
    "no-gpio": "this machine has no GPIO pins",
    "no-permission": "no permission to use it",
    "no-bus": "its bus is not enabled",
    "no-answer": "it does not answer",
    "pin-in-use": "something else uses its pin",
    "failed": "it failed",
}
"""Every code, and what it means in the log's language."""


class DeviceError(Exception):
    """A device that cannot be used: which part, one of the codes above, and the details."""

    def __init__(self, part: str, code: str, detail: str = "") -> None:
        reason = REASONS[code]
        super().__init__(f"{part} is not used: {reason}{f' ({detail})' if detail else ''}")
        self.part = part
        self.code = code
        self.detail = detail
