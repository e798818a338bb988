"""Checks every game's set-up: its players, its board and its house rules."""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TypeVar

from engines.board import QUARTER_TURNS, BoardKind
from engines.game import HouseRule, Setup
from engines.notation import QUOTED, Fault, composed

B = TypeVar("B")


def player_pairs(text: str) -> list[tuple[str, str]]:
    """Return (name, colour) of each player in a text such as that of the tag `Players`.

    If there is only one word, it is the colour, and the name is empty.
    """
    pairs = (" ".join(pair.split()).rpartition(" ") for pair in composed(text).split(","))
    return [(name, colour) for name, _, colour in pairs]


def check_table(
    setup: Setup,
    colours: Collection[str],
    counts: Collection[int],
    house_rules: Sequence[HouseRule] = (),
    *,
    teams: bool = False,
) -> None:
    """Raise a Fault if players, start or house rules contradict the game.

    `colours` are the game's, `counts` the numbers of players it allows. With `teams` several
    players may share a colour; the game itself checks how they sit.
    """
    players = setup.players
    if len(players) not in counts:
        allowed = ", ".join(str(count) for count in sorted(counts))
        raise Fault("how-many", "Players", n=len(players), allowed=allowed)
    for player in players:
        if player.colour not in colours:
            word, known = player.colour[:QUOTED], ", ".join(colours)
            raise Fault("no-such-colour", "Players", word=word, choices=known)
    name, times = Counter(player.name for player in players).most_common(1)[0]
    if times > 1:
        raise Fault("name-twice", "Players", name=name[:QUOTED])
    colour, times = Counter(player.colour for player in players).most_common(1)[0]
    if times > 1 and not teams:
        raise Fault("colour-shared", "Players", colour=colour)
    if not 0 <= setup.start < len(players):
        raise Fault("no-starter", "Start")
    _check_rules(setup, {rule.key: rule for rule in house_rules})


def _check_rules(setup: Setup, rules: Mapping[str, HouseRule]) -> None:
    for key, value in setup.rules.items():
        if key not in rules:
            raise unknown_rule(key, rules)
        rule, word = rules[key], value[:QUOTED]
        if rule.allows(value):
            continue
        if rule.choices:
            choices = ", ".join(rule.choices)
            raise Fault("bad-choice", "Rules", key=key, value=word, choices=choices)
        raise Fault("bad-value", "Rules", key=key, value=word, low=rule.least or 0)


def unknown_rule(key: str, known: Iterable[str]) -> Fault:
    """Return the fault of a house rule that the game does not have; it names those it has."""
    names = ", ".join(known)
    if not names:
        return Fault("no-rules", "Rules")
    return Fault("unknown-rule", "Rules", key=key[:QUOTED], names=names)


def board_of(setup: Setup, kind: BoardKind[B]) -> B:
    """Return the board of the tags `Board` and `BoardData`, or raise a Fault.

    `BoardData` takes precedence; else `Board` names a shipped board, turned clockwise if the name
    ends in `/90` and the like and the game's boards may be turned.
    """
    if setup.board_data is not None:
        try:
            return kind.make(setup.board_data.split())
        except Fault as fault:
            raise Fault("board-data", "BoardData") from fault
    name = kind.default_for(setup.rules) if setup.board is None else setup.board
    base, slash, angle = name.partition("/") if kind.turns else (name, "", "")
    # `classic` alone is not turned, but `classic/` and `classic/45` are mistakes
    wrong_angle = slash and angle not in QUARTER_TURNS
    if base not in kind.load_boards() or wrong_angle:
        names = ", ".join(kind.load_boards()) + (", /90, /180, /270" if kind.turns else "")
        raise Fault("unknown-board", "Board", word=name[:QUOTED], names=names)
    words = kind.words(kind.load_boards()[base])
    return kind.make(kind.rotate(words, QUARTER_TURNS.get(angle, 0)))
