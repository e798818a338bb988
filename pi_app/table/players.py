"""Known players with their colours and help levels, and the companion's own seats."""

import json
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from engines.game import Player, Step
from engines.seating import player_pairs
from pi_app.settings.schema import HelpLevel
from pi_app.store import BOT_SEATS, GameEntry, Reader, Renaming, Store
from pi_app.table.default_names import (
    companion_display_name,
    is_default_name,
    rename_after_colours,
)
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.setup_draft import STRENGTHS, SetupDraft, Strength, strengths_of
from pi_app.texts.language import Texts
from pi_app.texts.printable import printable_json

MOST = 50
"""How many names are stored; the one that played longest ago is forgotten first."""
_KEY = "players"
_SEATS = "seats"
TABLES, MOMENTS = "tables/", "moments/"
"""The prefixes of the keys for what a player has learnt."""


@dataclass(frozen=True, slots=True)
class KnownPlayer:
    """Somebody who played here."""

    name: str
    colour: str = ""
    """The player's own colour, the first one played or the last one chosen by hand; "" if none."""
    help: HelpLevel | None = None
    """The help level the player chose; None: the level in the settings."""
    says: bool = False
    """Whether the player must key a card's task, which is then judged.

    Requires the help level NONE.
    """


def list_players(store: Store) -> list[KnownPlayer]:
    """Return the players with names of their own, the latest first."""
    return [player for player in _load(store) if not is_default_name(player.name)]


def _load(store: Store) -> tuple[KnownPlayer, ...]:
    """Return all stored players except unreadable ones.

    They include seats named after their colours whose help level was chosen.
    """
    return _read_all(store.recall(_KEY) or "[]")


@lru_cache(maxsize=2)
def _read_all(text: str) -> tuple[KnownPlayer, ...]:
    """Return the players of the store's text; cached, as every turn needs one."""
    try:
        rows = printable_json(text)
    except ValueError:
        return ()
    if not isinstance(rows, list):
        return ()
    return tuple(_read(row) for row in rows if isinstance(row, dict) and row.get("name"))


def _read(row: dict[str, object]) -> KnownPlayer:
    level = next((level for level in HelpLevel if level == row.get("help")), None)
    says = level is HelpLevel.NONE and row.get("says") is True
    return KnownPlayer(str(row["name"]), str(row.get("colour") or ""), level, says)


def find_player(store: Store, name: str) -> KnownPlayer:
    """Return the player with this name; for an unknown name a new player."""
    matches = (player for player in _load(store) if player.name == name)
    return next(matches, KnownPlayer(name))


def save_players(store: Store, players: Iterable[KnownPlayer]) -> None:
    """Store these players as the latest, in this order, replacing those with the same names."""
    latest = {player.name: player for player in players}
    others = [player for player in _load(store) if player.name not in latest]
    _write(store, [*latest.values(), *others][:MOST])


def forget(store: Store, name: str) -> None:
    """Delete a player; the games stay."""
    _write(store, [player for player in _load(store) if player.name != name])


def _write(store: Store, players: list[KnownPlayer]) -> None:
    store.remember(_KEY, _text_of(players))


def _text_of(players: Iterable[KnownPlayer]) -> str:
    rows = [asdict(player) for player in players]
    # `says` is left out where it is false, as for most players
    return json.dumps([{key: row[key] for key in row if key != "says" or row[key]} for row in rows])


def rename_player(store: Store, old: str, new: str) -> None:
    """Rename somebody, in all games so far too; a known name makes both one person.

    Everything learnt moves to the new name, unless that one has learnt something.
    """
    players = _load(store)
    joined = any(player.name == new for player in players)
    texts = store.rename(old, new, joined=joined)
    kept = [player for player in players if player.name != old or not joined]
    _rename(store, old, new, kept, texts)


def take_back_renaming(store: Store, renaming: Renaming) -> None:
    """Give somebody the old name back; two names that were joined are two people again.

    Then everything learnt stays with the new name.
    """
    texts, players = store.take_back(renaming), _load(store)
    if renaming.joined:
        store.remember_all({**texts, _KEY: _text_of([*players, KnownPlayer(renaming.old)])})
    else:
        _rename(store, renaming.new, renaming.old, players, texts)


