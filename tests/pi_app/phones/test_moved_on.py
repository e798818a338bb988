"""A touch counts where the table is as its page showed it, and whatever else is open there."""

from collections import deque
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from hardware.keys import Key
from pi_app.phones.protocol import WebSettings
from tests.pi_app.phones.desk import Desk, DeskPhone
from tests.pi_app.pilot import TWO, entry_of

TAGS = {"Game": "just4fun", "Players": TWO}
KEYS = (
    *("1", "2", "5", "9", "STAR", "ENTER", "BACK", "BACK_HELD", "MENU", "UP", "DOWN"),
    *("DIE1", "DIE4"),
)
MOVES = {"just4fun": ("5", "7", "9", "11", "13", "12+12"), "numeri": ("4:4", "1:1", "6:6", "2:2")}
MANY = settings(max_examples=60, deadline=None, phases=[Phase.generate])


@dataclass(frozen=True)
class Touch:
    """What a phone sent when it showed what was there after so many changes."""

    kind: str
    fields: dict[str, Any]
    seen: int
    changes: int


class Evening:
    """Two phones whose requests are late, and the keys of the table between them."""

    def __init__(self, game: str, chance: Random) -> None:
        self.desk = Desk({**TAGS, "Game": game})
        self.chance, self.game = chance, game
        self.phones = [self.desk.phone(name, seat) for seat, name in enumerate(("Anna", "Ben"))]
        self.waiting: list[deque[Touch]] = [deque(), deque()]
        self.changes: list[tuple[int, bool]] = []
        """Who changed what is shown (-1: the table), and whether the position changed."""

    def watch(self, who: int, act: Any) -> Any:
        """Let somebody act, and note what changes by it."""
        table = self.desk.phones.table._table()
        before = self.desk.program.frame, table, None if table is None else table.changes
        answer = act()
        table = self.desk.phones.table._table()
        after = self.desk.program.frame, table, None if table is None else table.changes
        moved = before[1:] != after[1:]
        if moved or before[0] != after[0]:
            self.changes.append((who, moved))
        return answer

    def touch(self, who: int) -> None:
        kind = self.chance.choice(["key"] * 6 + ["play", "play", "undo", "claim"])
        of_kind: dict[str, dict[str, Any]] = {
            "key": {"key": self.chance.choice(KEYS)},
            "play": {"seat": who, "move": self.chance.choice(MOVES[self.game])},
            "undo": {"seat": who},
            "claim": {"seat": who},
        }
        seen = self.phones[who].shown(kind)
        self.waiting[who].append(Touch(kind, of_kind[kind], seen, len(self.changes)))

    def is_late(self, who: int, touch: Touch) -> bool:
        """Tell whether the table has moved on since, apart from this phone's own keys."""
        since = self.changes[touch.changes :]
        return any(moved or (touch.kind == "key" and by != who) for by, moved in since)

    def deliver(self, who: int) -> None:
        touch = self.waiting[who].popleft()
        if self.desk.program.quit is not None:  # somebody stopped it by keys: its loop has ended
            return
        late, count = self.is_late(who, touch), len(self.changes)
        occupied = any(screen.busy_with for screen in self.desk.program.stack)

        def send() -> dict[str, Any]:
            return self.phones[who].ask(touch.kind, seen=touch.seen, **touch.fields)

        error = self.watch(who, send).get("error")
        if occupied and touch.kind in ("play", "undo"):
            assert error == "elsewhere"
        else:
            assert (error == "stale") == late, (touch, error, self.changes[touch.changes :])
        if error:
            assert len(self.changes) == count, "what is refused changes nothing"


@pytest.mark.parametrize("game", MOVES)
@MANY
@given(seed=st.integers(0, 2**32 - 1))
def test_in_any_evening_a_late_request_is_refused_and_one_s_own_keys_on_their_way_are_not_late(
    game: str, seed: int
) -> None:
    chance = Random(seed)
    evening = Evening(game, chance)
    for _ in range(80):
        who = chance.randrange(2)
        what = chance.random()
        if what < 0.15:
            key = Key(chance.choice(KEYS))
            evening.watch(-1, lambda key=key: evening.desk.program.press(key))
        elif what < 0.6:
            evening.touch(who)
        else:
            for _ in range(chance.randint(1, 4)):
                if evening.waiting[who]:
                    evening.deliver(who)


