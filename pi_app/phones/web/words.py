"""The texts of the phone pages by name, in the table's language."""

from pi_app.texts.common import colour_word
from pi_app.texts.language import Texts
from pi_app.view.keying import LETTERS, SIGNS

_COLOURS = ("yellow", "red", "white", "pink", "green", "blue")


def words(tx: Texts, page: str | None = None) -> dict[str, str]:
    """Return the texts of a page by name, their language, and the letters of each digit.

    Without a page all texts are returned. The pages fill in `{who}`, `{keys}`, `{name}` and others.
    """
    letters = {f"digit-{digit}": row for digit, row in LETTERS.items()} | {"signs": SIGNS}
    shown = {"language": tx.language, **_around(tx), **_board(tx), **_keys(tx)}
    if page in ("pair", "network", None):
        shown["page-network"] = tx("page", "The table's Wi-Fi")
    if page in ("pair", None):
        shown["code-on-show"] = tx(
            "page", "Key the six digits on the screen. They change every minute."
        )
        shown["may-be-empty"] = tx("page", "may stay empty")
    if page == "network":
        return shown | _network(tx)
    if page == "hand":  # it has no keypad and shows no past game
        return shown | _hand(tx)
    shown |= _history(tx) | letters
    return shown if page is not None else shown | _hand(tx) | _network(tx)


def _around(tx: Texts) -> dict[str, str]:
    """Return the texts that all pages share."""
    return {
        "pages": tx("page", "Pages"),
        "page-table": tx("page", "Table"),
        "page-keys": tx("page", "Keys"),
        "page-hand": tx("page", "My hand"),
        "page-history": tx("page", "History"),
        "page-pair": tx("page", "Pair this phone"),
        "waiting": tx("page", "Looking for the table …"),
        "link-away": tx(
            "page", "Not live: Beisitzer is not running, or phones are switched off there."
        ),
        "link-off": tx("page", "Not live: phones are switched off at the table."),
        "link-lost": tx("page", "Not live: no connection."),
        "secret": tx("page", "Only who sits at the table sees what is on the screen now."),
        "whole-screen": tx("page", "Fill the screen"),
        "pair-this": tx("page", "Pair this phone"),
        "where-code": tx(
            "page", "Beisitzer shows six digits for a minute: System, Phone, Let one in."
        ),
        "paired-already": tx("page", "This phone is paired. Key the digits to pair it again."),
        "this-phone": tx("page", "This phone"),
        "whose-phone": tx("page", "Whose phone is it?"),
        "wait": tx("page", "Try again in {number} s.", number="{number}"),
        "save": tx("page", "Save"),
        "code": tx("page", "Six digits"),
        "pair": tx("page", "Pair"),
    }


def _board(tx: Texts) -> dict[str, str]:
    """Return what a screen reader says of board and table."""
    marks = {
        "mark-legal": tx("page", "can be played"),
        "mark-blocked": tx("page", "blocked"),
        "mark-selected": tx("page", "chosen"),
        "mark-last": tx("page", "last move"),
        "mark-row": tx("page", "completed row"),
        "mark-secured": tx("page", "secured"),
    }
    return marks | {
        "board": tx("page", "Board"),
        "invitation": tx("page", "How a phone comes in"),
        "free-corner": tx("page", "free corner"),
        "said": tx("page", "What to do"),
        "players": tx("page", "Players"),
        "to-move": tx("page", "to move"),
        "moves": tx("page", "Last moves"),
        "choices": tx("page", "To choose from"),
        "chart": tx("page", "Points"),
        "sign-good": tx("page", "yes"),
        "sign-bad": tx("page", "no"),
        "sign-doubt": tx("page", "perhaps"),
        "sign-win": tx("page", "won"),
        **{f"colour-{colour}": colour_word(tx, colour) for colour in _COLOURS},
    }