def _rename(
    store: Store, old: str, new: str, players: Iterable[KnownPlayer], texts: Mapping[str, str]
) -> None:
    """Store these texts, and the new name in everything remembered about a person."""
    moved: dict[str, str] = {}
    for prefix in (TABLES, MOMENTS):
        if not store.recall_under(f"{prefix}{new}/"):
            for key, text in store.recall_under(f"{prefix}{old}/").items():
                moved |= {f"{prefix}{old}/{key}": "", f"{prefix}{new}/{key}": text}
    seats, bot_seats = read_table(store)
    seats = [(new if name == old else name, colour) for name, colour in seats]
    known = [replace(player, name=new) if player.name == old else player for player in players]
    store.remember_all(
        {
            **texts,
            **moved,
            _KEY: _text_of(known),
            # two seats with one name: it is unknown which one is free
            **(table_texts(seats, bot_seats) if len(dict(seats)) == len(seats) else {_SEATS: ""}),
        }
    )


def save_seated(
    store: Store, tags: Mapping[str, str], bot_seats: Mapping[str, Strength] = MappingProxyType({})
) -> None:
    """Remember who plays a new game; people without a colour of their own get that of their seat.

    Colours that belong to the seats, such as a team's, are nobody's own.
    """
    seats = player_pairs(tags["Players"])
    store.remember_all(table_texts(seats, bot_seats))
    game = PRESENTATIONS.get(tags["Game"])
    is_free = game is not None and not game.fixed_colours
    save_colours(
        store,
        {
            name: find_player(store, name).colour or (colour if is_free else "")
            for name, colour in seats
            if name not in bot_seats
        },
    )


def save_colours(store: Store, colours: Mapping[str, str]) -> None:
    """Store people as the latest players with colours of their own, but no default names."""
    people = {name: colour for name, colour in colours.items() if not is_default_name(name)}
    if people:
        found = [replace(find_player(store, name), colour=people[name]) for name in people]
        save_players(store, found)


def table_texts(
    seats: Sequence[tuple[str, str]], bot_seats: Mapping[str, Strength]
) -> dict[str, str]:
    """Return the texts for `Store.remember_all` that offer these seats for the next game."""
    return {_SEATS: json.dumps([seats, dict(bot_seats)])}


def read_table(store: Reader) -> tuple[list[tuple[str, str]], dict[str, Strength]]:
    """Return the seats (name, colour) that played last, and how well the companion plays its own.

    Both are empty before the first game.
    """
    try:
        seats, bot_seats = printable_json(store.recall(_SEATS) or "[[], {}]")
        return [(str(name), str(colour)) for name, colour in seats], strengths_of(bot_seats)
    except (TypeError, ValueError):  # damaged
        return [], {}


def seat_people(
    tx: Texts,
    store: Store,
    presentation: AnyPresentation,
    seats: Sequence[tuple[str, str]],
    bot_seats: Collection[str] = (),
) -> list[tuple[str, str]]:
    """Return (name, colour) seats for a game: people wear their own colours where it has them.

    An earlier seat goes first; seats without people come last, and keep their colours if possible.
    """
    if presentation.fixed_colours:
        return presentation.seats(tx, len(seats), SetupDraft(list(seats)))
    people = {name for name, _ in seats if name not in bot_seats and not is_default_name(name)}
    own = [find_player(store, name).colour if name in people else "" for name, _ in seats]
    worn: dict[int, str] = {}
    colours = presentation.game.colours
    for wishes in (own, [colour for _, colour in seats]):
        for seat, colour in enumerate(wishes):
            if seat not in worn and colour in colours and colour not in worn.values():
                worn[seat] = colour
    free = iter([colour for colour in colours if colour not in worn.values()])
    seated = [(name, worn.get(seat) or next(free, "")) for seat, (name, _) in enumerate(seats)]
    return rename_after_colours(tx, seated, bot_seats)


@dataclass(frozen=True, slots=True)
class DealtCard:
    """A card keyed for a seat. If the moves before it change, it no longer applies."""

    moves: int
    """How many moves of the game had been played when the card came or left."""
    token: str
    """The token of the last of these moves; "" for none."""
    card: str
    came: bool = True
    """Whether the card came to the hand; False: it left the hand other than by a move."""

    def still_applies(self, steps: Sequence[Step]) -> bool:
        """Tell whether the moves before this card are still the same."""
        return self.moves <= len(steps) and token_at(steps, self.moves) == self.token


def token_at(steps: Sequence[Step], moves: int) -> str:
    """Return the token of move number `moves`; "" for 0."""
    return steps[moves - 1].token if moves else ""


@dataclass(frozen=True, slots=True)
class BotSeatEntry:
    """A seat that the companion plays or played: its strength, None while a person plays it.

    `dealt` are the cards keyed for it, in this order.
    """

    strength: Strength | None
    dealt: tuple[DealtCard, ...] = ()


