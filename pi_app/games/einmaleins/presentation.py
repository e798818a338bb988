"""The sentences of Einmaleins: events, refusals, results, help."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from engines.einmaleins.cards import FREE, PAIRS
from engines.einmaleins.rules import GAME, EinmaleinsPosition
from engines.game import Event, Facts, Refusal, Step
from pi_app.games.einmaleins.picture import (
    announced_words,
    card_words,
    cards_picture,
    pair_words,
)
from pi_app.table.presentation import Part, Presentation, RuleText, Slot, Slots
from pi_app.texts.language import Text, Texts
from pi_app.view.frame import Picture, Utterance

REFUSALS = {
    "not-a-product": Text("verdict", "{card} is on no number card"),
    "wrong-factors": Text("verdict", "{pair} is not {card}"),
    "no-free-card": Text("verdict", "no free cards in this game"),
    "no-common-factor": Text("verdict", "{card} = {pair}: no common factor with {other}"),
}
REASONS = {
    "wins": Text("line", "Lays the last card and wins."),
    "last-card": Text("line", "Leaves only one card in hand."),
    "misses-turn": Text("line", "{name} draws and misses a turn."),
    "stops-last-card": Text("line", "{name} cannot lay the last card now."),
    "all-fit": Text("line", "Every card left in hand fits after it."),
    "keeps-going": Text("line", "After it fits from the hand: {cards}."),
    "hard-to-follow": Text("line", "Only {n} of the numbers can follow."),
    "keeps-free": Text("line", "Keeps the free card."),
}
FAULTS = {
    "one-item": Text("verdict", "{word} needs one entry, not {items}"),
    "no-cards": Text("verdict", "{item}: cards in hand are 0 to {most}"),
    "hand-missing": Text("verdict", "not named: the cards of {colours}"),
    "more-than-deck": Text("verdict", "the deck has {most} cards, the open one among them"),
    "two-out": Text("verdict", "only one player can have laid the last card"),
    "no-open-card": Text("verdict", "{item} cannot be the open card"),
    "open-needed": Text("line", "No open card yet."),
    "bad-hand": Text("line", "So many cards are not in the deck: choose fewer."),
    "open-missing": Text("verdict", "the open card is not named"),
}
EVENTS = {
    "card-doubtful": Text("alert", "{card} lies already. Right card?"),
    # no text for an empty pile: the cards under the open one are then shuffled
    "skipped": Text("alert", "{name} draws one card and misses the turn."),
    "last-card": Text("alert", "{name}: last card!"),
    "reshuffle": Text("alert", "Shuffle the cards under the open one: new draw pile."),
    "out": Text("alert", "{name} has no cards left."),
    "stalemate": Text("alert", "Nobody can draw or lay any more."),
}


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


class EinmaleinsPresentation(Presentation[EinmaleinsPosition]):
    """Describes the card game of the times tables."""

    game = GAME
    places = EinmaleinsPlaces()
    refusals = REFUSALS
    events = EVENTS
    faults = FAULTS
    calls = frozenset({"skipped", "last-card", "out"})
    move_events = frozenset({"drew"})
    wished_rules = frozenset({"no-free-card", "not-a-product"})
    stand_in: Mapping[str, str] = {"Open": "1"}

    def name(self, tx: Texts) -> str:
        return "Einmaleins"

    def picture(self, tx: Texts, position: EinmaleinsPosition) -> Picture:
        return cards_picture(position)

    # --- sentences

    def refusal(self, tx: Texts, refusal: Refusal) -> str:
        facts = dict(refusal.facts)
        if "factors" in facts:
            facts["pair"] = pair_words(tuple(facts["factors"]))
        if "announced" in facts:
            announced = tuple(facts["announced"])
            # A card that nobody announced may have more factors than one task has.
            facts["other"] = pair_words(announced) if len(announced) <= 2 else facts["open"]
        return super().refusal(tx, replace(refusal, facts=facts))

    def reason_words(self, tx: Texts, step: Step, code: str, facts: Facts) -> str:
        cards = facts.get("cards", ())  # the cards, or how many there are
        words = cards if isinstance(cards, int) else ", ".join(cards)
        return tx.say(REASONS, code, name=facts.get("player"), cards=words, n=cards)

    def move_words(self, tx: Texts, step: Step) -> str:
        for event in step.events:
            if event.code == "laid":
                facts = event.facts
                card = card_words(facts["card"], free=facts["free"])
                return f"{card} = {pair_words(tuple(facts['factors']))}"
        if any(event.code == "corrected" for event in step.events):
            return tx("line", "correction")
        if any(event.code == "drew" for event in step.events):
            return tx("line", "draws a card")
        return tx("line", "draws nothing")

    def said(self, tx: Texts, step: Step) -> Iterator[tuple[str, str]]:
        # a player who laid nothing wanted to draw: without an event for it, no card was left
        if not {"laid", "drew", "corrected"} & {event.code for event in step.events}:
            yield "drew", tx("alert", "Nothing is left to draw.")
        yield from super().said(tx, step)

    def event_line(self, tx: Texts, step: Step, event: Event) -> str:
        if event.code == "card-doubtful" and event.facts["card"] == FREE:
            return tx("alert", "All free cards lie already. Right card?")
        # the player that the event names, who need not have moved
        facts = {**event.facts, "name": event.facts.get("player")}
        return super().event_line(tx, step, event._replace(facts=facts))

    def turn_speech(self, tx: Texts, position: EinmaleinsPosition) -> tuple[Utterance, ...]:
        """Say which card lies open, as which task, then whose turn it is."""
        if position.result is not None:
            return ()
        facts = {"card": position.open.number, "pair": announced_words(position)}
        line = tx("speech", "{card} lies open as {pair}.", **facts)
        if position.open.pair is None:
            line = tx("speech", "{card} lies open.", **facts)
        return (Utterance(line), *super().turn_speech(tx, position))

    def closing(self, tx: Texts, step: Step) -> tuple[str, ...]:
        return self.to_do(tx, step)

    def result_lines(self, tx: Texts, position: EinmaleinsPosition) -> tuple[str, ...]:
        lines = self.details(tx, position)
        if position.result is not None and position.result.reason == "stalemate":
            return (tx("line", "The fewest cards win."), *lines)
        return lines

    def details(self, tx: Texts, position: EinmaleinsPosition) -> tuple[str, ...]:
        return tuple(
            tx.many("line", "{name}: {n} card", "{name}: {n} cards", hand, name=player.name)
            for player, hand in zip(position.players, position.hands, strict=True)
        )

    def reason(self, tx: Texts, reason: str) -> str:
        return tx("word", "last card") if reason == "out" else super().reason(tx, reason)

    def standings(self, tx: Texts, position: EinmaleinsPosition) -> Sequence[tuple[str, str]]:
        """Return everybody's number of cards in hand: the first with none wins."""
        return [(str(hand), tx.many("seat", "card", "cards", hand)) for hand in position.hands]

    def rules(self, tx: Texts) -> tuple[RuleText, ...]:
        return (
            RuleText(
                "free",
                tx("item", "Free cards"),
                tx("line", "A free card is laid as any number."),
                tuple((str(n), str(n)) for n in range(3)),
                (
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

    def how_to_play(self, tx: Texts) -> tuple[str, ...]:
        return (
            tx("line", "Goal: be the first to lay all your cards."),
            tx(
                "line",
                "Your turn: lay a number on the open card and say its task; both share a factor.",
            ),
            tx("line", "Nothing fits, or you want to keep it: draw a card."),
            tx("line", "A free card stands for any number; say which."),
            tx("line", "End: whoever has no card left wins."),
        )

    def edition(self, tx: Texts) -> tuple[str, ...]:
        return (tx("line", "Edition: a game of the card set Cento."),)

    def help(self, tx: Texts) -> tuple[str, ...]:
        return (
            tx("line", "Key your number, then #. Say its task aloud."),
            tx("line", "Two tasks fit: # asks which. A or B show the other task."),
            tx("line", "Free card: * first, then the number it stands for."),
            tx("line", "B: you lay nothing and draw a card."),
            tx("line", "A: which numbers fit, then # for your hand."),
            tx("line", "A square number: the next player draws and misses the turn."),
            *super().help(tx),
        )

    # --- set-up and board check

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
