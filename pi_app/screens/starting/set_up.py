"""Setting up a game: a form whose first line starts it, so that two keys are enough."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

from engines.notation import Fault
from hardware.keys import Key
from pi_app.screens.base import (
    BAD,
    OK,
    ROW_LIMIT,
    TICK,
    Action,
    ChoiceScreen,
    Item,
    ListScreen,
    MenuScreen,
    Open,
    PageScreen,
    Pop,
    Push,
    Screen,
    Stay,
    grey_if,
)
from pi_app.screens.checking.board_check import PositionForm, no_places_line
from pi_app.screens.context import Context
from pi_app.screens.empty_chair.seat import StrengthScreen, strength_word
from pi_app.screens.players_and_settings.boards import BoardChoice
from pi_app.screens.players_and_settings.names import (
    NextName,
    known_names,
    name_screen,
    objection_to_seated,
)
from pi_app.screens.playing.games import SCREENS, FormItem, companion_of, missing_screen
from pi_app.screens.playing.how import how_page
from pi_app.screens.starting.drafts import (
    begin,
    choose_edition,
    load_draft,
    rule_value,
    save_draft,
)
from pi_app.screens.tips import help_item
from pi_app.table.default_names import (
    companion_name,
    default_name,
    is_default_name,
    rename_after_colours,
)
from pi_app.table.players import save_colours, seat_people
from pi_app.table.presentation import AnyPresentation, RuleText
from pi_app.table.setup_draft import SetupDraft, Strength
from pi_app.texts.common import colour_letter, colour_word
from pi_app.view.frame import Frame, SoftKey

_BEFORE_MORE = ROW_LIMIT - 2  # "Start" and "More"
"""How many items of a long form are on its first screen."""


class SetupScreen(MenuScreen):
    """The form for one game, filled in as last time.

    Items beyond ROW_LIMIT are behind "More".
    """

    plays = True
    """Whether the game will be played here, so that strengths and help levels matter."""
    first_item = 1
    """The row of the first item: above it is "Start"."""
    first_shown = 0
    """The index of that item in the whole form."""

    def __init__(self, ctx: Context, presentation: AnyPresentation) -> None:
        self.presentation = presentation
        self.draft = load_draft(ctx, presentation)
        self.busy_with = ctx.texts("item", "New game")
        super().__init__(ctx, presentation.name(ctx.texts))

    def leave(self) -> Action:
        """Save the form, so that one BACK too many does not lose the players' names."""
        if self.draft != load_draft(self.ctx, self.presentation):
            save_draft(self.ctx, self.presentation, self.draft)
        return Pop(TICK)

    def frame(self) -> Frame:
        frame, shown = super().frame(), self.shown_items()
        # "Start" needs no sentence
        sentences = (*[""] * self.first_item, *(item.row for item in shown))
        choices = frame.body.choices and replace(frame.body.choices, sentences=sentences)
        frame = replace(frame, body=replace(frame.body, choices=choices))
        if self._is_about_people:
            frame = replace(frame, keys=replace(frame.keys, lettered=True))
        if not self._others():
            return frame
        swap = SoftKey(Key.MENU, self.tx("soft", "swap"))
        soft = (replace(each, spare=each.key is Key.STAR) for each in frame.keys.soft)
        return replace(frame, keys=replace(frame.keys, soft=tuple(soft)).with_keys(swap))

    def press(self, key: Key) -> Action:
        """Swap the marked person by MENU."""
        others = self._others() if key is Key.MENU else []
        return self._swap(others) if others else super().press(key)

    def star(self) -> tuple[str, Callable[[], Action]] | None:
        """Ask for names, show the marked item in a sentence if it has one, or how to play."""
        if self._is_about_people:
            return self.tx("soft", "names"), self._ask_for_names
        word, shown, index = self.tx("soft", "rules"), self.shown_items(), self.selected
        if 0 <= index - self.first_item < len(shown):
            item = shown[index - self.first_item]
            if item.sentence:
                return word, lambda: Push(PageScreen(self.ctx, item.text, (item.sentence,)))
        how = self.presentation.guide.how
        return (word, lambda: Push(how_page(self.ctx, self.presentation))) if how else None

    @property
    def _is_about_people(self) -> bool:
        """Whether the marked row is about the people: "Start", their number or a seat."""
        return self.selected - self.first_item + self.first_shown <= len(self.draft.players)

    def _ask_for_names(self) -> Action:
        """Ask for names from the marked seat on, else from the first one that nobody has."""
        names = [name for name, _ in self.draft.players]
        free = [seat for seat, name in enumerate(names) if is_default_name(name)]
        marked = self._marked_seat()
        first = free[0] if free else len(names) % max(self.presentation.game.player_counts)
        return self._ask_for_name(first if marked is None else marked)

    def _ask_for_name(self, seat: int) -> Action:
        taken = [name for name, _ in self.draft.players[:seat]]
        title = self.tx("title", "Player {n}", n=seat + 1)
        known, objection = known_names(self.ctx, taken), objection_to_seated(self.ctx, taken)
        done = partial(self._take_name, seat)
        return Push(NextName(self.ctx, known, objection, done, title))

    def _take_name(self, seat: int, name: str) -> Action:
        """Seat somebody, with more seats if needed, and ask who sits next."""
        draft, game = self.draft, self.presentation.game
        if seat == len(draft.players):
            count = min(count for count in game.player_counts if count > seat)
            draft.players = self.presentation.seats(self.tx, count, draft)
        before, colour = draft.players[seat]
        # if the named person has another seat, the two change places
        draft.players = [(before if each == name else each, of) for each, of in draft.players]
        draft.players[seat] = name, colour
        draft.bot_seats.pop(before, None)
        seat_again(self.ctx, self.presentation, draft)
        is_last = seat + 1 == max(game.player_counts)
        return Stay() if is_last else self._ask_for_name(seat + 1)

    def _marked_seat(self) -> int | None:
        """Return the seat in the marked row, if there is one."""
        # the form's first item, above the seats, is the number of players
        seat = self.selected - self.first_item + self.first_shown - 1
        return seat if 0 <= seat < len(self.draft.players) else None

    def _others(self) -> list[str]:
        """Return the known people who could have the marked seat, the next one first."""
        seat = self._marked_seat()
        if seat is None:
            return []
        name = self.draft.players[seat][0]
        seated = {other for other, _ in self.draft.players} - {name}
        known = known_names(self.ctx, seated)
        at = known.index(name) if name in known else -1
        return [other for other in (*known[at + 1 :], *known[: at + 1]) if other != name]

    def _swap(self, others: Sequence[str]) -> Action:
        """Give the marked seat to the next known person; pressed again, to the one after."""
        seat = self._marked_seat() or 0
        before, colour = self.draft.players[seat]
        self.draft.bot_seats.pop(before, None)
        self.draft.players[seat] = others[0], colour
        seat_again(self.ctx, self.presentation, self.draft)
        return Stay(TICK)

    def entries(self) -> tuple[Item, ...]:
        form = self.form_items()
        rows = ((self.tx("item", "Start"), self._start), *map(self._row, form))
        if len(rows) <= ROW_LIMIT:
            return rows
        more = (self.tx("item", "More"), lambda: Push(RestOfForm(self)))
        return (*rows[: ROW_LIMIT - 1], more)

    def shown_items(self) -> tuple[FormItem, ...]:
        """Return the items of the form that have a row on this screen."""
        form = self.form_items()
        return form if len(form) < ROW_LIMIT else form[:_BEFORE_MORE]

    def _row(self, item: FormItem) -> Item:
        return item.text, grey_if(item.greyed, lambda: Push(item.edit()))

    def form_items(self) -> tuple[FormItem, ...]:
        """Return the form's lines below "Start"."""
        tx, draft = self.tx, self.draft
        form = self._seat_items()
        first = draft.players[draft.start][0]
        starts = tx("line", "{name} starts", name=first)
        form.append(
            FormItem(tx("item", "First: {name}", name=first), self._first_screen, row=starts)
        )
        form += SCREENS[self.presentation.game.name].form(self.ctx, draft)
        for rule in self.presentation.rules(tx):
            if rule.asked_first:
                continue
            value = rule_value(self.presentation, self.draft, rule)
            # a value that the form does not offer, from the command line, is shown as it is
            word = next((word for key, word in rule.values if key == value), value)
            edit, row = partial(self._rule_screen, rule), rule.row(value)
            form.append(FormItem(f"{rule.label}: {word}", edit, rule.sentence, row))
        form += self._board_items()
        if "Position" in draft.tags:
            position = tx("item", "Position: set")
            row = tx("line", "It begins with the position that was entered")
        else:
            position = tx("item", "Position: new")
            row = tx("line", "It begins from the start")
        why_not = "" if self.presentation.places else no_places_line(tx)
        form.append(FormItem(position, self._position_screen, row=row, greyed=why_not))
        return tuple(form)

    def _seat_items(self) -> list[FormItem]:
        tx, players = self.tx, self.draft.players
        form = [FormItem(tx("item", "Players: {n}", n=len(players)), self._count_screen)]
        for seat, (name, colour) in enumerate(players):
            letter = colour_letter(tx, colour, self.presentation.game.colours)
            line = f"{name} ({letter})"
            strength = self.draft.bot_seats.get(name) if self.plays else None
            row = f"{line}: {strength_word(tx, strength)}" if strength else ""
            form.append(FormItem(line, partial(SeatScreen, self, seat), row=row))
        return form

    def _board_items(self) -> list[FormItem]:
        if self.presentation.game.board is None:
            return []
        board = self.draft.tags.get("Board") or self.tx("item", "Which board")
        edition = self.tx.each(self.presentation.guide.edition)
        first = self.presentation.first_rule(self.tx)
        if first is not None:
            edition = (dict(first.values)[rule_value(self.presentation, self.draft, first)],)
        return [
            FormItem(
                board,
                lambda: BoardChoice(self.ctx, self.presentation, self.draft),
                " ".join(edition),
                # a user's own board may belong to any edition
                edition[0] if edition and "Board" not in self.draft.tags else "",
            )
        ]

    def _start(self) -> Action:
        try:
            table = begin(self.ctx, self.presentation, self.draft)
        except Fault as error:
            screen = missing_screen(
                self.ctx, self.presentation, self.draft, error, self.form_items(), self._start
            )
            return Push(screen, signals=BAD)
        return Open(OK, "table", table=table)

    def _position_screen(self) -> Screen:
        self.draft.tags.pop("Position", None)  # leaving without a position removes the old one
        return PositionForm(self.ctx, self.presentation, self.draft)

    def _count_screen(self) -> Screen:
        tx, counts = self.tx, sorted(self.presentation.game.player_counts)
        words = {count: tx("item", "{n} players", n=count) for count in counts}
        title, current = tx("title", "How many?"), len(self.draft.players)
        screen = ChoiceScreen(self.ctx, title, words, current, self._take_count)
        screen.digits = tuple(map(str, counts))
        return screen

    def _take_count(self, count: int) -> None:
        self.draft.players = self.presentation.seats(self.tx, count, self.draft)
        self.draft.start = min(self.draft.start, count - 1)  # that seat may not exist any more

    def _first_screen(self) -> Screen:
        names = {seat: name for seat, (name, _) in enumerate(self.draft.players)}
        take = partial(setattr, self.draft, "start")
        title = self.tx("title", "Who starts?")
        return ChoiceScreen(self.ctx, title, names, self.draft.start, take)

    def _rule_screen(self, rule: RuleText) -> Screen:
        words, current = dict(rule.values), rule_value(self.presentation, self.draft, rule)
        take = partial(self.draft.rules.__setitem__, rule.key)
        screen = ChoiceScreen(self.ctx, rule.label, words, current, take, rule.sentence)
        screen.digits = value_digits(tuple(words))
        return screen


