"""Einmaleins: cards are products, laid on a common factor; who lays the last card wins."""

from engines.einmaleins.cards import FREE, PAIRS, OpenCard, Piles, read_unannounced
from engines.einmaleins.layout import read_layout
from engines.einmaleins.moves import DRAW, EinmaleinsMove
from engines.einmaleins.position import EinmaleinsPosition
from engines.einmaleins.settling import out_result
from engines.game import Game, GivenError, HouseRule, Setup, SetupError
from engines.notation import QUOTED, ImpossibleError, number
from engines.seating import check_table

__all__ = [
    "COLOURS",
    "DRAW",
    "GAME",
    "HOUSE_RULES",
    "EinmaleinsMove",
    "EinmaleinsPosition",
    "begin",
    "default_hand_size",
    "largest_hand_size",
]

COLOURS = ("yellow", "red", "green", "blue", "white", "pink")
COUNTS_OF_PLAYERS = frozenset(range(2, 7))
HOUSE_RULES = (HouseRule("free", "2", ("0", "1", "2")),)


def begin(setup: Setup) -> EinmaleinsPosition:
    """Return the first position; SetupError if the tags contradict the game."""
    check_table(setup, COLOURS, COUNTS_OF_PLAYERS, HOUSE_RULES)
    if setup.board is not None:
        raise SetupError("Board", "einmaleins has no board", "no-board", {"game": "einmaleins"})
    if setup.board_data is not None:
        raise SetupError("BoardData", "einmaleins has no board", "no-board", {"game": "einmaleins"})
    free = int(setup.rules.get("free", HOUSE_RULES[0].default))
    hands = (_read_hand_size(setup, free),) * len(setup.players)
    card = _read_open_card(setup)
    if setup.position is not None:
        try:
            layout = read_layout(setup.position, setup.players, free)
        except ImpossibleError as error:
            raise SetupError.because("Position", error) from error
        hands = layout.hands
        # a Position need not name the open card if the tag Open does
        card = layout.open or card
    if card is None:
        reason = 'is needed: the first open card, such as [Open "24"]'
        raise SetupError("Open", reason, "open-needed")
    return EinmaleinsPosition(
        players=setup.players,
        free=free,
        hands=hands,
        open=card,
        piles=Piles(len(PAIRS) + free - sum(hands) - 1),  # 1: the open card
        idle=0,
        seat=setup.start,
        result=out_result(setup.players, hands),  # a Position may show the end of a game
    )


def default_hand_size(count: int) -> int:
    """Return how many cards each of `count` players gets unless a tag says otherwise.

    The printed rules say 5 from four players on; 7 is our ruling.
    """
    return 7 if count < 4 else 5


def largest_hand_size(count: int, free: int) -> int:
    """Return the most cards that each of `count` players can get; one card must be left over."""
    return (len(PAIRS) + free - 1) // count


def _read_hand_size(setup: Setup, free: int) -> int:
    """Return how many cards each player gets; SetupError for a wrong tag `Hand`."""
    count = len(setup.players)
    most = largest_hand_size(count, free)
    word = setup.tags.get("Hand", str(default_hand_size(count)))
    dealt = number(word, most)
    if not dealt:  # None, or 0
        reason = f"must be a number from 1 to {most}, not {word[:QUOTED]!r}"
        raise SetupError("Hand", reason, "bad-hand", {"most": most, "word": word[:QUOTED]})
    return dealt


def _read_open_card(setup: Setup) -> OpenCard | None:
    """Return the first open card, which nobody announced; None without the tag `Open`."""
    word = setup.tags.get("Open")
    if word is None:
        return None
    card = read_unannounced(word)
    if card is None:
        reason = f"{word[:QUOTED]!r} is no product of the table of 1 to 10"
        raise SetupError("Open", reason, "no-product", {"word": word[:QUOTED]})
    return card


def given(position: EinmaleinsPosition, hand: str | None, _roll: str | None) -> tuple[str, ...]:
    """Read the hand; GivenError if it is missing or the deck does not have it."""
    if hand is None:
        raise GivenError("einmaleins needs the hand: --hand 12,24,*", "hand-needed", word="12,24,*")
    # split would find one card in an empty hand
    cards = tuple(card.strip() for card in hand.split(",")) if hand.strip() else ()
    for card in dict.fromkeys(cards):
        if card != FREE and number(card, max(PAIRS)) not in PAIRS:
            raise GivenError(f"no card is called {card[:QUOTED]!r}", "no-card", card=card[:QUOTED])
        if card == FREE and not position.free:
            raise GivenError("this deck has no free cards", "no-free-cards")
        copies = position.free if card == FREE else 1
        if cards.count(card) > copies:
            reason = f"the deck has {copies} of the card {card[:QUOTED]!r}"
            raise GivenError(reason, "deck-has", card=card[:QUOTED], copies=copies)
    return cards


GAME = Game(
    name="einmaleins",
    colours=COLOURS,
    player_counts=COUNTS_OF_PLAYERS,
    begin=begin,
    given=given,
    house_rules=HOUSE_RULES,
    own_tags=frozenset({"Hand", "Open"}),
)
