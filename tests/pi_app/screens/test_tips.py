"""Tips: one key shows the best moves, their chance and why, to players who may have them."""

from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest

from engines import GAMES, Player, Setup
from engines.game import Step, attempt
from engines.notation import Fault
from engines.record import Record, begin, parse, write
from hardware.keys import Key
from pi_app.screens.secret import HIDE_AFTER_S
from pi_app.screens.tips import BEST, TipScreen, find_tips
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import KnownPlayer, save_players
from pi_app.table.presentation import PRESENTATIONS
from pi_app.table.table import record_of
from pi_app.texts.language import Texts
from pi_app.view.frame import Frame
from tests.pi_app.pilot import TWO, Pilot, choices_of

Act = Callable[[], None]


@dataclass(frozen=True)
class Case:
    """A game in which somebody asks for a tip: the keys to the list and to the tip."""

    game: str
    keys: str
    players: str = TWO
    tags: dict[str, str] = field(default_factory=dict)
    secret: bool = True

    def pilot(self) -> Pilot:
        pilot = Pilot.game(self.game, self.players, **self.tags)
        pilot.give_tips()
        return pilot


JUST4FUN = Case("just4fun", "^ 3*5*11*13#", tags={"Position": "red 16 20 36; yellow 8"})
SEQUENCE = Case(
    "sequence",
    "^# 12*2 10*1 11*1 11*3 7*1 8*4 10*2 #",
    "Anna blue, Ben green",
    {"Position": "blue r3c3 r7c7 r6c4 r6c5; green r2c8 r2c9 r7c6"},
)
EINMALEINS = Case(
    "einmaleins", "^#12*24*35#", tags={"Open": "24", "Position": "yellow 3; red 3; open 12=2x6"}
)
NUMERI = Case(
    "numeri",
    "d6",
    tags={"Position": "yellow 1@15 2@16 3@20 4@21 5@13 6@14; red 1@1 2@2"},
    secret=False,
)
CASES = [JUST4FUN, SEQUENCE, EINMALEINS, NUMERI]
by_game = pytest.mark.parametrize("case", CASES, ids=lambda case: case.game)


def labels(frame: Frame) -> list[str]:
    return [key.label for key in frame.keys.soft]


@by_game
def test_one_key_shows_the_best_moves_with_chance_and_reason(case: Case) -> None:
    pilot = case.pilot()
    assert "tip" in labels(pilot.key(case.keys))
    frame = pilot.key("*")
    assert frame.header.title == "Tip Anna"
    assert frame.secret is case.secret
    assert 0 < len(choices_of(frame).items) <= BEST
    chances = [item.partition(" % ")[0] for item in choices_of(frame).items]
    assert all(0 <= int(chance) <= 100 for chance in chances)
    screen = pilot.program.screen
    assert isinstance(screen, TipScreen)
    assert screen.tips is not None
    assert frame.body.lines == screen.tips[0].why(pilot.ctx.texts, screen.presentation)[:2]


@by_game
def test_enter_plays_the_marked_move_and_back_leads_where_the_tip_was_asked_for(case: Case) -> None:
    pilot = case.pilot()
    asked_from = pilot.key(case.keys)
    pilot.key("*")
    assert pilot.key("<") == asked_from
    pilot.key("*")
    screen = pilot.program.screen
    assert isinstance(screen, TipScreen)
    assert screen.tips is not None
    pilot.key("v#" if len(screen.tips) > 1 else "#")
    assert pilot.tokens() == (screen.tips[min(1, len(screen.tips) - 1)].step.token,)


SQUARES = {
    ("Anna", "en"): (
        "Wins with the sequence 2♠-6♠.",
        "Stops a sequence of Green on 10♠, row 6, place 2.",
        "Stops a sequence of Green on 2♠, 10♠.",
        "J♦ in hand completes it on 2♠, row 1, place 2.",
    ),
    ("Ben", "de"): (
        "Gewinnt mit der Sequence 2♠-6♠.",
        "Verhindert eine Sequence von Grün auf 10♠, Reihe 5, Platz 9.",
        "Verhindert eine Sequence von Grün auf 2♠, 10♠.",
        "J♦ auf der Hand schließt sie auf 2♠, Reihe 10, Platz 9.",
    ),
}


