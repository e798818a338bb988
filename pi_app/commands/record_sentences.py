"""What commands say of a game: that it is missing, and why a move or a record is wrong."""

from collections.abc import Mapping

from engines.game import Refusal, SetupError
from engines.games import GAMES, plugins
from engines.record import RecordError
from pi_app.commands.console import refuse
from pi_app.settings.schema import ENGLISH
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.texts.language import Texts
from pi_app.texts.printable import shorten
from pi_app.texts.refused import setup_words


def face_of(game: str, *parts: Mapping[str, object]) -> AnyPresentation:
    """Return a game's presentation; end with status 2 if it, or one of these parts, is missing."""
    if game not in GAMES:
        names = ", ".join(name for name in PRESENTATIONS if all(name in part for part in parts))
        refuse(f"no game is called {shorten(game, 40)}; there are {names}")
    if not all(game in part for part in (PRESENTATIONS, *parts)):
        fault = shorten(plugins()[game].fault(), 80)
        refuse(f"{game} cannot be loaded ({fault}): install it again")
    return PRESENTATIONS[game]


def refusal_sentence(tx: Texts, presentation: AnyPresentation, refusal: Refusal) -> str:
    """Say in a sentence why a move is illegal."""
    facts = refusal.facts
    # a "bad-move" with a reason is a correction of the position that cannot be
    if refusal.code == "bad-move" and isinstance(facts.get("reason"), str):
        code, reason = str(facts.get("fault", "")), str(facts["reason"])
        reason = presentation.position_fault(tx, code, facts, reason)
        return tx("cli", "This position is impossible: {reason}.", reason=reason)
    short = presentation.refusal(tx, refusal)  # made for a small display
    ended = short if short.endswith((".", "!", "?")) else f"{short}."
    sentence = ended[:1].upper() + ended[1:]
    if refusal.code in presentation.wished_rules:
        keys = [f'"{rule.key}"' for rule in presentation.game.house_rules]
        return f"{sentence} {presentation.house_rules(tx, keys)}"
    return sentence


def record_reason(error: RecordError) -> str:
    """Say why a text is no record."""
    cause = error.__cause__
    return setup_reason(cause) if isinstance(cause, SetupError) else error.reason


def setup_reason(error: SetupError) -> str:
    """Say which tag contradicts the game, and why."""
    return f"{error.tag}: {setup_words(ENGLISH, error) or error.reason}"
