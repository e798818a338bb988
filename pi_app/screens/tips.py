"""How much help a player gets, and tips: the best three moves with their chances and a reason."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from engines.game import AnyPosition, Step, attempt
from engines.games import has_ai
from hardware.keys import Key
from pi_app.screens.base import BAD, TICK, Action, Item, ListScreen, Pop, Push, Replace, Stay
from pi_app.screens.context import Context
from pi_app.screens.secret import SecretScreen
from pi_app.settings.schema import HelpLevel
from pi_app.table.players import find_player, save_players
from pi_app.table.presentation import PRESENTATIONS, AnyPresentation
from pi_app.table.table import Table
from pi_app.texts.language import Texts
from pi_app.view.frame import Board, Body, Choices, Frame, Header, Mark, Picture, soft
from pi_app.view.keying import Marked, choose

BEST = 3
"""How many moves are shown."""
WHY = 2
"""How many reasons are given for the marked move."""


@dataclass(frozen=True, slots=True)
class Tip:
    """A move that the AI recommends."""

    step: Step
    chance: float
    """Its chance to win, 0 to 1."""
    tries: int
    """How often it was tried; 0: the chance is that of the game's rating."""
    reasons: tuple[tuple[str, Any], ...]
    """Why it is good: (code, facts) pairs for `MoveWords.reason`."""

    def percent(self) -> str:
        return f"{round(100 * self.chance)} %"

    def why(self, tx: Texts, presentation: AnyPresentation) -> tuple[str, ...]:
        """Return the reasons as sentences, without those that the game has no words for."""
        sentences = (
            presentation.moves.reason(tx, self.step, code, facts) for code, facts in self.reasons
        )
        return tuple(sentence for sentence in sentences if sentence)


def find_tips(
    game: str, position: AnyPosition, given: Any, looks: int = 0, seed: int = 1
) -> tuple[Tip, ...]:
    """Return the best moves for the player to move with this hand or roll, the best first.

    At once by the game's rating, or after so many `looks` (`ai.GameAI.search`). Of several moves
    that lead to the same position only the first is returned. Fault for an impossible hand or
    roll.
    """
    from ai import AI  # imported when somebody asks for a tip

    ai = AI[game]
    tips: list[Tip] = []
    for option in ai.search(position, given, looks, Random(seed)):  # noqa: S311  # no secret
        step = attempt(position, option.move.token)
        # an illegal move gives no step (`search` returns none); two tokens may be one move, such as
        # 4x9 and 9x4
        if not isinstance(step, Step) or any(step.after == tip.step.after for tip in tips):
            continue
        reasons = tuple(ai.reasons(position, option.move, given))
        tips.append(Tip(step, option.chance, option.tries, reasons))
        if len(tips) == BEST:
            break
    return tuple(tips)


def missing_cards(position: AnyPosition, given: Any) -> int:
    """Return the size of the hand of the player to move, if `given` has fewer cards; else 0.

    0 too if the size of a hand is unknown. Only the whole hand gives a true chance.
    """
    hands = getattr(position, "hands", ())
    size = hands[position.seat] if hands else 0
    return size if size and len(given) < size else 0


def no_tip_line(tx: Texts, cards: int) -> str:
    """Say why there is no tip; `cards`: the size of a hand of which some cards are missing."""
    if cards:
        return tx.many(
            "line",
            "Key the {n} card of the hand for a tip.",
            "Key all {n} cards of the hand for a tip.",
            cards,
        )
    return tx("line", "There is no tip now.")


def gives_tips(ctx: Context, table: Table) -> bool:
    """Tell whether the player to move gets tips: help level TIPS, an AI, a stored game."""
    player = table.position.to_move
    return (
        player is not None
        and table.stored
        and ctx.help_level(player.name) is HelpLevel.TIPS
        and has_ai(table.game.name)
    )


def tip_key(tx: Texts) -> tuple[Key, str]:
    """Return the key that asks for a tip, and its label."""
    return Key.STAR, tx("soft", "tip")


def show_tip(
    hand: SecretScreen,
    table: Table,
    given: Any,
    play: Callable[[str], Action],
    picture: Picture | None = None,
) -> Action:
    """Replace a hand screen by a tip, which leads back to it."""

    def back() -> Action:
        hand.wake()
        return Replace(hand)

    return Replace(TipScreen(hand.ctx, table, given, play, back, picture))