@pytest.mark.parametrize(("name", "language"), SQUARES)
def test_a_tip_names_squares_of_sequence_as_they_are_seen_from_its_players_seat(
    name: str, language: str
) -> None:
    players = Player("Anna", "blue"), Player("Ben", "green")
    step = attempt(GAMES["sequence"].begin(Setup(players)), "10S@r6c2")
    assert isinstance(step, Step)
    step = replace(step, player=players[name == "Ben"])
    presentation, tx = PRESENTATIONS["sequence"], Texts(language)
    line = [f"r1c{column}" for column in range(2, 7)]
    said = (
        presentation.moves.reason(tx, step, "wins", {"squares": line}),
        *(
            presentation.moves.reason(
                tx, step, "stops-sequence", {"team": "green", "squares": squares}
            )
            for squares in (["r6c2"], ["r1c2", "r6c2"])
        ),
        presentation.moves.reason(tx, step, "hand-completes", {"card": "JD", "square": "r1c2"}),
    )
    assert said == SQUARES[name, language]
    assert presentation.moves.tip(tx, step) == ("10♠ 6-2" if name == "Anna" else "10♠ 5-9")


@by_game
@pytest.mark.parametrize("level", [HelpLevel.NONE, HelpLevel.SUMS, HelpLevel.LEGAL])
def test_no_lower_level_of_help_gives_tips(case: Case, level: HelpLevel) -> None:
    pilot = case.pilot()
    save_players(pilot.ctx.store, [KnownPlayer("Anna", help=level)])
    pilot.restart()
    frame = pilot.key(case.keys)
    assert "tip" not in labels(frame)
    assert not pilot.key("*").header.title.startswith("Tip")


@by_game
def test_the_table_can_forbid_tips_to_who_wants_them(case: Case) -> None:
    pilot = case.pilot()
    save_players(pilot.ctx.store, [KnownPlayer("Anna", help=HelpLevel.TIPS)])
    settings = pilot.ctx.settings
    pilot.ctx.settings = replace(settings, help=replace(settings.help, tips=False))
    assert pilot.ctx.help_level("Anna") is HelpLevel.LEGAL
    pilot.restart()
    assert "tip" not in labels(pilot.key(case.keys))
    assert not pilot.key("*").header.title.startswith("Tip")


def test_the_table_forbids_tips_by_keys() -> None:
    pilot = Pilot()
    kept: dict[str, object] = {}
    pilot.ctx.save = kept.__setitem__
    pilot.give_tips()
    pilot.choose("History", "Players")
    assert choices_of(pilot.frame).items[-1] == "Tips: allowed"
    pilot.choose("Tips")
    assert choices_of(pilot.frame).items[-1] == "Tips: forbidden"
    assert kept == {"help.tips": False}
    assert pilot.ctx.help_level("Anna") is HelpLevel.LEGAL
    pilot.choose("Tips")
    assert pilot.ctx.help_level("Anna") is HelpLevel.TIPS


def test_a_player_is_offered_tips_unless_the_table_forbids_them() -> None:
    pilot = Pilot()
    save_players(pilot.ctx.store, [KnownPlayer("Anna")])
    pilot.choose("History", "Players", "Anna", "Help")
    assert "tips" in choices_of(pilot.frame).items
    pilot.choose("tips")
    assert pilot.ctx.help_level("Anna") is HelpLevel.TIPS
    settings = pilot.ctx.settings
    pilot.ctx.settings = replace(settings, help=replace(settings.help, tips=False))
    pilot.choose("Help")
    assert "tips" not in choices_of(pilot.frame).items
    assert choices_of(pilot.frame).items[choices_of(pilot.frame).selected] == "fields"


def test_a_hand_that_is_not_keyed_whole_gets_no_tip() -> None:
    pilot = SEQUENCE.pilot()
    frame = pilot.key("^# 12*2 10*1 # *")
    assert frame.body.lines == ("Key all 7 cards of the hand for a tip.",)
    assert pilot.key("<").body.choices is not None


def test_a_tip_hides_by_itself_and_the_hand_with_it() -> None:
    pilot = JUST4FUN.pilot()
    pilot.key(JUST4FUN.keys + "*")
    pilot.wait(HIDE_AFTER_S - 1)
    assert pilot.key("v").header.title == "Tip Anna"
    assert pilot.wait(HIDE_AFTER_S + 1).header.title == "Anna"
    pilot.key(JUST4FUN.keys + "*")
    pilot.wait(HIDE_AFTER_S - 1)
    assert pilot.key("<").header.title == "Hand Anna"
    assert pilot.wait(HIDE_AFTER_S - 1).header.title == "Hand Anna"
    assert pilot.wait(2).header.title == "Anna"


def test_a_game_that_hides_nothing_has_a_tip_in_its_menu_and_keys_as_ever() -> None:
    pilot = Pilot.game("muehle", "Anna white, Ben red")
    assert "Tip" not in choices_of(pilot.key("?")).items
    pilot = Pilot.game("muehle", "Anna white, Ben red")
    pilot.give_tips()
    assert "tip" not in labels(pilot.frame)
    pilot.key("?")
    pilot.choose("Tip")
    screen = pilot.program.screen
    assert isinstance(screen, TipScreen)
    assert not pilot.frame.secret
    best = screen.tips[0].step.token
    pilot.key("#")
    assert pilot.tokens() == (best,)