class RestOfForm(SetupScreen):
    """The items that a form has behind "More"."""

    first_item = 0
    first_shown = _BEFORE_MORE

    def __init__(self, form: SetupScreen) -> None:
        MenuScreen.__init__(self, form.ctx, form.title)
        self.form = form
        self.presentation, self.draft = form.presentation, form.draft
        self.busy_with = form.busy_with

    def entries(self) -> tuple[Item, ...]:
        return tuple(map(self._row, self.shown_items()))

    def shown_items(self) -> tuple[FormItem, ...]:
        return self.form.form_items()[_BEFORE_MORE:]


def set_up_screen(
    ctx: Context, presentation: AnyPresentation, form: type[SetupScreen] = SetupScreen
) -> Screen:
    """Return a game's form, or first the question for its edition."""
    rule = presentation.first_rule(ctx.texts)
    if rule is None:
        return form(ctx, presentation)
    values = [value for value, _ in rule.values]
    current = rule_value(presentation, load_draft(ctx, presentation), rule)

    def choose(index: int) -> Action:
        draft = load_draft(ctx, presentation)
        choose_edition(presentation, draft, rule, values[index])
        save_draft(ctx, presentation, draft)
        return Push(form(ctx, presentation))

    question = ListScreen(
        ctx,
        rule.label,
        tuple(word for _, word in rule.values),
        choose,
        selected=values.index(current) if current in values else 0,
    )
    question.busy_with = ctx.texts("item", "New game")
    return question


