"""A wire between a link and its broker: every byte that goes over it is kept, both ways."""

import socket
import threading
from contextlib import suppress


class Wire:
    """Listens on `port` and passes everything on to another port of this machine."""

    def __init__(self, to_port: int) -> None:
        self.up = bytearray()
        self.down = bytearray()
        self._to_port = to_port
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listening.getsockname()[1])
        threading.Thread(target=self._serve, daemon=True).start()

    def close(self) -> None:
        self._listening.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listening.accept()
                far = socket.create_connection(("127.0.0.1", self._to_port))
                for one, other, kept in ((near, far, self.up), (far, near, self.down)):
                    arguments = (one, other, kept)
                    threading.Thread(target=self._pass_on, args=arguments, daemon=True).start()

    @staticmethod
    def _pass_on(one: socket.socket, other: socket.socket, kept: bytearray) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                kept += data
                other.sendall(data)
        for end in (one, other):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()