def test_no_tip_is_given_for_a_move_that_is_only_keyed_again() -> None:
    pilot = Pilot.game("just4fun")
    pilot.give_tips()
    pilot.key("5# 7# ?")
    pilot.choose("Moves")
    pilot.key("^ #")
    pilot.choose("Change")
    assert "tip" not in labels(pilot.key("^ 3*5*11*13#"))


def test_what_leads_to_the_same_counts_once() -> None:
    tags = f'[Game "numeri"]\n[Players "{TWO}"]\n[Position "{NUMERI.tags["Position"]}"]\n'
    game, position = begin(parse(tags))
    found = find_tips(game.name, position, 6)
    after = [tip.step.after for tip in found]
    assert len(found) == BEST
    assert all(one != other for one in after for other in after if one is not other)


# --- the record


def record(pilot: Pilot) -> Record:
    """Return the game begun last, as it would be exported."""
    number = pilot.ctx.store.latest_game()
    assert number is not None
    entry = pilot.ctx.store.find_game(number)
    assert entry is not None
    found = record_of(pilot.ctx.store.load(entry.id))
    assert parse(write(found)) == found
    return found


def said(pilot: Pilot) -> list[tuple[int, str]]:
    return [(note.before, note.text) for note in record(pilot).notes]


def with_a_tip() -> Pilot:
    """Return a game whose second move, Ben's, was played after a tip was seen twice."""
    pilot = Pilot.game("just4fun")
    pilot.give_tips()
    pilot.key("5# ^ 3*5*11*13# * < * << 7#")
    return pilot


def test_a_move_after_a_tip_carries_the_comment_once_whatever_is_played() -> None:
    pilot = with_a_tip()
    assert pilot.tokens() == ("5", "7")
    assert said(pilot) == [(2, "tip")]
    pilot.key("9#")
    assert said(pilot) == [(2, "tip")]
    assert "7 {tip}" in write(record(pilot))


def test_a_tip_without_a_move_leaves_no_comment() -> None:
    pilot = Pilot.game("just4fun")
    pilot.give_tips()
    pilot.key("5# ^ 3*5*11*13# * <<")
    assert said(pilot) == []


def test_a_comment_goes_and_comes_with_its_move() -> None:
    pilot = with_a_tip()
    pilot.key("<<")
    assert said(pilot) == []
    pilot.key("?")
    pilot.choose("Redo")
    assert said(pilot) == [(2, "tip")]


def test_the_tip_was_for_the_position_it_was_shown_in() -> None:
    pilot = with_a_tip()
    pilot.key("<< 8#")
    assert said(pilot) == [(2, "tip")], "another move at the same turn: the tip was seen"
    pilot.key("<< << 9# 7#")
    assert said(pilot) == [], "another turn"


def test_a_comment_survives_a_restart() -> None:
    pilot = with_a_tip()
    pilot.key("<<")
    pilot.restart()
    pilot.key("7#")
    assert said(pilot) == [(2, "tip")]


@pytest.mark.parametrize(
    ("tokens", "notes"),
    [
        (("6", "7", "9"), [(2, "tip")]),
        (("5", "8", "9"), [(2, "tip")]),
        (("7", "9"), [(1, "tip")]),
        (("11", "5", "7", "9"), [(3, "tip")]),
        (("5", "9"), []),
        (("5",), []),
        ((), []),
    ],
)
def test_a_comment_follows_its_move_where_the_past_is_changed(
    tokens: tuple[str, ...], notes: list[tuple[int, str]]
) -> None:
    pilot = with_a_tip()
    pilot.key("9#")
    screen = pilot.program.stack[0]
    screen.table.rewrite(tokens)  # type: ignore[attr-defined]
    assert said(pilot) == notes


def test_a_change_that_is_refused_leaves_the_comments_alone() -> None:
    pilot = with_a_tip()
    with pytest.raises(Fault):
        pilot.program.stack[0].table.rewrite(("5", "99"))  # type: ignore[attr-defined]
    assert said(pilot) == [(2, "tip")]


def test_a_correction_of_the_table_takes_the_tip_of_the_turn_with_it() -> None:
    pilot = Pilot.game("just4fun")
    pilot.give_tips()
    pilot.key("5# ^ 3*5*11*13# * <<")
    table = pilot.program.stack[0].table  # type: ignore[attr-defined]
    table.play(table.judge("<yellow 5; red 8>"))
    table.play(table.judge("7"))
    assert said(pilot) == []


def test_the_tip_key_means_nothing_before_the_hand_is_keyed() -> None:
    pilot = JUST4FUN.pilot()
    pilot.key("^")
    pilot.program.press(Key.STAR)
    assert pilot.frame.header.title == "Hand Anna"
