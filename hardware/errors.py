"""What a device reports when it is not there or stops working."""


class DeviceError(Exception):
    """A device that cannot be used: which part, a code for the reason, and the details.

    Codes: no-gpiozero, no-luma, no-lgpio, no-rpigpio, no-spidev (a library is not installed),
    rpigpio-on-pi5, no-gpio (no GPIO chip here), no-permission, no-bus (I2C or SPI is not
    enabled), no-answer (nothing at the address), pin-in-use, failed (anything else).
    """

    def __init__(self, part: str, code: str, detail: str = "") -> None:
        super().__init__(f"{part}: {code}{f' ({detail})' if detail else ''}")
        self.part = part
        self.code = code
        self.detail = detail
