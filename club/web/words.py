"""The texts of an evening's pages by name, in the language of the browser."""

from __future__ import annotations

from club.evening.errors import ActError
from club.evening.sentences import PROGRESS_WORDS, WHYS, act_words
from engines.games import GAMES
from pi_app.past.games import game_words
from pi_app.texts.language import Text, Texts

_ACT = {
    "no-evening": Text("page", "No evening is open: open one first."),
    "no-rounds": Text("page", "This evening has no rounds yet."),
    "nobody": Text("page", "Write at least one name."),
}
"""Refusals that a page says in other words than a terminal."""


def act_sentence(tx: Texts, error: ActError) -> str:
    """Say why something is not possible now."""
    return tx.say(_ACT, error.code, **error.facts) or act_words(tx, error)


def words(tx: Texts, page: str) -> dict[str, str]:
    """Return the texts of a page by name, and their language; pages fill in `{n}` and others."""
    shown = {"language": tx.language, **_around(tx), **_hall(tx)}
    shown |= {f"game-{game}": game_words(tx, game) for game in GAMES}
    return shown | _desk(tx) | _acts(tx) if page == "organiser" else shown


def _around(tx: Texts) -> dict[str, str]:
    return {
        "pages": tx("page", "Pages"),
        "page-hall": tx("page", "Hall"),
        "page-where": tx("page", "My seat"),
        "page-lists": tx("page", "Lists"),
        "page-organiser": tx("page", "Organiser"),
        "waiting": tx("page", "Looking for the evening …"),
        "link-away": tx("page", "Not live: the club's database does not answer."),
        "link-off": tx("page", "Not live: the club's database does not answer."),
        "link-lost": tx("page", "Not live: no connection. What you see may be old."),
    }


def _hall(tx: Texts) -> dict[str, str]:
    return {
        "no-evening": tx("page", "No evening is open yet."),
        "closed": tx("page", "The evening is over."),
        "standings": tx("page", "Standings"),
        "round": tx("page", "Round {n}", n="{n}"),
        "round-of": tx("page", "Round {n} of {all}", n="{n}", all="{all}"),
        "no-round": tx("page", "No round is paired yet."),
        "free-play": tx("page", "Free play: whoever wants to sits down anywhere."),
        "byes": tx("page", "Sitting out"),
        "table": tx("page", "Table {n}", n="{n}"),
        "place": tx("page", "Group {n}", n="{n}"),
        "seat": tx("page", "Seat {n}", n="{n}"),
        "time-up": tx("page", "Time is up"),
        "part": tx("page", "{n} of {all}", n="{n}", all="{all}"),
        "rank": tx("page", "Rank"),
        "name": tx("page", "Name"),
        "number": tx("page", "No."),
        "points": tx("page", "Points"),
        "wins": tx("page", "Wins"),
        "games": tx("page", "Games"),
        "done": tx("page", "{n} of {all} groups are done", n="{n}", all="{all}"),
        "my-place": tx("page", "Done: place {n}", n="{n}"),
        "who-is-here": tx("page", "Who is here"),
        "where": tx("page", "Where do I sit?"),
        "my-name": tx("page", "My name or number"),
        "i-am-here": tx("page", "I am here"),
        "here-as": tx("page", "I am here: {name}", name="{name}"),
        "not-me": tx("page", "That is not me"),
        "wait-round": tx("page", "You are here. The first round is still to come."),
        "plays-from": tx("page", "You play from round {n} on.", n="{n}"),
        "partner": tx("page", "with {name} as partner", name="{name}"),
        "against": tx("page", "against {names}", names="{names}"),
        "key-result": tx("page", "Key the places"),
        "place-of": tx("page", "Place of {name}", name="{name}"),
        "send-result": tx("page", "Send the result"),
        "keyed-by": tx("page", "{name} has keyed:", name="{name}"),
        "wait-confirm": tx("page", "It counts once another one of your group confirms it."),
        "confirm-result": tx("page", "That is right"),
        "key-anew": tx("page", "No, key it anew"),
        "not-sent": tx("page", "Not live: nothing was done."),
        "results": tx("page", "Results"),
        "evening": tx("page", "Evening"),
        "evenings": tx("page", "Evenings"),
        "evenings-n": tx("page", "{n} evenings", n="{n}"),
        "season": tx("page", "Season"),
        "since-day": tx("page", "since {day}", day="{day}"),
        "best-of": tx("page", "the best {n} of each person count", n="{n}"),
        "cross-table": tx("page", "Cross table"),
        "cross-means": tx("page", "1 for each time before the other, ½ beside them, 0 behind."),
        "sits-out": tx("page", "You sit out this round."),
        "with": tx("page", "with {names}", names="{names}"),
        "first-move": tx("page", "has the first move"),
        "print": tx("page", "Print"),
        "download": tx("page", "Download"),
        "file-standings.csv": tx("page", "Standings as CSV"),
        "file-round.csv": tx("page", "Round as CSV"),
        "file-results.csv": tx("page", "Results as CSV"),
        "file-season.csv": tx("page", "Season as CSV"),
        "file-evening.json": tx("page", "Everything as JSON"),
        "decided": tx("page", "Decided by"),
        "decided-points": tx("page", "points"),
        "decided-wins": tx("page", "wins"),
        "decided-direct": tx("page", "direct encounter"),
        "decided-opponents": tx("page", "opponents"),
        "decided-first_moves": tx("page", "first moves"),
        "decided-lot": tx("page", "lot"),
    }


