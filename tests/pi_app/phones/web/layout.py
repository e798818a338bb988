"""Every page at every size: what a person would see is wrong with how it is laid out."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from pi_app.phones.frames import frame_data, picture_data
from pi_app.phones.history import game_data, page_data, statistics_data
from pi_app.screens.starting.moments_on_phones import player_facts, players_facts
from pi_app.store import Store
from pi_app.table.players import KnownPlayer, save_players
from pi_app.view.data import as_data
from pi_app.view.frame import Frame
from tests.pi_app.phones.web.browsers import Device
from tests.pi_app.phones.web.canned import ANSWERS, PLACE
from tests.pi_app.phones.web.stage import SCENES, Stage
from tests.pi_app.pilot import Pilot, frame_of, store_games

Size = tuple[int, int]

SCREENS: tuple[Size, ...] = (
    (320, 568),
    (360, 800),
    (390, 844),
    (568, 320),
    (667, 375),
    (844, 390),
    (768, 1024),
    (1024, 768),
    (1280, 800),
    (1920, 1080),
)
ZOOMED = tuple((width // 2, height // 2) for width, height in SCREENS if width >= 640)
"""At 200 % a page has half as many CSS pixels each way; nothing else changes for it."""
SIZES = (*SCREENS, *ZOOMED)

CHECK = Path(__file__).with_suffix(".js").read_text("utf-8")
DRAWN = "(n) => Number(document.documentElement.dataset.n) >= n"
RESIZED = "([width, height]) => matchMedia(`(width: ${width}px) and (height: ${height}px)`).matches"
FOLLOWED = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
"""A page follows its new size in the next frame that it draws."""

SHORT = ("Al", "Bo", "Cy", "Di", "Ed", "Fi")
LONG = (
    "Maximiliansson",
    "Annemarie-Lena",
    "Christina-Mara",
    "Bernd-Wolfgang",
    "Emil-Friedrich",
    "Fritz-Leonhard",
)
COLOURS = {
    "just4fun": ("yellow", "red", "white", "pink"),
    "numeri": ("yellow", "red", "green", "blue"),
    "sequence": ("blue", "green", "red", "blue", "green", "red"),
    "einmaleins": ("yellow", "red", "green", "blue", "white", "pink"),
}


@dataclass(frozen=True, slots=True)
class State:
    """What a page shows: a frame of the table in a language, and what is answered beside it."""

    name: str
    frame: Frame
    game: str | None
    language: str
    answers: dict[str, dict[str, Any]]


def players(game: str, names: tuple[str, ...]) -> str:
    return ", ".join(f"{name} {colour}" for name, colour in zip(names, COLOURS[game], strict=False))


def play(
    name: str, game: str, names: tuple[str, ...], keys: str, language: str, **tags: str
) -> State:
    """Return a state of a game after keys."""
    pilot = Pilot({"Game": game, "Players": players(game, names), **tags}, language)
    return State(name, pilot.key(keys), game, language, {})


def scene(name: str, language: str) -> State:
    one = SCENES[name]
    frame = frame_of(one, language)
    return State(f"{name} {language}", frame, one.tags.get("Game"), language, {})


TWO_LEFT = "yellow left=1 23x3 7x2; red left=0 23x2 7x2 33"


def games() -> Iterator[State]:
    """Yield the games' states: two and six players, names short and long, a winner.

    Some are in English, some in German.
    """
    short, long = SHORT[:2], LONG[:2]
    blocked = {"Position": "red 29x2"}
    yield play("just4fun, two", "just4fun", short, "5*11*13", "en", **blocked)
    yield play("just4fun, two long", "just4fun", long, "5# 7# 5*11*13", "de", **blocked)
    yield play("just4fun, four long", "just4fun", LONG[:4], "9# 5*11*13", "de", **blocked)
    yield play("just4fun, idle", "just4fun", LONG[:4], "9# 8# 7#", "en")
    yield play("just4fun, won", "just4fun", long, "12#", "de", Position=TWO_LEFT)
    yield play("just4fun, won short", "just4fun", short, "12#", "en", Position=TWO_LEFT)
    yield play("numeri, two", "numeri", short, "", "en")
    yield play("numeri, four long", "numeri", LONG[:4], "d4 1", "de")
    end = {"BoardData": "0 5 0 10 0 50 20 30", "Position": "yellow 4@4 1@6; red 6@7 2@2 3@5"}
    yield play("numeri, won", "numeri", long, "d4", "de", **end)
    yield scene("numeri-choose", "de")
    yield play("sequence, two", "sequence", short, "12*2", "en")
    yield play("sequence, six long", "sequence", LONG, "10*4", "de")
    row = "blue r2c2 r2c3 r2c4 r2c5 r10c2-r10c6; green r5c5 r6c6"
    yield play("sequence, won", "sequence", long, "1*2#", "de", Position=row)
    yield scene("sequence-twelve-players", "de")
    yield play("einmaleins, two", "einmaleins", short, "#", "en", Open="24")
    yield play("einmaleins, six long", "einmaleins", LONG, "#", "de", Open="24")
    last = "yellow 2; red 3; open 28=4x7"
    yield play("einmaleins, won", "einmaleins", long, "35#", "de", Position=last)
    yield scene("just4fun-hand", "de")


PLACES = (
    "home-first",
    "home-how-many",
    "home-name",
    "home-how-sequence",
    "home-settle-lying",
    "history-games",
    "history-points",
    "course-open",
    "system-phone-code",
)


def table_states() -> Iterator[State]:
    """Yield what table and keys show: games, and the companion's own screens."""
    yield from games()
    for name in PLACES:
        yield scene(name, "de")


