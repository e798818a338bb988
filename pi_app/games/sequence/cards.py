"""Cards, teams and choices of five as people write them, and the seats: teams alternate."""

from typing import cast

from engines.game import AnyPosition
from engines.sequence.board import CORNER, INDEX
from engines.sequence.notation import Place
from engines.sequence.rules import COLOURS, SequencePosition
from pi_app.table.default_names import default_name, is_default_name
from pi_app.table.setup_draft import SetupDraft
from pi_app.table.table import Table
from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.frame import Choices

SUIT_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
"""The signs of the suits, in the order of their numbers 1 to 4."""
RANKS = {1: "A", 11: "J", 12: "Q", 13: "K"} | {n: str(n) for n in range(2, 11)}
"""The rank printed on a card, by the number that is keyed."""


Five = tuple[Place, tuple[str, ...]]
"""(move, squares): a move that chooses which five chips become the sequence, and where they lie."""


def card_text(code: str) -> str:
    """Return a card with its suit's sign, such as 10♥; a corner is *."""
    return "*" if code == CORNER else code[:-1] + SUIT_SIGNS.get(code[-1:], "?")


def card_text_on(position: SequencePosition, square: str) -> str:
    """Return the card printed on a square, with its suit's sign."""
    return card_text(position.codes[INDEX[square]])


def card_words_on(tx: Texts, position: SequencePosition, square: str) -> str:
    """Return the card printed on a square; "corner" for a corner, as * is a key here."""
    corner = position.codes[INDEX[square]] == CORNER
    return tx("word", "corner") if corner else card_text_on(position, square)


def place_text(square: str) -> str:
    """Return a square's row and place as a list names them: 6-2."""
    return square[1:].replace("c", "-")  # from the record's r6c2


def cards_on(tx: Texts, position: SequencePosition, squares: tuple[str, ...]) -> str:
    """Return the cards printed on these squares, in their order."""
    return " ".join(card_words_on(tx, position, square) for square in squares)


def team_word(tx: Texts, team: str) -> str:
    """Return a team's colour, capitalised as the first word of a sentence."""
    return colour_word(tx, team).capitalize()


TWO_OR_THREE = (6, 12)
"""Numbers of players that make two teams or three (printed: both possible; ruling: asked)."""


def team_count(players: int, wanted: int = 2) -> int:
    """Return the number of teams for this many players, `wanted` if two and three are possible."""
    if players in TWO_OR_THREE:
        return wanted
    return 2 if players % 2 == 0 else 3


def seats(tx: Texts, count: int, draft: SetupDraft | None, teams: int = 0) -> list[tuple[str, str]]:
    """Return (name, team) for `count` players, teams alternating; names that people chose stay.

    `teams` is 2 or 3, or 0 for as many as the draft has.
    """
    players = draft.players if draft else []
    if not teams:
        # only people who had the choice chose three teams: three players have no other number
        chose_three = len(players) in TWO_OR_THREE and len({colour for _, colour in players}) == 3
        teams = 3 if chose_three else 2
    colours = COLOURS[: team_count(count, teams)]
    names = ["" if is_default_name(name) else name for name, _ in players[:count]]
    names += [""] * (count - len(names))
    taken = set(names)
    for seat, name in enumerate(names):
        if not name:
            names[seat] = default_name(tx, colours[seat % len(colours)], taken)
            taken.add(names[seat])
    return [(name, colours[seat % len(colours)]) for seat, name in enumerate(names)]


def different_fives(position: SequencePosition, move: Place) -> tuple[Five, ...]:
    """Return a move for each choice of five with a different outcome, the best for the team first.

    () if there is no choice, or if the team wins with any. Among equals the plain move comes first,
    which leaves the choice to the program.
    """
    choices = position.choices(move)
    if len(choices) < 2:
        return ()
    default = _sequences_made(position, move)
    # the choices by the sequences they make; the plain move is shown by the first one it makes
    fives: dict[frozenset[tuple[str, ...]], Five] = {frozenset(default): (move, default[0])}
    for five in choices:
        chosen = position.with_choice(move, five)
        # choices with the same outcome are one: the first stays
        fives.setdefault(frozenset(_sequences_made(position, chosen)), (chosen, five))
    if len(fives) < 2 or min(map(len, fives)) >= _missing(position):
        return ()
    return tuple(fives[made] for made in sorted(fives, key=len, reverse=True))