def _desk(tx: Texts) -> dict[str, str]:
    return {
        **_entry(tx),
        **_evening(tx),
        **_people(tx),
        **_results(tx),
        **_tables(tx),
    }


def _entry(tx: Texts) -> dict[str, str]:
    return {
        "now": tx("page", "Now"),
        "password": tx("page", "Password"),
        "log-in": tx("page", "Be the organiser"),
        "take-over": tx("page", "Take over from the other device"),
        "other-device": tx("page", "Another device is the organiser's now."),
        "log-out": tx("page", "Leave the organiser's page"),
        "backup": tx("page", "Back up the club"),
        "new-password": tx("page", "New password"),
        "password-means": tx("page", "The old one is worth nothing then, and you are logged out."),
        "only-now": tx("page", "Shown only now: write it down"),
        "done-reading": tx("page", "Close"),
        "anyway": tx("page", "Do it anyway?"),
        "yes": tx("page", "Yes, do it"),
        "no": tx("page", "No, leave it"),
        "changes": tx("page", "What this changes"),
        "changes-nothing": tx("page", "Nothing in the standings."),
        "rounds-stay": tx("page", "Rounds that were paired stay as they are."),
    }


def _evening(tx: Texts) -> dict[str, str]:
    return {
        "open-evening": tx("page", "Open an evening"),
        "which-games": tx("page", "Games"),
        "mode": tx("page", "How rounds are paired"),
        "mode-free": tx("page", "Free play"),
        "mode-tables": tx("page", "Tables of two to four"),
        "mode-swiss": tx("page", "Tables, by points"),
        "mode-round-robin": tx("page", "Everybody against everybody"),
        "per-table": tx("page", "People at a table"),
        "planned": tx("page", "Rounds planned (0: open)"),
        "pair-next": tx("page", "Pair round {n}", n="{n}"),
        "still-playing": tx(
            "page", "Round {n}: results are missing: {missing}", n="{n}", missing="{missing}"
        ),
        "close": tx("page", "Close the evening"),
        "close-means": tx("page", "Its results are final then."),
        "title": tx("page", "Title"),
        "lost-evening": tx("page", "Make an evening anew that is lost here"),
        "pair-look": tx("page", "Pair it, and look before the tables get it"),
        "give": tx("page", "Give it to the tables"),
        "swap": tx("page", "Touch two people: they change places."),
        "away-tables": tx("page", "Away, and given no group: {tables}", tables="{tables}"),
        "fixed-teams": tx("page", "Fixed teams of two (Sequence)"),
        "all-evenings": tx("page", "For all evenings"),
        "club-name": tx("page", "Name of the club"),
        "season-since": tx("page", "The season began on"),
        "season-best": tx("page", "Evenings that count, the best of each person (0: all)"),
        "save": tx("page", "Save"),
        "say": tx("page", "Say at all tables"),
        "say-do": tx("page", "Say it"),
        "clock": tx("page", "Clock"),
        "minutes": tx("page", "Minutes"),
        "start-clock": tx("page", "Start the clock"),
        "stop-clock": tx("page", "No clock"),
        "missing": tx("page", "No result yet: {missing}", missing="{missing}"),
    }


def _people(tx: Texts) -> dict[str, str]:
    return {
        "people": tx("page", "People"),
        "add-people": tx("page", "Who is here, one name a line"),
        "add": tx("page", "Add"),
        "here": tx("page", "is here"),
        "away": tx("page", "has left"),
        "arrive": tx("page", "Is here"),
        "leave": tx("page", "Has left"),
        "same": tx("page", "The same as last time"),
        "arrived": tx("page", "{name} plays from round {n} on.", name="{name}", n="{n}"),
        "form-team": tx("page", "These two are a team"),
        "team-rest": tx("page", "Draw teams for the rest"),
        "no-partner": tx("page", "{name} has no partner yet.", name="{name}"),
        "rename": tx("page", "Rename"),
        "new-name": tx("page", "New name of {name}", name="{name}"),
        "forget": tx("page", "Forget the name"),
        "forget-means": tx("page", "The number stays, the name is gone for good."),
        "list-file": tx("page", "A list as CSV: p, name, present"),
        "file-ratings.csv": tx("page", "Strength as CSV"),
        "ratings-off": tx("page", "No strengths in this club"),
        "ratings-on": tx("page", "Compute strengths"),
        "find": tx("page", "Look for a name or number"),
        "count-here": tx("page", "{n} here, {away} not", n="{n}", away="{away}"),
    }