HELD = ["5", "11", "13", "8"]
"""A hand of Just 4 Fun."""
_KEPT = {"game": "just4fun", "id": PLACE["game"], "seat": 0, "hands": {"0": {"cards": HELD}}}
HOLDING = f"sessionStorage.setItem('beisitzer.hand', JSON.stringify({json.dumps(_KEPT)}))"
"""What a tab begins with in which the first player has tapped that hand."""


def _seats(frame: Frame, mine: int | None) -> list[dict[str, Any]]:
    return [
        {
            "seat": at,
            "name": seat.name,
            "colour": seat.colour,
            "letter": seat.letter,
            "score": seat.score,
            "to_move": seat.to_move,
            "claimed": "Chrome, Android" if at in (mine, 1) else None,
            "mine": at == mine,
            "holds": 4,
            "place": _place(frame, seat.name) if at == mine else None,
        }
        for at, seat in enumerate(frame.extras.seats)
    ]


def _place(frame: Frame, name: str) -> dict[str, Any]:
    """Return what a player sees on a page of one's own."""
    told = [f"{name}: 5 + 11 + 13 = 29.", f"{name}: 3 ×"]
    won = [f"{seat.name}!" for seat in frame.extras.seats if seat.winner]
    shown = {"told": told, "doubts": told[:1], "undo": "5+11+13 = 29", "result": won}
    return {**PLACE, **shown, "picture": picture_data(frame.board.picture)}


def hand_states() -> Iterator[State]:
    """Yield what a player's own page shows: nobody's yet, and the hands of the four games."""
    for state in games():
        if state.frame.board.picture is None:
            continue  # the table is asked something else
        for mine in (None, 0) if state.name == "just4fun, four long" else (0,):
            seats = {**ANSWERS["seats"], "game": state.game, "seats": _seats(state.frame, mine)}
            name = f"{state.name}, {'mine' if mine == 0 else 'free'}"
            yield replace(state, name=name, answers={**ANSWERS, "seats": seats})


RECORDS = (
    f'[Game "just4fun"]\n[Players "{players("just4fun", LONG[:2])}"]\n'
    f'[Position "yellow left=2 23x3 7x2; red left=1 23x2 7x2 33"]\n12 5 13\n',
    f'[Game "just4fun"]\n[Players "{players("just4fun", SHORT[:2])}"]\n'
    '[Position "yellow 1 14 30; red 2 3 4"]\n12+12\n',
    f'[Game "just4fun"]\n[Players "{players("just4fun", LONG[:4])}"]\n9 8 7 6 5 4 3\n',
    f'[Game "numeri"]\n[Players "{players("numeri", LONG[:4])}"]\n4 6 1 2\n',
    f'[Game "einmaleins"]\n[Players "{players("einmaleins", LONG)}"]\n'
    '[Position "yellow 2; red 3; white 4; pink 1; green 2; blue 5; open 28=4x7"]\n35=5x7\n',
)


def look_back(folder: Path, language: str) -> list[tuple[str, dict[str, dict[str, Any]]]]:
    """Return the addresses of the history page, and what the companion says there."""
    path = folder / f"games-{language}.db"
    store = Store(path)
    store_games(store, *RECORDS)
    pilot = Pilot(language=language, store=store)
    tx = pilot.ctx.texts

    listed = page_data(tx, store)
    found = [("", {"history": {"ok": True, **listed}})]
    for game in listed["games"]:
        told = game_data(tx, store, game["id"])
        found.append((f"#game={game['id']}", {"game": {"ok": True, **(told or {})}}))
    told = statistics_data(tx, store)
    found.append(("#statistics", {"statistics": {"ok": True, **told}}))
    store.close()
    return [*found, *look_at_moments(language)]


def look_at_moments(language: str) -> list[tuple[str, dict[str, dict[str, Any]]]]:
    """Return the addresses of the moments, and what the companion says there."""
    scene = next(scene for scene in SCENES.values() if scene.name == "moments-waiting")
    pilot = Pilot.scene(scene, language)
    save_players(pilot.ctx.store, [KnownPlayer(name) for name in ("Anna", "Ben")])
    pilot.key(scene.keys)
    told = {name: as_data(player_facts(pilot.ctx, name)) for name in ("Anna", "Ben", SHORT[0])}
    everybody = as_data(players_facts(pilot.ctx))
    return [
        ("#moments", {"moments": {"ok": True, **everybody}}),
        *((f"#moments={name}", {"moments": {"ok": True, **each}}) for name, each in told.items()),
    ]


def show(stage: Stage, state: State) -> int:
    """Let everybody see a state; return its frame's number."""
    companion = stage.companion
    companion.answers |= state.answers
    if companion.language != state.language:
        companion.language = state.language
        stage.site.call(lambda: companion.say(companion.hello()))
    data = frame_data(state.frame, state.game)
    return stage.site.call(lambda: companion.show(**data))


def drawn(device: Device, n: int) -> None:
    """Wait until the page shows the frame with this number."""
    device.page.wait_for_function(DRAWN, arg=n)


def resize(page: Page, size: Size) -> None:
    """Give a page another size and wait until it is drawn so: a busy browser takes its time."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.wait_for_function(RESIZED, arg=list(size))
    page.evaluate(FOLLOWED)


def faults(device: Device, sizes: tuple[Size, ...] = SIZES) -> dict[str, list[Size]]:
    """Return what is wrong with the page, and at which sizes."""
    found: dict[str, list[Size]] = {}
    for size in sizes:
        resize(device.page, size)
        for fault in device.page.evaluate(CHECK, size in ZOOMED):
            found.setdefault(fault, []).append(size)
    return found