def _keys(tx: Texts) -> dict[str, str]:
    """Return the words of the keypad."""
    return {
        "look-only": tx("page", "This phone may look. To key it has to be paired."),
        "unpaired": tx("page", "This phone is not paired: nothing was keyed."),
        "not-sent": tx("page", "Not live: nothing was keyed."),
        "restarted": tx(
            "page",
            "Beisitzer was restarted. Not confirmed: {keys}. Look at the table first.",
            keys="{keys}",
        ),
        "too-late": tx(
            "page",
            "No answer for a minute. Not confirmed: {keys}. Look at the table first.",
            keys="{keys}",
        ),
        "hold": tx("page", "Hold this key: {what}", what="{what}"),
        "refused": tx("page", "That could not be keyed."),
        "type-here": tx("page", "Type here"),
        "die": tx("page", "Die {number}", number="{number}"),
        "tool-pad": tx("page", "Keypad"),
        "tool-sound": tx("page", "Sound"),
        "key-UP": tx("page", "up"),
        "key-DOWN": tx("page", "down"),
        "key-BACK": tx("page", "back"),
        "key-MENU": tx("page", "menu"),
        "key-STAR": tx("page", "next"),
        "key-ENTER": tx("page", "enter"),
    }


def _network(tx: Texts) -> dict[str, str]:
    """Return the words about the table's Wi-Fi."""
    return {
        "wifi-here": tx("page", "the table is here"),
        "wifi-known": tx("page", "known"),
        "wifi-open": tx("page", "open to all"),
        "wifi-forget": tx("page", "Forget"),
        "wifi-password": tx("page", "Its password"),
        "wifi-join": tx("page", "Take the table there"),
        "wifi-back": tx("page", "Back"),
        "wifi-look": tx("page", "Look around"),
        "wifi-look-ends": tx(
            "page",
            "To look around, {own} ends for some seconds: your phone may have to join again.",
            own="{own}",
        ),
        "wifi-leaves": tx(
            "page",
            "The table has one radio: it leaves {own}, and this page stops. Take your phone to "
            "{name} and open http://beisitzer.local there. If the table is not in {name} within a "
            "minute, {own} returns and says why.",
            name="{name}",
            own="{own}",
        ),
    }


def _hand(tx: Texts) -> dict[str, str]:
    """Return the words of a player's own hand."""
    return {
        "hand-needs-pairing": tx("page", "A hand needs a paired phone."),
        "who-are-you": tx("page", "Who are you?"),
        "claimed": tx("page", "taken"),
        "no-game": tx("page", "No game is being played."),
        "moments": tx("page", "Moments"),
        "no-hands": tx("page", "This game is played at the table: nobody holds cards or rolls."),
        "hand-of": tx("page", "Hand of {name}", name="{name}"),
        "tap-more": tx("page", "Still to tap: {n}", n="{n}"),
        "draw-1": tx("page", "Draw a card and tap it."),
        "draw-n": tx("page", "Draw {n} cards and tap them.", n="{n}"),
        "too-many": tx("page", "Too many cards: tap what you do not hold, then “Put away”."),
        "pick": tx("page", "Your turn: tap the cards that you play"),
        "pick-square": tx("page", "Your turn: tap a card, then its square on the board"),
        "roll": tx("page", "Your turn: roll and tap the number"),
        "their-turn": tx("page", "{name} is to move.", name="{name}"),
        "take-back": tx("page", "Take back: {what}", what="{what}"),
        "which": tx("page", "Which one?"),
        "play": tx("page", "Play"),
        "delete": tx("page", "Delete"),
        "times": tx("page", "times"),
        "more": tx("page", "More"),
        "one-more": tx("page", "One more player on this phone"),
        "give-to": tx("page", "Give the phone to {name}", name="{name}"),
        "i-am": tx("page", "I am {name}", name="{name}"),
        "take-over": tx("page", "Take this seat to my phone"),
        "seat-gone": tx("page", "Another phone has the seat of {name} now.", name="{name}"),
        "free-card": tx("page", "free card"),
        "add": tx("page", "Add a card"),
        "drop": tx("page", "Put away"),
        "your-turn": tx("page", "Your turn: tap to play"),
        "not-your-turn": tx("page", "What this hand can do"),
        "nothing-fits": tx("page", "Nothing can be played with these cards."),
        "leave-seat": tx("page", "Somebody else takes this seat"),
        "suit-S": tx("page", "spades"),
        "suit-H": tx("page", "hearts"),
        "suit-D": tx("page", "diamonds"),
        "suit-C": tx("page", "clubs"),
    }


def _history(tx: Texts) -> dict[str, str]:
    """Return the words of the games that were played."""
    return {
        "no-games": tx("page", "No game has been played yet."),
        "all-games": tx("page", "All games"),
        "newer": tx("page", "Newer"),
        "older": tx("page", "Older"),
        "download": tx("page", "Download the record"),
        "record": tx("page", "Record"),
        "moments": tx("page", "Moments"),
        "go-on": tx("page", "Go on"),
    }