def _results(tx: Texts) -> dict[str, str]:
    return {
        "keyed-confirmed": tx(
            "page", "keyed by {name}, confirmed by {other}", name="{name}", other="{other}"
        ),
        "correct": tx("page", "Correct"),
        "save-result": tx("page", "Save the result"),
        "look": tx("page", "Show what this changes"),
        "only-move": tx("page", "Others move up or down: {n}", n="{n}"),
        "proposals": tx("page", "To decide"),
        "no-proposals": tx("page", "There is nothing to decide."),
        "accept": tx("page", "Let it count"),
        "refuse": tx("page", "Leave it out"),
        "withdrawn": tx("page", "the game was taken out"),
        **{f"why-{why}": tx(*text) for why, text in WHYS.items()},
    }


def _tables(tx: Texts) -> dict[str, str]:
    return {
        "tables": tx("page", "Tables"),
        "no-tables": tx("page", "No table has joined yet."),
        "online": tx("page", "connected"),
        "offline": tx("page", "not connected: key its result by hand"),
        "plays": tx("page", "plays {game}", game="{game}"),
        **{f"progress-{each}": tx(*text) for each, text in PROGRESS_WORDS.items()},
        "waits": tx("page", "still to come: {n}", n="{n}"),
        "twice": tx("page", "the same card is in two machines"),
        "replace": tx("page", "Let the other one in"),
        "replace-means": tx("page", "The machine that reports now is refused then."),
        "add-table": tx("page", "Add a table without a code"),
        "confirm": tx("page", "Let it in"),
        "wants-in": tx("page", "wants to join: compare what it shows."),
        "let-join": tx("page", "Let tables join"),
        "end-joining": tx("page", "Let no more join"),
        "join-code": tx("page", "Code at the table"),
        "join-at": tx("page", "Address of the hub"),
        "mark": tx("page", "Mark"),
        "remove": tx("page", "Take it out of the club"),
        "taken-back": tx("page", "taken back"),
        "journal": tx("page", "Log"),
        "take-back": tx("page", "Take back"),
        "undo": tx("page", "Take back: {what}", what="{what}"),
    }


def _acts(tx: Texts) -> dict[str, str]:
    """Return each kind of act as a line of the journal."""
    return {
        "act-evening": tx("page", "evening opened"),
        "act-people": tx("page", "people added or renamed: {n}", n="{n}"),
        "act-here": tx("page", "{name} is here", name="{name}"),
        "act-same": tx("page", "the same people as last time: {n}", n="{n}"),
        "act-team": tx("page", "teams formed"),
        "act-report": tx(
            "page", "{name} has keyed the result of round {round}", name="{name}", round="{round}"
        ),
        "act-reject": tx("page", "result of round {round} refused", round="{round}"),
        "act-arrive": tx("page", "{name} is here", name="{name}"),
        "act-leave": tx("page", "{name} has left", name="{name}"),
        "act-pair": tx("page", "round {round} paired", round="{round}"),
        "act-give": tx("page", "round {round} given out", round="{round}"),
        "act-swap": tx("page", "two people changed places in round {round}", round="{round}"),
        "act-result": tx("page", "result of round {round} keyed", round="{round}"),
        "act-accept": tx("page", "a result accepted"),
        "act-refuse": tx("page", "a result left out"),
        "act-close": tx("page", "evening closed"),
        "act-say": tx("page", "said at the tables: {text}", text="{text}"),
        "act-clock": tx("page", "clock of round {round}", round="{round}"),
        "act-add-table": tx("page", "{table} added", table="{table}"),
        "act-join": tx("page", "{table} joined", table="{table}"),
        "act-remove-table": tx("page", "{table} taken out", table="{table}"),
        "act-forget": tx("page", "a name forgotten"),
        "act-confirm": tx("page", "{table} let in", table="{table}"),
        "act-replace": tx("page", "{table} has another machine", table="{table}"),
        "act-twice": tx("page", "{table} is in two machines", table="{table}"),
        "act-move": tx("page", "a game given to {table}", table="{table}"),
        "act-code": tx("page", "tables may join"),
        "act-end-code": tx("page", "no more tables may join"),
        "act-password": tx("page", "new password"),
        "act-settings": tx("page", "settings of the club changed"),
        "act-restore": tx("page", "a backup restored"),
        "act-undo": tx("page", "something taken back"),
    }
