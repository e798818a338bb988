"""What every game asks of its set-up: who sits at the table, and which house rules hold."""

from collections import Counter
from collections.abc import Collection, Sequence

from engines.game import HouseRule, Setup, SetupError


def check_table(
    setup: Setup,
    colours: Collection[str],
    counts: Collection[int],
    house_rules: Sequence[HouseRule] = (),
    *,
    teams: bool = False,
) -> None:
    """Raise SetupError where players, start or house rules contradict the game.

    `colours` are the game's, `counts` the numbers of players it allows. With `teams` several
    players may share a colour; how they must sit then is for the game to say.
    """
    players = setup.players
    if len(players) not in counts:
        allowed = ", ".join(str(count) for count in sorted(counts))
        raise SetupError("Players", f"{len(players)} cannot play this game, only {allowed}")
    for player in players:
        if player.colour not in colours:
            raise SetupError(
                "Players", f"{player.colour[:40]!r} is no colour of this game: {', '.join(colours)}"
            )
    name, times = Counter(player.name for player in players).most_common(1)[0]
    if times > 1:
        raise SetupError("Players", f"two players are called {name[:40]!r}")
    colour, times = Counter(player.colour for player in players).most_common(1)[0]
    if times > 1 and not teams:
        raise SetupError("Players", f"two players have the colour {colour}")
    if not 0 <= setup.start < len(players):
        raise SetupError("Start", "must name one of the players")
    _check_rules(setup, {rule.key: rule for rule in house_rules})


def _check_rules(setup: Setup, rules: dict[str, HouseRule]) -> None:
    for key, value in setup.rules.items():
        if key not in rules:
            known = ", ".join(rules) or "none"
            raise SetupError("Rules", f"{key[:40]!r} is no rule of this game (known: {known})")
        if not rules[key].allows(value):
            raise SetupError("Rules", f"{key} cannot be {value[:40]!r}")
