"""Keys that bounce, and a matrix without diodes that shows keys nobody pressed."""

DEBOUNCE_MS = 20

MATRIX = (
    ("1", "2", "3", "UP"),
    ("4", "5", "6", "DOWN"),
    ("7", "8", "9", "BACK"),
    ("STAR", "0", "ENTER", "MENU"),
)
BUTTONS = ("DIE1", "DIE2", "DIE3", "DIE4", "DIE5", "DIE6")
NAMES = MATRIX[0] + MATRIX[1] + MATRIX[2] + MATRIX[3] + BUTTONS
COLUMNS = 4


def unsure(rows: list[int]) -> list[int]:
    """Of each row, the columns that cannot be trusted; `rows` are bit masks of columns.

    Three keys at three corners of a rectangle close the circuit of the fourth. So where two
    rows share two columns or more, any of these keys may be the one that nobody pressed.
    """
    masks = [0] * len(rows)
    for a in range(len(rows)):
        for b in range(a + 1, len(rows)):
            shared = rows[a] & rows[b]
            if shared & (shared - 1):
                masks[a] |= shared
                masks[b] |= shared
    return masks


class Debouncer:
    """Debounces all keys: one counts as changed after 20 ms without a contrary sample."""

    def __init__(self) -> None:
        self._down = 0
        self._since = [-1] * len(NAMES)

    def sample(self, rows: list[int], buttons: int, now: int) -> list[tuple[str, bool]]:
        """Take one scan; give the keys that went down (True) or came up, if any.

        `rows` has a bit mask of columns for each row, `buttons` a bit for each die button;
        bit 0 is the first. Keys that may be ghosts stay as they were.
        """
        raw = buttons << (len(rows) * COLUMNS)
        doubt = 0
        masks = unsure(rows)
        for i in range(len(rows)):
            raw |= rows[i] << (i * COLUMNS)
            doubt |= masks[i] << (i * COLUMNS)
        changed = (raw ^ self._down) & ~doubt
        events = []
        for i in range(len(NAMES)):
            bit = 1 << i
            if not changed & bit:
                self._since[i] = -1
            elif self._since[i] < 0:
                self._since[i] = now
            elif now - self._since[i] >= DEBOUNCE_MS:
                self._since[i] = -1
                self._down ^= bit
                events.append((NAMES[i], self._down & bit != 0))
        return events