@pytest.mark.parametrize("kind", ["play", "undo", "key", "claim", "release", "tip"])
def test_what_was_touched_before_a_move_and_its_undo_is_not_done_and_its_sender_is_told(
    kind: str,
) -> None:
    desk = Desk(TAGS)
    anna = desk.phone("Anna", 0)
    of_kind: dict[str, dict[str, Any]] = {
        "play": {"seat": 0, "move": "24"},
        "undo": {"seat": 0},
        "key": {"key": "5"},
        "claim": {"seat": 1},
        "release": {"seat": 0},
        "tip": {"seat": 0, "cards": "1 2 3 4"},
    }
    fields, seen = of_kind[kind], anna.shown(kind)
    desk.key("7#<<")
    answer = anna.ask(kind, seen=seen, **fields)
    assert answer["error"] == "stale"
    assert answer["text"].startswith("The table has moved on")
    assert anna.ask(kind, epoch="another run", **fields)["error"] == "epoch"
    assert desk.tokens() == ()


# --- whatever is open at the table


def paired(**tags: str) -> tuple[Desk, DeskPhone]:
    desk = Desk(TAGS | tags)
    desk.ctx.settings = desk.ctx.settings.plus(WebSettings(enabled=True))
    return desk, desk.phone("Anna", 0)


OPEN = (
    "?",
    '?@"Help"',
    '?@"Board"',
    '?@"System"',
    '?@"System"@"Phone"@"Let everybody in"',
    '?@"Moves"',
    '?@"Moves"#',
    '?@"Moves"#@"Look"',
)


@pytest.mark.parametrize("script", OPEN)
def test_a_move_of_ones_own_page_is_played_whatever_is_open_and_that_stays_open(
    script: str,
) -> None:
    desk, anna = paired()
    desk.key("7#8#" + script)
    before, open_ = desk.tokens(), list(desk.program.stack[1:])
    shown = desk.phones._shown
    assert anna.ask("play", seat=0, move="5")["ok"]
    assert desk.tokens() == (*before, "5")
    assert desk.program.stack[1:] == open_
    assert desk.phones._shown > shown, "all pages hear of the new position"
    assert anna.ask("undo", seat=0)["ok"]
    assert desk.tokens() == before
    assert desk.program.stack[1:] == open_


def test_a_move_that_ends_the_game_leaves_the_menu_open_above_the_result() -> None:
    left = "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"
    desk, anna = paired(Position=left)
    desk.key("?")
    assert anna.ask("play", seat=0, move="12")["ok"]
    assert desk.frame.header.title == "Menu"
    assert desk.key("<").header.title == "Game over"


HELD = {
    '?@"Check table"': "Check table is open",
    '7#8#?@"Moves"#@"Change"': "Moves is open",
    '7#8#?@"Moves"#@"Remove"': "Moves is open",
}


@pytest.mark.parametrize("script", HELD)
@pytest.mark.parametrize("kind", ["play", "undo"])
def test_a_check_or_a_correction_holds_a_move_and_the_page_is_told_which(
    script: str, kind: str
) -> None:
    desk, anna = paired()
    desk.key(script)
    before, fields = desk.tokens(), {"move": "5"} if kind == "play" else {}
    answer = anna.ask(kind, seat=0, **fields)
    assert answer["error"] == "elsewhere"
    assert HELD[script] in answer["text"]
    assert desk.tokens() == before


def test_while_a_game_is_set_up_the_page_is_told_so() -> None:
    desk, anna = paired()
    desk.key('?@"New game"@"numeri"#')
    assert anna.ask("play", seat=0, move="5")["text"] == "New game is open at the table."


HALF = [
    ("just4fun", "1*1", "5"),
    ("sequence", "12", "7S@r1c7"),
    ("einmaleins", "3", "12=3x4"),
]


@pytest.mark.parametrize(("game", "keys", "move"), HALF)
def test_what_is_half_keyed_at_the_table_stays(game: str, keys: str, move: str) -> None:
    tags = {"sequence": {"Players": "Anna blue, Ben green"}, "einmaleins": {"Open": "24"}}
    desk, anna = paired(Game=game, **tags.get(game, {}))
    entry = entry_of(desk.key(keys))
    answer = anna.ask("play", seat=0, move=move)
    assert answer.get("ok"), answer
    assert entry_of(desk.frame).text == entry.text
    assert desk.tokens() == (move,)


def test_a_roll_that_waits_for_a_choice_goes_with_its_turn() -> None:
    desk, anna = paired(Game="numeri", Position="yellow 1@3 2@4 3@6 4@8 5@11 6@12; red 1@1 2@2")
    desk.key("6")
    assert desk.frame.body.choices is not None
    assert anna.ask("play", seat=0, move="4")["ok"]
    assert desk.frame.body.choices is None


def test_a_hand_on_the_screens_goes_with_the_turn_whose_it_is() -> None:
    desk, anna = paired()
    desk.key("^1*2*3*4#")
    assert desk.frame.secret
    assert anna.ask("play", seat=0, move="5")["ok"]
    assert len(desk.program.stack) == 1
    assert not desk.frame.secret