class TipScreen(SecretScreen):
    """Shows the best moves; ENTER plays the marked one.

    It replaces the screen that asked for the tip; `back` returns to that. `play` plays a token
    on the screen below.
    """

    def __init__(
        self,
        ctx: Context,
        table: Table,
        given: Any,
        play: Callable[[str], Action],
        back: Callable[[], Action] = lambda: Pop(TICK),
        picture: Picture | None = None,
    ) -> None:
        super().__init__(ctx)
        self.table = table
        self.presentation = PRESENTATIONS[table.game.name]
        self.position = table.position
        self.picture = picture or self.presentation.picture(self.tx, self.position)
        self.play = play
        self.back = back
        self.marked = Marked()
        self.lacking = missing_cards(self.position, given)
        """The size of the hand if cards of it were not keyed, else 0."""
        self.tips = () if self.lacking else find_tips(table.game.name, self.position, given)
        if self.tips:
            table.note_tip_shown()

    # --- frames

    def secret_frame(self) -> Frame:
        tx, tips = self.tx, self.tips
        player = self.position.players[self.position.seat]
        back = (Key.BACK, tx("soft", "back"))
        frame = Frame(
            Header(tx("title", "Tip {name}", name=player.name), colour=player.colour),
            Body(lines=(no_tip_line(tx, self.lacking),)),
            board=Board(picture=self.picture),
            keys=soft(back),
        )
        if not tips:
            return frame
        chosen = tips[self.marked.selected]
        return replace(
            frame,
            body=Body(lines=chosen.why(tx, self.presentation)[:WHY], choices=self._choices(tips)),
            board=Board(self.picture.with_mark(Mark.SELECTED, chosen.step.places)),
            keys=soft((Key.ENTER, tx("soft", "play")), back),
        )

    def _choices(self, tips: tuple[Tip, ...]) -> Choices:
        """Return the moves, each after its chance."""
        items = (
            f"{tip.percent()} {self.presentation.moves.tip(self.tx, tip.step)}" for tip in tips
        )
        return Choices(tuple(items), self.marked.selected)

    # --- keys

    def key(self, key: Key) -> Action:
        tips = self.tips
        if key is Key.BACK and not self.marked.typed:  # otherwise it deletes a typed digit
            return self.back()
        chosen = choose(self._choices(tips), self.marked, key) if tips else None
        if isinstance(chosen, int) and tips:
            token = tips[chosen].step.token
            return Pop(TICK, lambda: self.play(token))
        if not isinstance(chosen, Marked):
            return Stay(BAD)
        self.marked = chosen
        return Stay(TICK)


class OpenTipScreen(TipScreen):
    """A tip in a game without secrets: every display shows it, and the voice reads it."""

    def frame(self) -> Frame:
        return self.secret_frame()


def level_word(tx: Texts, level: HelpLevel) -> str:
    """Return a word for a help level."""
    match level:
        case HelpLevel.NONE:
            return tx("word", "nothing")
        case HelpLevel.SUMS:
            return tx("word", "sums")
        case HelpLevel.LEGAL:
            return tx("word", "fields")
        case HelpLevel.TIPS:
            return tx("word", "tips")


class HelpScreen(ListScreen):
    """Chooses how much help a player gets; it is stored with the name."""

    def __init__(self, ctx: Context, name: str) -> None:
        self.name = name
        tx, tips = ctx.texts, ctx.settings.help.tips
        self.levels = [level for level in HelpLevel if tips or level is not HelpLevel.TIPS]
        super().__init__(
            ctx,
            tx("title", "Help"),
            tuple(level_word(tx, level) for level in self.levels),
            self.choose_level,
            selected=self.levels.index(ctx.help_level(name)),
            lines=(tx("line", "What is shown before # is pressed?"),),
        )

    @staticmethod
    def word(ctx: Context, name: str) -> str:
        """Return a word for what a player has chosen."""
        return level_word(ctx.texts, ctx.help_level(name))

    def choose_level(self, index: int) -> Action:
        """Store a row's level; a game's own one stays with a level that allows it."""
        player, level = find_player(self.ctx.store, self.name), self.levels[index]
        says = player.says and level is HelpLevel.NONE
        save_players(self.ctx.store, [replace(player, help=level, says=says)])
        return Pop(TICK)


def help_item(ctx: Context, name: str, screen: type[HelpScreen]) -> Item:
    """Return the menu line with a player's help level, which leads to its screen."""
    text = ctx.texts("item", "Help: {level}", level=screen.word(ctx, name))
    return text, lambda: Push(screen(ctx, name))