class SeatScreen(MenuScreen):
    """One seat of the draft: name, colour and order; if it `plays`, also who plays and the help."""

    def __init__(self, form: SetupScreen, seat: int) -> None:
        self.presentation, self.draft = form.presentation, form.draft
        self.seat = seat
        self.plays = form.plays
        name, colour = form.draft.players[seat]
        super().__init__(form.ctx, name)
        self.colour = colour

    def entries(self) -> tuple[Item, ...]:
        tx = self.tx
        entries: list[Item] = [(tx("title", "Name"), self._name)]
        if not self.presentation.fixed_colours:
            entries.append((tx("title", "Colour"), self._colour))
        entries += [
            (tx("item", "Sits earlier"), lambda: self._move(-1)),
            (tx("item", "Sits later"), lambda: self._move(1)),
        ]
        if not self.plays:
            return tuple(entries)
        name = self.draft.players[self.seat][0]
        if self._strength is None:
            screen = SCREENS[self.presentation.game.name].help
            entries.append(help_item(self.ctx, name, screen))
        if companion_of(self.presentation.game.name) is not None:
            plays = tx("item", "Plays: {level}", level=strength_word(tx, self._strength))
            entries.append((plays, self._who_plays))
        return tuple(entries)

    @property
    def _strength(self) -> Strength | None:
        """How well the companion plays this seat; None if a person plays it."""
        return self.draft.bot_seats.get(self.draft.players[self.seat][0])

    def _who_plays(self) -> Action:
        name = self.draft.players[self.seat][0]
        screen = StrengthScreen(self.ctx, name, self._strength, self._give_seat)
        return Push(screen)

    def _give_seat(self, strength: Strength | None) -> Action:
        """Give the seat to the companion, under a name of its own, or to a person."""
        name, colour = self.draft.players[self.seat]
        taken = {other for other, _ in self.draft.players} - {name}
        companions_own = companion_name(taken)
        # a name that people keyed stays, whoever plays the seat
        if strength is not None and is_default_name(name):
            self._rename(companions_own)
        elif strength is None and name == companions_own:
            self._rename(default_name(self.tx, colour, taken))
        name = self.draft.players[self.seat][0]  # may have changed
        self.draft.bot_seats.pop(name, None)
        if strength is not None:
            self.draft.bot_seats[name] = strength
        return Stay()

    def _rename(self, name: str) -> None:
        """Rename the seat; a seat of the companion stays one."""
        old_name, colour = self.draft.players[self.seat]
        self.draft.players[self.seat] = (name, colour)
        self.title = name
        strength = self.draft.bot_seats.pop(old_name, None)
        if strength is not None:
            self.draft.bot_seats[name] = strength

    def _name(self) -> Action:
        current = self.draft.players[self.seat][0]
        taken = {name for name, _ in self.draft.players} - {current}
        return Push(name_screen(self.ctx, current, taken, self._take_name))

    def _take_name(self, name: str) -> Action:
        self._rename(name)
        seat_again(self.ctx, self.presentation, self.draft)
        self.title, self.colour = self.draft.players[self.seat]
        return Stay()

    def _colour(self) -> Action:
        tx, current = self.tx, self.draft.players[self.seat][1]
        words = {colour: colour_word(tx, colour) for colour in self.presentation.game.colours}
        title = tx("title", "Colour")
        screen = ChoiceScreen(self.ctx, title, words, current, self._take_colour)
        return Push(screen)

    def _take_colour(self, chosen: str) -> None:
        """Give this seat a colour; the seat that had it gets this seat's colour.

        From now on they are these people's own.
        """
        names = [name for name, _ in self.draft.players]
        colours = [colour for _, colour in self.draft.players]
        changed = [self.seat]
        if chosen in colours:
            changed.append(colours.index(chosen))
            colours[colours.index(chosen)] = colours[self.seat]
        colours[self.seat] = chosen
        people = [seat for seat in changed if names[seat] not in self.draft.bot_seats]
        save_colours(self.ctx.store, {names[seat]: colours[seat] for seat in people})
        self._reseat(zip(names, colours, strict=True))
        self.colour = chosen
        self.title = self.draft.players[self.seat][0]  # a default name follows the colour

    def _reseat(self, seats: Iterable[tuple[str, str]]) -> None:
        """Replace all players; those with a default name are renamed after their new colours."""
        self.draft.players = rename_after_colours(self.tx, list(seats), self.draft.bot_seats)

    def _move(self, by: int) -> Action:
        """Change places with a neighbour; if colours belong to the seats, only names move."""
        players = list(self.draft.players)
        other = (self.seat + by) % len(players)
        mine, theirs = players[self.seat], players[other]
        if self.presentation.fixed_colours:  # (name, colour) pairs: exchange the colours again
            mine, theirs = (mine[0], theirs[1]), (theirs[0], mine[1])
        players[other], players[self.seat] = mine, theirs
        self._reseat(players)
        return Pop(TICK)


def seat_again(ctx: Context, presentation: AnyPresentation, draft: SetupDraft) -> None:
    """Give the people in a draft their own colours."""
    draft.players = seat_people(ctx.texts, ctx.store, presentation, draft.players, draft.bot_seats)


def value_digits(values: Sequence[str]) -> tuple[str, ...]:
    """Return the digits that choose each value of a rule, if the values are different numbers.

    The value "" (no number) is chosen with 0. If the values are words, return (): the numbers of
    their rows choose them.
    """
    numbers = tuple(value or "0" for value in values)
    are_different = len(set(numbers)) == len(numbers)
    return numbers if are_different and all(number.isdigit() for number in numbers) else ()
