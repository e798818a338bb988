"""`beisitzer club evening`, `pair`, `result` and their like: what happens in an evening."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click

from club.commands.changes import carry_out, preview_option
from club.commands.members import done
from club.commands.place import VerbContext, verb
from engines.games import GAMES
from pi_app.link.contract import MOST_TEXT, clean, person
from pi_app.texts.language import Text

if TYPE_CHECKING:
    from club.store.database import Writing

MODES = ("free", "round-robin", "swiss", "tables")
_UNDONE = {
    "evening": Text("cli", "the evening's beginning is taken back"),
    "people": Text("cli", "the list of people is taken back"),
    "leave": Text("cli", "nobody has left after all"),
    "arrive": Text("cli", "nobody has come after all"),
    "pair": Text("cli", "the round is taken back"),
    "rebuilt": Text("cli", "the round that was rebuilt is taken back"),
    "result": Text("cli", "the keyed result is taken back"),
    "accept": Text("cli", "the acceptance is taken back"),
    "refuse": Text("cli", "the refusal is taken back"),
    "close": Text("cli", "the evening is open again"),
    "add-table": Text("cli", "the table that was added is out of the club"),
    "remove-table": Text("cli", "the table that was removed belongs to the club again"),
    "clock": Text("cli", "the clock is as it was before"),
}


@click.command()
@click.option(
    "--game", "games", required=True, metavar="GAME", help="The game, or several with commas."
)
@click.option(
    "--mode",
    type=click.Choice(MODES),
    required=True,
    help="How rounds are paired; free: whoever wants to plays.",
)
@click.option(
    "--per-table",
    type=click.IntRange(2, 4),
    metavar="NUMBER",
    help="How many people a table has room for; default: 4, or 2 in round-robin.",
)
@click.option(
    "--rounds",
    type=click.IntRange(0, 1000),
    default=0,
    metavar="NUMBER",
    help="How many rounds are planned; default: open.",
)
@click.option("--rules", default="", help="House rules, as in the record's tag.")
@verb
def evening(
    at: VerbContext, games: str, mode: str, per_table: int | None, rounds: int, rules: str
) -> None:
    """Open an evening and print its id."""
    from club.evening.acts import open_evening

    chosen = tuple(dict.fromkeys(game.strip() for game in games.split(",")))
    for game in chosen:
        if game not in GAMES:
            names = ", ".join(GAMES)
            raise click.BadParameter(
                at.tx("cli", "there is no game {game}: there are {names}", game=game, names=names),
                param_hint="--game",
            )
    if len(rules) > MOST_TEXT:
        raise click.BadParameter(at.tx("cli", "more than {most} characters", most=MOST_TEXT))
    with at.act() as writing:
        opened = open_evening(
            writing,
            at.who,
            chosen,
            mode,  # type: ignore[arg-type]  # one of MODES
            per_table=per_table or (2 if mode == "round-robin" else 4),
            planned=rounds,
            rules=rules,
        )
    click.echo(json.dumps({"evening": opened}) if at.as_json else opened)


@click.command()
@verb
def pair(at: VerbContext) -> None:
    """Pair the next round, give it to the tables and print it."""
    from club.evening.acts import pair_next
    from club.evening.results import paired_round, shown_names
    from club.evening.shown.status import round_status
    from club.pairing.exports import round_json
    from club.store.live import current_evening

    with at.act() as writing:
        before = round_status(writing.connection, current_evening(writing.connection))
        row = pair_next(writing, at.who)
        names = shown_names(writing.connection)
    if before is not None and before.missing:
        missing = [each for each in before.groups if each.progress != "done"]
        where = ", ".join(
            each.group.table or names.get(each.group.seats[0], "") for each in missing
        )
        words = at.tx(
            "cli",
            "results of round {n} are missing ({missing}): what comes of them now is a proposal",
            n=before.paired.number,
            missing=where,
        )
        click.echo(words, err=True)
    if at.as_json:
        places = [group.table for group in row.groups]
        paired = round_json(paired_round(row), era=row.era, rev=row.rev, tables=places)
        click.echo(json.dumps(paired))
        return
    click.echo(at.tx("cli", "Round {n}", n=row.number))
    for group in row.groups:
        people = ", ".join(names.get(p, p) for p in group.seats)
        click.echo(f"  {group.table or '-':10} {group.game:10} {people}")
    if row.byes:
        click.echo(
            at.tx("cli", "Sitting out: {names}", names=", ".join(names.get(p, p) for p in row.byes))
        )


@click.command()
@click.option(
    "--minutes",
    type=click.IntRange(0, 600),
    required=True,
    metavar="NUMBER",
    help="Minutes until the time is up; 0: no clock.",
)
@verb
def clock(at: VerbContext, minutes: int) -> None:
    """Show in the hall when the round's time is up; tables that still play are told then."""
    from club.evening.clock import set_clock

    with at.act() as writing:
        ends = set_clock(writing, at.who, minutes)
    words = at.tx("cli", "the clock runs") if ends else at.tx("cli", "there is no clock")
    done(at, words, ends=ends)


