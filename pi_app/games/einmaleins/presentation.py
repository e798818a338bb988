"""The sentences of Einmaleins: events, refusals, results, help."""

from collections.abc import Iterator, Mapping, Sequence

from engines.einmaleins.cards import FREE, PAIRS
from engines.einmaleins.rules import GAME, EinmaleinsPosition
from engines.game import Facts, Result, Step
from pi_app.games.einmaleins.picture import announced_words, card_words, cards_picture, pair_words
from pi_app.table.places import Part, Slot, Slots
from pi_app.table.presentation import Presentation, RuleText
from pi_app.table.words import KEYS, GameWords, Guide, MoveWords
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Picture, Utterance


def in_words(_tx: Texts, facts: Facts) -> Facts:
    """Return facts with tasks and cards as people write them, and the player they are about."""
    words = dict(facts)
    if "factors" in facts:
        words["pair"] = pair_words(tuple(facts["factors"]))
    if "announced" in facts:
        announced = tuple(facts["announced"])
        # A card that nobody announced may have more factors than one task has.
        words["other"] = pair_words(announced) if len(announced) <= 2 else facts["open"]
    if "player" in facts:  # may be another player than the mover
        words["name"] = facts["player"]
    if facts.get("card") == FREE:
        words["variant"] = "free"
    cards = facts.get("cards", ())  # the cards, or how many there are
    return {**words, "n": cards, "cards": cards if isinstance(cards, int) else ", ".join(cards)}


WORDS = GameWords(
    refusals={
        "not-a-product": Text("verdict", "{card} is on no number card"),
        "wrong-factors": Text("verdict", "{pair} is not {card}"),
        "no-free-card": Text("verdict", "no free cards in this game"),
        "no-common-factor": Text("verdict", "{card} = {pair}: no common factor with {other}"),
    },
    reasons={
        "wins": Text("line", "Lays the last card and wins."),
        "last-card": Text("line", "Leaves only one card in hand."),
        "misses-turn": Text("line", "{name} draws and misses a turn."),
        "stops-last-card": Text("line", "{name} cannot lay the last card now."),
        "all-fit": Text("line", "Every card left in hand fits after it."),
        "keeps-going": Text("line", "After it fits from the hand: {cards}."),
        "hard-to-follow": Text("line", "Only {n} of the numbers can follow."),
        "keeps-free": Text("line", "Keeps the free card."),
    },
    faults={
        "one-item": Text("verdict", "{word} needs one entry, not {items}"),
        "no-cards": Text("verdict", "{item}: cards in hand are 0 to {most}"),
        "hand-missing": Text("verdict", "not named: the cards of {colours}"),
        "more-than-deck": Text("verdict", "the deck has {most} cards, the open one among them"),
        "two-out": Text("verdict", "only one player can have laid the last card"),
        "no-open-card": Text("verdict", "{item} cannot be the open card"),
        "open-needed": Text("line", "No open card yet."),
        "bad-hand": Text("line", "So many cards are not in the deck: choose fewer."),
        "open-missing": Text("verdict", "the open card is not named"),
    },
    events={
        "card-doubtful": Text("alert", "{card} lies already. Right card?"),
        "card-doubtful free": Text("alert", "All free cards lie already. Right card?"),
        # no text for an empty pile, because the cards under the open one are then shuffled
        "skipped": Text("alert", "{name} draws one card and misses the turn."),
        "last-card": Text("alert", "{name}: last card!"),
        "reshuffle": Text("alert", "Shuffle the cards under the open one: new draw pile."),
        "out": Text("alert", "{name} has no cards left."),
        "stalemate": Text("alert", "Nobody can draw or lay any more."),
    },
    results={"out": Text("word", "last card")},
    in_words=in_words,
    calls=frozenset({"skipped", "last-card", "out"}),
    moves=frozenset({"drew"}),
    wished_rules=frozenset({"no-free-card", "not-a-product"}),
)
GUIDE = Guide(
    how=(
        Text("line", "Goal: be the first to lay all your cards."),
        Text(
            "line",
            "Your turn: lay a number on the open card and say its task; both share a factor.",
        ),
        Text("line", "Nothing fits, or you want to keep it: draw a card."),
        Text("line", "A free card stands for any number; say which."),
        Text("line", "End: whoever has no card left wins."),
    ),
    edition=(Text("line", "Edition: a game of the card set Cento."),),
    keys=(
        Text("line", "Key your number, then #. Say its task aloud."),
        Text("line", "Two tasks fit: # asks which. A or B show the other task."),
        Text("line", "Free card: * first, then the number it stands for."),
        Text("line", "B: you lay nothing and draw a card."),
        Text("line", "A: which numbers fit, then # for your hand."),
        Text("line", "A square number: the next player draws and misses the turn."),
        *KEYS,
    ),
)


