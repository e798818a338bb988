"""A game's sentences: tables by the codes of its engine, its moves in words, how it is played."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engines.game import Event, Facts, Player, Refusal, Step
from engines.notation import Fault
from pi_app.texts.common import common_event, common_reason, common_refusal
from pi_app.texts.language import Text, Texts
from pi_app.texts.refused import say_fault
from pi_app.view.frame import Heed, Utterance

TextTable = Mapping[str, Text]


@dataclass(frozen=True, slots=True)
class GameWords:
    """A game's texts by the codes of its engine; placeholders are named as the facts.

    A text may be for one variant of a code: its key is then the code, a blank, and the fact
    `variant`.
    """

    refusals: TextTable = field(default_factory=dict)
    """Why a move is illegal."""
    events: TextTable = field(default_factory=dict)
    """Actions at the table; `name` is the player who moved."""
    faults: TextTable = field(default_factory=dict)
    """Why a set-up or a position is impossible."""
    results: TextTable = field(default_factory=dict)
    """A word or two for each reason of a result."""
    reasons: TextTable = field(default_factory=dict)
    """Why a move is good, by the codes of the game's AI."""
    in_words: Callable[[Texts, Facts], Facts] = lambda _tx, facts: facts
    """Returns facts in people's words; it may add facts, such as `variant`."""
    calls: frozenset[str] = frozenset()
    """Codes of events that are always spoken."""
    moves: frozenset[str] = frozenset()
    """Codes of events that the speech of a move includes."""
    wished_rules: frozenset[str] = frozenset()
    """Codes of refusals that name the house rules, as people may expect another rule."""

    def say(self, tx: Texts, table: TextTable, code: str, facts: Facts) -> str:
        """Return the text of a table for a code; "" if it has none."""
        said = self.in_words(tx, facts)
        variant = f"{code} {said['variant']}" if "variant" in said else code
        return tx.say(table, variant, **said) or tx.say(table, code, **said)

    def event(self, tx: Texts, event: Event) -> str:
        """Say what an event requires at the table; "" if it has no sentence."""
        return self.say(tx, self.events, event.code, event.facts) or common_event(tx, event.code)

    def refusal(self, tx: Texts, refusal: Refusal) -> str:
        """Say in one short sentence why a move is illegal."""
        words = self.say(tx, self.refusals, refusal.code, refusal.facts)
        return words or common_refusal(tx, refusal)

    def fault(self, tx: Texts, fault: Fault, players: Sequence[Player] = ()) -> str:
        """Say why a set-up, a position or a hand is impossible; colours are players' names."""
        return say_fault(tx, fault, {**self.refusals, **self.faults}, players)

    def result(self, tx: Texts, reason: str) -> str:
        """Return a word or two for `Result.reason`, by which a game was won."""
        return tx.say(self.results, reason) or common_reason(tx, reason)


class MoveWords:
    """The words for moves, the actions that they require, and reasons for them. Stateless."""

    def __init__(self, words: GameWords) -> None:
        self.words = words

    def line(self, tx: Texts, step: Step) -> str:
        """Describe a move in one line, without its player."""
        return tx("line", "correction") if step.token.startswith("<") else step.token

    def tip(self, tx: Texts, step: Step) -> str:
        """Describe a tip so that nobody can mistake it for another move."""
        return self.line(tx, step)

    def reason(self, tx: Texts, step: Step, code: str, facts: Facts) -> str:
        """Say a reason of the game's AI for a move in a sentence, or ""."""
        return self.words.say(tx, self.words.reasons, code, facts)

    def event_lines(self, tx: Texts, step: Step, event: Event) -> tuple[str, ...]:
        """Say in sentences what an event of a move requires at the table."""
        named = event._replace(facts={"name": step.player.name, **event.facts})
        line = self.words.event(tx, named)
        return (line,) if line else ()

    def draws(self, tx: Texts, step: Step) -> str:
        """Say which cards the player draws after a move, or ""."""
        return ""

    def said(self, tx: Texts, step: Step) -> Iterator[tuple[str, str]]:
        """Yield the sentences of `to_do`, each after the code of its event."""
        draws = self.draws(tx, step)
        for event in step.events:
            if draws and event.code == "reshuffle":
                yield "draw", draws  # people draw before this event empties the pile
                draws = ""
            for line in self.event_lines(tx, step, event):
                yield event.code, line
        if draws:
            yield "draw", draws

    def to_do(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Say in sentences what people must do at the table after a move."""
        return tuple(line for _, line in self.said(tx, step))

    def doubts(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Return the sentences after a move that ask whether it was keyed right."""
        asking = (event for event in step.events if event.code == "card-doubtful")
        return tuple(line for event in asking for line in self.event_lines(tx, step, event))

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        """Say what people must still do at the table after the last move of a game."""
        return ()

    def spoken(self, tx: Texts, step: Step) -> str:
        """Speak a move; "" if the sentences after it say it."""
        words = self.line(tx, step)
        return tx("speech", "{name}: {move}.", name=step.player.name, move=words)

    def speech(self, tx: Texts, step: Step) -> tuple[Utterance, ...]:
        """Speak a move and what to do after it, for people who do not look at a display.

        It may be called in any thread. Digits and signs become words later.
        """
        move, words = self.spoken(tx, step), self.words
        return (
            *((Utterance(move),) if move else ()),
            *(
                Utterance(line, Heed.CALL if code in words.calls else Heed.DETAIL)
                for code, line in self.said(tx, step)
                if code not in words.moves
            ),
        )


KEYS = (
    Text("line", "C deletes; held it clears what is keyed, else it takes back the last move."),
    Text("line", "D: menu."),
)
"""The keys on the turn screen of most games."""


@dataclass(frozen=True, slots=True)
class Guide:
    """How a game is played, for people who have not read its rules."""

    how: tuple[Text, ...] = ()
    """In our own words: its goal, a turn, its end."""
    edition: tuple[Text, ...] = ()
    """The refereed edition first, then editions that are different games."""
    keys: tuple[Text, ...] = KEYS
    """The keys on the turn screen."""