@click.command()
@click.argument("text")
@click.option("--table", metavar="TABLE", help="Only at this table.")
@click.option(
    "--for",
    "for_s",
    type=click.IntRange(1, 24 * 3600),
    default=600,
    metavar="SECONDS",
    help="How long it stands there; default: 600.",
)
@verb
def say(at: VerbContext, text: str, table: str | None, for_s: int) -> None:
    """Let the tables show and say TEXT, at most 200 characters."""
    from club.evening.announcements import announce

    words = clean(text, MOST_TEXT)
    if not words or len(text) > MOST_TEXT:
        raise click.UsageError(
            at.tx("cli", "TEXT must have 1 to {most} characters", most=MOST_TEXT)
        )
    with at.act() as writing:
        announce(writing, at.who, words, for_s, table)
    done(at, at.tx("cli", "the tables say it"), text=words, table=table, for_s=for_s)


@click.command()
@click.option(
    "--round", "number", type=click.IntRange(1), required=True, metavar="NUMBER", help="The round."
)
@click.argument("places", nargs=-1, required=True, metavar="P=PLACE")
@preview_option
@verb
def result(at: VerbContext, number: int, places: tuple[str, ...], *, preview: bool) -> None:
    """Key the places at a table by hand: each P=PLACE is a person's, such as p17=1.

    It stands above what the table sends later.
    """
    from club.evening.acts import key_result

    ranks = dict(_place(at, word) for word in places)
    if len(ranks) < len(places):
        raise click.UsageError(at.tx("cli", "somebody is named twice"))

    def key(writing: Writing) -> None:
        key_result(writing, at.who, number, ranks)

    if carry_out(at, key, preview=preview):
        done(at, at.tx("cli", "the result counts"), round=number, ranks=ranks)


def _place(at: VerbContext, word: str) -> tuple[str, int]:
    name, _, place = word.partition("=")
    p = person(name)
    if p is None or not (place.isascii() and place.isdigit() and len(place) < 4):
        raise click.UsageError(
            at.tx("cli", "{word} must be P=PLACE, such as p17=1", word=word[:40])
        )
    return p, int(place)


@click.command()
@click.argument("event", metavar="STORE:SEQ")
@preview_option
@verb
def accept(at: VerbContext, event: str, *, preview: bool) -> None:
    """Let an event count that was refused or proposed; STORE:SEQ is as in the export."""
    _decide(at, event, accepted=True, preview=preview)


@click.command()
@click.argument("event", metavar="STORE:SEQ")
@preview_option
@verb
def refuse(at: VerbContext, event: str, *, preview: bool) -> None:
    """Refuse a proposal for good, or leave out a result that counts; `accept` takes that back."""
    _decide(at, event, accepted=False, preview=preview)


def _decide(at: VerbContext, event: str, *, accepted: bool, preview: bool) -> None:
    from club.evening.acts import decide

    store, _, seq = event.rpartition(":")
    if not store or not (seq.isascii() and seq.isdigit() and len(seq) < 17):
        raise click.UsageError(
            at.tx("cli", "{word} must be STORE:SEQ, as in the export", word=event[:80])
        )

    def choose(writing: Writing) -> None:
        decide(writing, at.who, store, int(seq), accepted=accepted)

    if not carry_out(at, choose, preview=preview):
        return
    words = at.tx("cli", "the result counts") if accepted else at.tx("cli", "it does not count")
    done(at, words, store=store, seq=int(seq), accepted=accepted)


@click.command()
@verb
def undo(at: VerbContext) -> None:
    """Take the last act back; call it again for the one before."""
    from club.evening.acts import undo as undo_last

    with at.act() as writing:
        act = undo_last(writing, at.who)
        kind, number = act.kind, act.id
    done(at, at.tx.say(_UNDONE, kind), kind=kind, act=number)


@click.command()
@verb
def close(at: VerbContext) -> None:
    """Close the evening: its results are final, and tables may forget them."""
    from club.evening.acts import close_evening

    with at.act() as writing:
        closed = close_evening(writing, at.who)
    done(at, at.tx("cli", "the evening {evening} is closed", evening=closed), evening=closed)
