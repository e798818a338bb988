"""Sentences of commands about a game: it is missing, or a move or a record is wrong."""

from collections.abc import Mapping

from engines.game import Refusal
from engines.games import GAMES, plugins
from engines.notation import Fault
from pi_app.commands.console import refuse
from pi_app.settings.schema import ENGLISH
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation, house_rules_line
from pi_app.texts.language import Texts
from pi_app.texts.printable import shorten
from pi_app.texts.refused import FAULTS, say_fault_at


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
    if "fault" in refusal.facts:  # a correction to an impossible position
        reason = presentation.words.fault(tx, Fault(refusal.facts["fault"], **refusal.facts))
        return tx("cli", "This position is impossible: {reason}.", reason=reason)
    short = presentation.words.refusal(tx, refusal)  # these words are for a small display
    ended = short if short.endswith((".", "!", "?")) else f"{short}."
    sentence = ended[:1].upper() + ended[1:]
    if refusal.code in presentation.words.wished_rules:
        keys = [f'"{rule.key}"' for rule in presentation.rules(tx) if not rule.asked_first]
        return f"{sentence} {house_rules_line(tx, presentation, keys)}"
    return sentence


def fault_reason(fault: Fault, game: str | None) -> str:
    """Say in English which tag or other part is wrong; the game may be unknown."""
    presentation = PRESENTATIONS.get(game or "")
    own = {**presentation.words.refusals, **presentation.words.faults} if presentation else {}
    # a terminal has room for a tag's form, a small display has not
    return say_fault_at(ENGLISH, fault, {code: own[code] for code in own if code not in FAULTS})
