"""From keys that go down and up to keys that are heard: long presses, repeats.

Pure, the clock comes in: all times are seconds of one clock that never goes back.
"""

from hardware.keys import HOLD_S, Key

REPEATING = frozenset({Key.UP, Key.DOWN})


class Presses:
    """Keys that go down and up become keys that are heard.

    BACK and MENU, which have a long form, are heard on release or as the long form while
    still held; UP and DOWN repeat; every other key is heard when it goes down.
    """

    def __init__(self, repeat_after_s: float = 0.5, repeat_every_s: float = 0.15) -> None:
        self._repeat_after_s = repeat_after_s
        self._repeat_every_s = repeat_every_s
        self._due: dict[Key, float] = {}
        """When a key that is down will be heard next."""

    @property
    def waiting(self) -> bool:
        """Whether time alone will bring a key."""
        return bool(self._due)

    def down(self, key: Key, now: float) -> list[Key]:
        """Take note of a key that goes down; return what is heard at once."""
        if key.held is not None:
            self._due[key] = now + HOLD_S
            return []
        if key in REPEATING and self._repeat_after_s > 0:
            self._due[key] = now + self._repeat_after_s
        return [key]

    def up(self, key: Key, now: float) -> list[Key]:
        """Take note of a key that goes up; return what is heard."""
        due = self._due.pop(key, None)
        if key.held is None or due is None:
            return []
        return [key if now < due else key.held]

    def passed(self, now: float) -> list[Key]:
        """Return what is heard because keys are still down."""
        heard = []
        for key, due in list(self._due.items()):
            if now < due:
                continue
            if key.held is not None:
                del self._due[key]
                heard.append(key.held)
            else:
                # after a pause of the whole program one repeat is enough
                self._due[key] = max(due + self._repeat_every_s, now)
                heard.append(key)
        return heard