class EinmaleinsPlaces(Slots[EinmaleinsPosition]):
    """The cards in hand and the open card."""

    def slots(self, tx: Texts, position: EinmaleinsPosition) -> tuple[Slot, ...]:
        """Return the cards in hand, then the open card: number, factors (0: unannounced), free."""
        deck = len(PAIRS) + position.free
        hands = tuple(
            Part(player.name, hand, deck)
            for player, hand in zip(position.players, position.hands, strict=True)
        )
        open_card = position.open
        a, b = open_card.pair or (0, 0)  # 0: nobody announced a task
        no_yes = (tx("item", "no"), tx("item", "yes"))
        parts = (
            Part(tx("item", "Number"), open_card.number, max(PAIRS)),
            Part(tx("item", "1st factor"), a, 10),
            Part(tx("item", "2nd factor"), b, 10),
            Part(tx("item", "Free card"), int(open_card.free), 1, no_yes),
        )
        return (Slot(tx("item", "in hand"), hands), Slot(tx("item", "open"), parts))

    def placement(self, position: EinmaleinsPosition, values: Sequence[tuple[int, ...]]) -> str:
        hands, open_card = values  # in the order of `slots`
        number, a, b, free = open_card
        parts = [
            f"{player.colour} {hand}" for player, hand in zip(position.players, hands, strict=True)
        ]
        announced = f"={a}x{b}" if a or b else ""  # 0 and 0: nobody announced a task
        return "; ".join([*parts, f"open {FREE if free else ''}{number}{announced}"])


class EinmaleinsMoves(MoveWords):
    """Moves are cards with their tasks, or a draw."""

    def line(self, tx: Texts, step: Step) -> str:
        events = {event.code: event.facts for event in step.events}
        if "laid" in events:
            facts = events["laid"]
            card = card_words(facts["card"], free=facts["free"])
            return f"{card} = {pair_words(tuple(facts['factors']))}"
        if "corrected" in events:
            return tx("line", "correction")
        return tx("line", "draws a card") if "drew" in events else tx("line", "draws nothing")

    def said(self, tx: Texts, step: Step) -> Iterator[tuple[str, str]]:
        # a player who laid nothing wanted to draw: without an event for it, no card was left
        if not {"laid", "drew", "corrected"} & {event.code for event in step.events}:
            yield "drew", tx("alert", "Nothing is left to draw.")
        yield from super().said(tx, step)

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        return self.to_do(tx, step)


class EinmaleinsPresentation(Presentation[EinmaleinsPosition]):
    """Describes the card game of the times tables."""

    game = GAME
    words = WORDS
    moves = EinmaleinsMoves(WORDS)
    guide = GUIDE
    places = EinmaleinsPlaces()
    stand_in: Mapping[str, str] = {"Open": "1"}

    def name(self, tx: Texts) -> str:
        return "Einmaleins"

    def picture(self, tx: Texts, position: EinmaleinsPosition) -> Picture:
        return cards_picture(position)

    def turn_speech(self, tx: Texts, position: EinmaleinsPosition) -> tuple[Utterance, ...]:
        """Say the open card with its task, then the player to move."""
        if position.result is not None:
            return ()
        card = position.open.number
        if position.open.pair is None:  # nobody announced a task
            line = tx("speech", "{card} lies open.", card=card)
        else:
            pair = announced_words(position)
            line = tx("speech", "{card} lies open as {pair}.", card=card, pair=pair)
        return (Utterance(line), *super().turn_speech(tx, position))

    def result_lines(
        self, tx: Texts, position: EinmaleinsPosition, result: Result
    ) -> tuple[str, ...]:
        lines = self.details(tx, position)
        if result.reason == "stalemate":
            return (tx("line", "The fewest cards win."), *lines)
        return lines

    def details(self, tx: Texts, position: EinmaleinsPosition) -> tuple[str, ...]:
        return tuple(
            tx.many("line", "{name}: {n} card", "{name}: {n} cards", hand, name=player.name)
            for player, hand in zip(position.players, position.hands, strict=True)
        )

    def standings(self, tx: Texts, position: EinmaleinsPosition) -> Sequence[tuple[str, str]]:
        """Return everybody's number of cards in hand: the first with none wins."""
        return [(str(hand), tx.many("seat", "card", "cards", hand)) for hand in position.hands]

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        return (
            RuleText(
                "free",
                tx("item", "Free cards"),
                tx("line", "A free card is laid as any number."),
                values=tuple((str(n), str(n)) for n in range(3)),
                rows=(
                    tx("line", "The deck has no free card"),
                    *(
                        tx.many(
                            "line", "The deck has {n} free card", "The deck has {n} free cards", n
                        )
                        for n in (1, 2)
                    ),
                ),
            ),
        )

    def opening_notice(
        self, tx: Texts, start: EinmaleinsPosition, tags: Mapping[str, str]
    ) -> tuple[str, ...]:
        if "Position" in tags:  # the cards were dealt before
            return ()
        return (
            tx.many(
                "alert",
                "Deal {n} card each. {card} lies open.",
                "Deal {n} cards each. {card} lies open.",
                start.hands[0],
                card=start.open.number,
            ),
        )


PRESENTATION = EinmaleinsPresentation()
