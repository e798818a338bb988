"""Debounces keys, and ignores the ghost keys of a matrix without diodes."""

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
MATRIX_KEYS = 16


def join_rows(rows: list[int]) -> int:
    """Return the masks of the rows as one mask, the first row lowest."""
    mask = 0
    for i in range(len(rows)):
        mask |= rows[i] << (i * COLUMNS)
    return mask


def find_doubtful(rows: list[int]) -> list[int]:
    """Return by row the columns with possible ghosts; `rows` are bit masks of columns.

    Three keys at the corners of a rectangle close the circuit of the fourth. So if two rows share
    two columns or more, any of these keys may be the ghost.
    """
    masks = [0] * len(rows)
    for row in range(len(rows)):
        for other in range(row + 1, len(rows)):
            shared = rows[row] & rows[other]
            if shared & (shared - 1):  # more than one bit
                masks[row] |= shared
                masks[other] |= shared
    return masks


class Debouncer:
    """Debounces all keys: a key has changed after 20 ms without a contrary sample."""

    def __init__(self) -> None:
        self._down = 0
        self._changing = 0
        self._since = [-1] * len(NAMES)

    @property
    def at_rest(self) -> bool:
        """Whether no key is down or about to go down."""
        return not self._down and not self._changing

    def begin(self, rows: list[int], buttons: int) -> None:
        """Count the keys of this scan as already down: they were not pressed now."""
        self._down = join_rows(rows) | buttons << MATRIX_KEYS

    def sample(self, rows: list[int], buttons: int, now: int) -> tuple[tuple[str, bool], ...]:
        """Take one scan; return the keys that went down (True) or came up, if any.

        `rows` has a bit mask of columns for each row, `buttons` a bit for each die button;
        bit 0 is the first. Keys that may be ghosts stay as they were. Nothing is allocated
        while no key changes and at most two keys of the matrix are down.
        """
        matrix = join_rows(rows)
        changed = (matrix | buttons << MATRIX_KEYS) ^ self._down
        # `n & (n - 1)` clears one bit: a ghost needs three keys down, so a bit left after two times
        rest = matrix & (matrix - 1)
        if rest & (rest - 1):
            changed &= ~join_rows(find_doubtful(rows))
        events: tuple[tuple[str, bool], ...] = ()
        if not changed and not self._changing:
            return events
        self._changing = changed
        for i in range(len(NAMES)):
            bit = 1 << i
            if not changed & bit:
                self._since[i] = -1
            elif self._since[i] < 0:
                self._since[i] = now
            elif now - self._since[i] >= DEBOUNCE_MS:
                self._since[i] = -1
                self._down ^= bit
                self._changing ^= bit
                events += ((NAMES[i], self._down & bit != 0),)
        return events