def _missing(position: SequencePosition) -> int:
    """Return how many sequences the team of the player to move still needs."""
    return position.needed - len(position.completed_sequences()[position.team])


def _sequences_made(position: SequencePosition, move: Place) -> list[tuple[str, ...]]:
    """Return the sequences a move makes."""
    _, events = position.play(move)
    return [tuple(event.facts["squares"]) for event in events if event.code == "sequence"]


def fives_words(tx: Texts, position: SequencePosition, fives: tuple[Five, ...]) -> tuple[str, ...]:
    """Name each choice of five; where they differ, add how many sequences each makes."""
    made = [len(_sequences_made(position, move)) for move, _ in fives]
    words = []
    for (_, five), count in zip(fives, made, strict=True):
        name = five_words(tx, position, five)
        if count >= _missing(position):
            name = tx("item", "{five} wins", five=name)
        elif len(set(made)) > 1:
            name = tx.many(
                "item", "{ends}: {n} sequence", "{ends}: {n} sequences", count, ends=name
            )
        words.append(name)
    return tuple(words)


def five_words(tx: Texts, position: SequencePosition, five: tuple[str, ...]) -> str:
    """Name five squares by the cards at their ends."""
    return "-".join(card_words_on(tx, position, end) for end in (five[0], five[-1]))


class UnnamedFives:
    """Fives in a line that count nothing until somebody decides whether they are sequences.

    An entered position or a broken sequence may leave some. The answer is a correction, so the
    record has it: one that names the five, or one that changes nothing ("none of them").
    """

    def __init__(self, table: Table) -> None:
        self.table = table
        self.selected = 0
        self._position: AnyPosition | None = None
        self._fives: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def fives(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """(team, squares) of each five that needs an answer; winning ones come first."""
        position = self.table.position
        if position is not self._position:
            self._position, self.selected = position, 0
            self._fives = self._find_fives()
        return self._fives

    def _find_fives(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        position = cast(SequencePosition, self.table.position)
        fives = position.unnamed_fives()
        if not fives:
            return ()
        before = cast(SequencePosition, self.table.start)
        declined: set[tuple[str, tuple[str, ...]]] = set()
        for step in self.table.steps:
            after = cast(SequencePosition, step.after)
            if step.token == _confirmation(before) and after.seat == before.seat:
                declined.update(before.unnamed_fives())
            before = after
        left = (five for five in fives if five not in declined)
        return tuple(sorted(left, key=lambda five: not _wins(position, five[0])))

    def choices(self, tx: Texts) -> Choices:
        """Return the fives by team and ends, then "none of them"."""
        position = cast(SequencePosition, self.table.position)
        items = []
        for team, squares in self.fives:
            words = f"{colour_word(tx, team)} {five_words(tx, position, squares)}"
            wins = _wins(position, team)
            items.append(tx("item", "{five} wins", five=words) if wins else words)
        return Choices((*items, tx("item", "none of them")), self.selected)

    def squares(self) -> tuple[str, ...]:
        """Return the squares of the marked five; () for "none of them"."""
        return self.fives[self.selected][1] if self.selected < len(self.fives) else ()

    def token(self, row: int) -> str:
        """Return the correction for a row of the choices."""
        position = cast(SequencePosition, self.table.position)
        if row == len(self.fives):
            return _confirmation(position)
        return position.name_five(*self.fives[row])


def _confirmation(position: SequencePosition) -> str:
    """Return the correction that changes nothing."""
    return f"<{position.describe()}>"


def _wins(position: SequencePosition, team: str) -> bool:
    return len(position.completed_sequences()[team]) + 1 >= position.needed