class BotSeats:
    """The companion's seats in one game by their players' names, tied to the store.

    Changes are stored immediately. Hands are stored while the game lasts: a restart must not
    ask for them again.
    """

    def __init__(self, store: Store, game: int) -> None:
        self._store = store
        self._game = game
        # a game that is not stored has the number 0
        self._bot_seats = _read_bot_seats(store.note(game, BOT_SEATS) or "{}") if game else {}

    def __bool__(self) -> bool:
        """Whether the companion plays or played a seat of this game."""
        return bool(self._bot_seats)

    def strength(self, name: str) -> Strength | None:
        """Return how well the companion plays this seat; None if a person plays it."""
        bot_seat = self._bot_seats.get(name)
        return None if bot_seat is None else bot_seat.strength

    def strengths(self) -> dict[str, Strength]:
        """Return the seats that the companion plays now, with their strengths."""
        return {
            name: bot_seat.strength
            for name, bot_seat in self._bot_seats.items()
            if bot_seat.strength is not None
        }

    def dealt(self, name: str) -> tuple[DealtCard, ...]:
        """Return the cards keyed for a seat."""
        bot_seat = self._bot_seats.get(name)
        return () if bot_seat is None else bot_seat.dealt

    def give(self, strengths: Mapping[str, Strength | None]) -> None:
        """Give seats to the companion, or to people (None); keyed cards stay."""
        for name, strength in strengths.items():
            self._bot_seats[name] = BotSeatEntry(strength, self.dealt(name))
        if strengths:
            self.save()

    def set_dealt(self, name: str, dealt: Sequence[DealtCard]) -> None:
        """Replace the cards keyed for a seat."""
        self._bot_seats[name] = BotSeatEntry(self.strength(name), tuple(dealt))
        self.save()

    def forget_cards(self) -> None:
        """Forget all cards: the game is over."""
        if any(bot_seat.dealt for bot_seat in self._bot_seats.values()):
            self._bot_seats = {
                name: BotSeatEntry(bot_seat.strength) for name, bot_seat in self._bot_seats.items()
            }
            self.save()

    def save(self) -> None:
        """Store all seats."""
        if self._bot_seats:
            self._store.set_note(self._game, BOT_SEATS, _bot_seats_text(self._bot_seats))


def companions(store: Reader, game: int) -> frozenset[str]:
    """Return the names of the seats that the companion played in a game."""
    return _companions(store.note(game, BOT_SEATS) or "{}")


def people_of(store: Reader, game: int, players: Iterable[Player]) -> tuple[str, ...]:
    """Return the names of those players of a game whose seats the companion did not play."""
    others = companions(store, game)
    return tuple(player.name for player in players if player.name not in others)


def companions_in(entry: GameEntry) -> frozenset[str]:
    """Return the names of the seats that the companion played, as a line of the history says."""
    return _companions(entry.notes.get(BOT_SEATS, "{}"))


def _companions(text: str) -> frozenset[str]:
    bot_seats = _read_bot_seats(text).items()
    return frozenset(name for name, bot_seat in bot_seats if bot_seat.strength is not None)


def display_name_in(store: Reader, game: int) -> Callable[[str], str]:
    """Return a function that turns names into display names, which mark the companion."""
    companion_names = companions(store, game)
    return lambda name: companion_display_name(name) if name in companion_names else name


def stored_bot_seats(strengths: Mapping[str, Strength]) -> dict[str, str]:
    """Return the `extras` of `Store.begin` for a new game with these seats; {} for none."""
    bot_seats = {name: BotSeatEntry(strength) for name, strength in strengths.items()}
    return {BOT_SEATS: _bot_seats_text(bot_seats)} if bot_seats else {}


def _bot_seats_text(bot_seats: Mapping[str, BotSeatEntry]) -> str:
    """Return the store's text: by name a list of the strength and the dealt cards."""
    rows = {
        name: [
            bot_seat.strength,
            [[card.moves, card.token, card.card, card.came] for card in bot_seat.dealt],
        ]
        for name, bot_seat in bot_seats.items()
    }
    return json.dumps(rows)


def _read_bot_seats(text: str) -> dict[str, BotSeatEntry]:
    """Return the seats of the store's text; {} if it is unreadable."""
    try:
        rows = printable_json(text).items()
        # each row is [strength, dealt cards]; a wrong shape raises one of the errors below
        return {str(name): _read_bot_seat(*row) for name, row in rows}
    except (ValueError, TypeError, AttributeError):
        return {}


def _read_bot_seat(word: object, dealt: Iterable[Sequence[Any]]) -> BotSeatEntry:
    """Return a seat: `word` is its strength, or null for a person, `dealt` are rows of its cards.

    A row has the values of a `DealtCard` in the order of its fields.
    """
    strength = next((strength for strength in STRENGTHS if strength == word), None)
    cards = (
        DealtCard(int(moves), str(token), str(card), bool(came))
        for moves, token, card, came in dealt
    )
    return BotSeatEntry(strength, tuple(cards))
