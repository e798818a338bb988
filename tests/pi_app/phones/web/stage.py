"""The real pages from the real server, in a real browser; only the companion is a stand-in.

It shows frames of a table in memory, answers what it is told to, and can be made to fall silent.
"""

from pathlib import Path

from playwright.sync_api import Browser

import pi_app.phones.web
from hardware.keys import Key
from pi_app.phones.frames import frame_data
from pi_app.view.data import Data
from pi_app.view.frame import Frame
from tests.pi_app.phones.web.browsers import PHONE, Device
from tests.pi_app.phones.web.site import COOKIE, Site
from tests.pi_app.pilot import Pilot, frame_of
from tests.scenes import Scene, scenes

PAGES = Path(pi_app.phones.web.__file__).parent / "pages"
SCENES = {scene.name: scene for scene in scenes()}


class Stage:
    """A site that shows scenes, and devices that look at it."""

    def __init__(self, folder: Path, browser: Browser) -> None:
        self.site = Site(folder, pages=PAGES)
        self.companion = self.site.companion
        self.url = f"http://127.0.0.1:{self.site.port}"
        self._browser = browser
        self._devices: list[Device] = []

    def start(self) -> None:
        self.site.start()

    def stop(self) -> None:
        try:
            for device in self._devices:
                device.close()
        finally:
            self.site.stop()

    def frame(self, frame: Frame, game: str | None = None) -> None:
        """Show a frame to everybody."""
        data = frame_data(frame, game)
        self.site.call(lambda: self.companion.show(**data))

    def scene(self, name: str, language: str = "en") -> Frame:
        """Show a scene to everybody; return its frame."""
        scene = SCENES[name]
        frame = frame_of(scene, language)
        self.companion.language = language
        self.site.call(lambda: self.companion.say(self.companion.hello()))
        self.frame(frame, scene.tags.get("Game"))
        return frame

    def table(self, name: str) -> None:
        """Show a scene to everybody; keys act at a table in memory from here on."""
        self.scene(name)
        self.site.call(lambda: self._table(SCENES[name]))

    def _table(self, scene: Scene) -> None:
        pilot = Pilot.scene(scene, "en")
        pilot.key(scene.keys)

        def keyed(what: object) -> Data:
            if isinstance(what, dict):
                text = str(what["text"])
                pilot.program.do(lambda: pilot.program.screen.type_text(text))
                frame = pilot.key([])
            else:
                frame = pilot.key([Key(str(what))])
            return frame_data(frame, scene.tags.get("Game"))

        self.companion.table = keyed

    def requests(self, kind: str) -> list[Data]:
        """Return the requests of a kind that the companion heard."""
        return self.site.call(lambda: self.companion.requests(kind))

    def device(
        self, size: tuple[int, int] = PHONE, *, light: bool = False, paired: bool = True
    ) -> Device:
        """Return a device that looks at nothing yet."""
        cookie = COOKIE if paired else None
        device = Device(self._browser, self.url, size, light=light, cookie=cookie)
        self._devices.append(device)
        return device
