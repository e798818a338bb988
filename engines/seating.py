"""Checks every game's set-up: its players, its board and its house rules."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from engines.board import QUARTER_TURNS, BoardError, BoardKind
from engines.game import HouseRule, Setup, SetupError
from engines.notation import QUOTED, composed

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
    """Raise SetupError if players, start or house rules contradict the game.

    `colours` are the game's, `counts` the numbers of players it allows. With `teams` several
    players may share a colour; the game itself checks how they sit.
    """
    players = setup.players
    if len(players) not in counts:
        allowed = ", ".join(str(count) for count in sorted(counts))
        reason = f"{len(players)} cannot play this game, only {allowed}"
        facts = {"n": len(players), "allowed": allowed}
        raise SetupError("Players", reason, "how-many", facts)
    for player in players:
        if player.colour not in colours:
            reason = f"{player.colour[:QUOTED]!r} is no colour of this game: {', '.join(colours)}"
            facts = {"word": player.colour[:QUOTED], "colours": ", ".join(colours)}
            raise SetupError("Players", reason, "no-such-colour", facts)
    name, times = Counter(player.name for player in players).most_common(1)[0]
    if times > 1:
        reason = f"two players are called {name[:QUOTED]!r}"
        raise SetupError("Players", reason, "name-twice", {"name": name[:QUOTED]})
    colour, times = Counter(player.colour for player in players).most_common(1)[0]
    if times > 1 and not teams:
        reason = f"two players have the colour {colour}"
        raise SetupError("Players", reason, "colour-shared", {"colour": colour})
    if not 0 <= setup.start < len(players):
        raise SetupError("Start", "must name one of the players", "no-starter")
    _check_rules(setup, {rule.key: rule for rule in house_rules})


def _check_rules(setup: Setup, rules: dict[str, HouseRule]) -> None:
    for key, value in setup.rules.items():
        if key not in rules:
            raise unknown_rule(key, rules)
        if not rules[key].allows(value):
            rule = rules[key]
            reason = f"{key} cannot be {value[:QUOTED]!r}"
            facts: dict[str, object] = {"key": key, "value": value[:QUOTED]}
            if rule.choices:
                facts["choices"] = ", ".join(rule.choices)
            else:
                facts["low"] = rule.least or 0
            raise SetupError("Rules", reason, "bad-value", facts)


def unknown_rule(key: str, known: Iterable[str]) -> SetupError:
    """Return the error for a house rule that the game does not have; it names those it has."""
    names = ", ".join(known)
    reason = f"{key[:QUOTED]!r} is no rule of this game (known: {names or 'none'})"
    return SetupError("Rules", reason, "unknown-rule", {"key": key[:QUOTED], "names": names})


def board_of(setup: Setup, kind: BoardKind[B]) -> B:
    """Return the board of the tags `Board` and `BoardData`, or raise SetupError.

    `BoardData` takes precedence; else `Board` names a shipped board, turned clockwise if the name
    ends in `/90` and the like and the game's boards may be turned.
    """
    if setup.board_data is not None:
        try:
            return kind.make(setup.board_data.split())
        except BoardError as error:
            raise SetupError("BoardData", str(error), "board-data", {"why": str(error)}) from error
    name = kind.default if setup.board is None else setup.board
    base, slash, angle = name.partition("/") if kind.turns else (name, "", "")
    # `classic` alone is not turned, but `classic/` and `classic/45` are mistakes
    wrong_angle = slash and angle not in QUARTER_TURNS
    if base not in kind.load_boards() or wrong_angle:
        names = ", ".join(kind.load_boards()) + (", /90, /180, /270" if kind.turns else "")
        reason = f"{name[:QUOTED]!r} is no known board, there are {names}"
        raise SetupError("Board", reason, "unknown-board", {"word": name[:QUOTED], "names": names})
    words = kind.words(kind.load_boards()[base])
    return kind.make(kind.rotate(words, QUARTER_TURNS.get(angle, 0)))
