"""Games that phones may begin: the list, the players, and missing tags."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from engines.notation import Fault
from pi_app.past.games import named_game
from pi_app.screens.context import Context
from pi_app.screens.players_and_settings.names import known_names
from pi_app.screens.playing.games import playable_games, resume_game
from pi_app.screens.playing.rematch import begin_rematch, read_start_rule, rematch_draft
from pi_app.screens.starting.drafts import begin, choose_edition, load_draft
from pi_app.table.players import seat_people
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.printable import printable_data


class StartError(Exception):
    """A game cannot begin yet; the text says what is missing, `tag` names the record's tag."""

    def __init__(self, text: str, tag: str) -> None:
        super().__init__(text)
        self.tag = tag


def games_data(ctx: Context, game: str, names: Sequence[str]) -> Mapping[str, Any]:
    """Return the games with their last players, other known players, and the waiting game.

    `waiting` has words by the number of each game, `worn` the colours that people of these names
    get in the game.
    """
    waiting = {
        str(each.id): ctx.texts("item", "Continue: {game}", game=named_game(ctx.texts, each))
        for each in ctx.store.waiting_games()
    }
    game = game.partition("/")[0]  # an edition has the colours of its game
    known = game in playable_games()
    worn = drafted(ctx, PRESENTATIONS[game], names).players if known else []
    return printable_data(
        {
            "waiting": waiting,
            "games": [data for name in playable_games() for data in _game_data(ctx, name)],
            "worn": dict(worn),
            "people": known_names(ctx, ()),
        }
    )


def _game_data(ctx: Context, name: str) -> list[dict[str, Any]]:
    """Return a game, or each of its editions, as GAME/EDITION."""
    presentation = PRESENTATIONS[name]
    data = {
        "game": name,
        "name": presentation.name(ctx.texts),
        "counts": sorted(presentation.game.player_counts),
        "players": [player for player, _ in load_draft(ctx, presentation).players],
    }
    rule = presentation.first_rule(ctx.texts)
    if rule is None:
        return [data]
    return [
        {**data, "game": f"{name}/{value}", "name": f"{data['name']}, {word}"}
        for value, word in rule.values
    ]


def begun(
    ctx: Context, game: str, names: Sequence[str], missing: Mapping[str, str]
) -> Table | None:
    """Begin a game; None if there is none of this name. StartError if something is missing.

    `game` may name an edition, else it is that of the last time. `missing` are tags of the record
    that were asked for.
    """
    game, _, edition = game.partition("/")
    if game not in playable_games():
        return None
    presentation = PRESENTATIONS[game]
    draft = drafted(ctx, presentation, names)
    rule = presentation.first_rule(ctx.texts)
    if rule is not None and edition in dict(rule.values):
        choose_edition(presentation, draft, rule, edition)
    return _begun(ctx, presentation, draft, missing, partial(begin, ctx, presentation))


def begun_again(ctx: Context, over: Table, missing: Mapping[str, str]) -> Table:
    """Begin the finished game once more; as `begun`."""
    draft = rematch_draft(over, read_start_rule(ctx) or "next")
    presentation = PRESENTATIONS[over.game.name]
    return _begun(ctx, presentation, draft, missing, partial(begin_rematch, ctx, over))


def _begun(
    ctx: Context,
    presentation: AnyPresentation,
    draft: SetupDraft,
    missing: Mapping[str, str],
    start: Callable[[SetupDraft], Table],
) -> Table:
    draft.tags |= missing
    try:
        return start(draft)
    except Fault as error:
        raise StartError(presentation.words.fault(ctx.texts, error), error.place) from error


def continued(ctx: Context, game: int) -> Table | None:
    """Go on with a game that waits; None if it does not."""
    waits = any(each.id == game for each in ctx.store.waiting_games())
    table = resume_game(ctx, game) if waits else None
    if table is not None:
        ctx.store.put_on_table(table.id)
    return table


def drafted(ctx: Context, presentation: AnyPresentation, names: Sequence[str]) -> SetupDraft:
    """Return the game as it was last played, with these people; the first one begins."""
    draft = load_draft(ctx, presentation)
    if names != [name for name, _ in draft.players]:
        before = dict(draft.players)
        seats = [(name, before.get(name, "")) for name in names]
        draft.players = seat_people(ctx.texts, ctx.store, presentation, seats, draft.bot_seats)
        draft.start = 0
    return draft
