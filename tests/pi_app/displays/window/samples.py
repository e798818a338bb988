"""Frames of every kind for the window's tests, independent of any game."""

from dataclasses import replace

from hardware.keys import Key
from pi_app.view.frame import (
    Alert,
    Board,
    Body,
    Cell,
    Choices,
    Entry,
    Extras,
    Frame,
    Header,
    Mark,
    Picture,
    Played,
    Seat,
    Stroke,
    Token,
    Tone,
    soft,
)

FIELDS = (
    (1, 14, 30, 24, 19, 8),
    (33, 11, 9, 16, 35, 21),
    (6, 27, 31, 20, 3, 12),
    (15, 32, 5, 29, 17, 26),
    (22, 10, 18, 36, 25, 2),
    (28, 7, 23, 4, 13, 34),
)
SEATS = (
    Seat("Anna", "yellow", "Y", "3", "14 in hand", to_move=True),
    Seat("Ben", "red", "R", "2", "15 in hand"),
    Seat("Clara", "white", "W", "2", "16 in hand"),
    Seat("Dora", "pink", "P", "1", "15 in hand"),
)


def numbers_board() -> Picture:
    """Return a 6x6 board in the middle of a game: single stones, stacks, secured fields."""

    def y(count: int = 1) -> Token:
        return Token("yellow", "Y", count, 0)

    def r(count: int = 1) -> Token:
        return Token("red", "R", count, 1)

    def w(count: int = 1) -> Token:
        return Token("white", "W", count, 2)

    def p(count: int = 1) -> Token:
        return Token("pink", "P", count, 3)

    on = {
        14: (y(), r()),
        29: (y(1), r(2)),
        18: (Token("yellow", "Y", 3),),
        33: (Token("red", "R", 2),),
        5: (y(2), r(2), w(2), p(1)),
        12: (w(),),
        24: (p(2),),
        36: (Token("white", "W", 2),),
        7: (Token("pink", "P", 2),),
    }
    secured = {18, 33, 36, 7}
    cells = tuple(
        Cell(
            str(n),
            str(n),
            min(4, 1 + n // 10),
            on.get(n, ()),
            frozenset({Mark.SECURED}) if n in secured else frozenset(),
        )
        for row in FIELDS
        for n in row
    )
    return Picture("grid", 6, cells)


def track() -> Picture:
    """Return a track of 38 spaces whose last three are large, with stones of four players."""
    values = {7: 5, 12: 10, 17: 15, 22: 20, 26: 25, 29: 30, 32: 35, 34: 40, 36: 50, 37: 60, 38: 70}
    on = {
        4: Token("yellow", "1"),
        9: Token("red", "6"),
        17: Token("green", "3"),
        18: Token("green", "4"),
        19: Token("green", "2"),
        36: Token("blue", "6"),
        26: Token("yellow", "6"),
    }
    cells = tuple(
        Cell(
            str(n),
            str(n),
            2 if n in values else 0,
            (on[n],) if n in on else (),
            frozenset({Mark.ROW}) if n in (17, 18, 19) else frozenset(),
            str(values.get(n, "")),
            large=n > 35,
        )
        for n in range(1, 39)
    )
    return Picture("track", 7, cells)


def card_squares() -> Picture:
    """Return a board of playing cards with chips, free squares of a card, a completed sequence."""
    rows = (
        "-- 2S 3S 4S 5S 6S 7S 8S 9S --",
        "6C 5C 4C 3C 2C AH KH QH 10H 10S",
        "7C AS 2D 3D 4D 5D 6D 7D 9H QS",
        "8C KS 6C 5C 4C 3C 2C 8D 8H KS",
        "9C QS 7C 6H 5H 4H AH 9D 7H AS",
        "10C 10S 8C 7H 2H 3H KH 10D 6H 2D",
        "QC 9S 9C 8H 9H 10H QH QD 5H 3D",
        "KC 8S 10C QC KC AC AD KD 4H 4D",
        "AC 7S 6S 5S 4S 3S 2S 2H 3H 5D",
        "-- AD KD QD 10D 9D 8D 7D 6D --",
    )
    blue = {(4, 3), (4, 4), (4, 5), (4, 6), (4, 7), (7, 7), (2, 8)}
    green = {(6, 6), (7, 6), (8, 2), (1, 5)}
    red = {(9, 4), (3, 3)}
    free = {(5, 9), (6, 4)}
    cells = []
    for r, row in enumerate(rows, 1):
        for c, code in enumerate(row.split(), 1):
            chip = [
                Token(colour, letter)
                for colour, letter, where in (
                    ("blue", "B", blue),
                    ("green", "G", green),
                    ("red", "R", red),
                )
                if (r, c) in where
            ]
            marks = {Mark.LEGAL} if (r, c) in free else set()
            text = "" if code == "--" else code.translate(str.maketrans("SHDC", "♠♥♦♣"))
            cells.append(Cell(f"r{r}c{c}", text, 0, tuple(chip), frozenset(marks)))
    return Picture(
        "grid", 10, tuple(cells), (Stroke("blue", tuple(f"r4c{n}" for n in range(3, 8))),)
    )


def open_card() -> Picture:
    """Return an open card with its announced factors and the table of numbers that fit."""
    products = sorted({a * b for a in range(1, 11) for b in range(1, 11)})
    fits = {n for n in products for f in (4, 6) if n % f == 0 and n // f <= 10}
    cells = [Cell("24", "24", note="4 × 6", large=True)]
    cells += [
        Cell(str(n), str(n), 1, marks=frozenset({Mark.LEGAL}) if n in fits else frozenset())
        for n in products
    ]
    return Picture("cards", 7, tuple(cells))


KEYS = soft((Key.ENTER, "play"), (Key.STAR, "next"))
WAIT = soft((Key.UP, "hand"), (Key.MENU, "menu"))
DETAILS = (
    "Anna: 14 left, 3 fields",
    "Ben: 15 left, 2 fields",
    "Clara: 16 left, 2 fields",
    "Dora: 15 left, 1 field",
    "Draw pile: 31 cards",
)
MOVES = (Played("Dora", "3+9+12 = 24"), Played("Clara", "12 = 12"), Played("Ben", "16+13 = 29"))


def frames() -> dict[str, Frame]:
    """Return a frame of each kind by name."""
    board = numbers_board()
    turn = Frame(
        Header("Anna", "yellow", "yellow"), extras=Extras(seats=SEATS, details=DETAILS, moves=MOVES)
    )
    return {
        "free": replace(
            turn,
            body=Body(entry=Entry("5+11+13", "29 free", Tone.GOOD)),
            board=Board(board.with_mark(Mark.SELECTED, ["29"])),
            keys=KEYS,
        ),
        "blocked": replace(
            turn,
            body=Body(entry=Entry("16+17", "33 blocked: Ben leads by 2", Tone.BAD)),
            board=Board(board.with_mark(Mark.BLOCKED, ["33"])),
            keys=KEYS,
        ),
        "notice": replace(
            turn,
            body=Body(
                lines=(
                    "Dora: stone on 24.",
                    "24 is secured: stack to the middle.",
                    "Draw 3 cards.",
                    "Key your cards.",
                )
            ),
            board=Board(board.with_mark(Mark.LAST, ["24"])),
            keys=WAIT,
        ),
        "won": Frame(
            Header("Game over", colour="yellow"),
            Body(lines=("Anna wins!", "Row: 1, 11, 29, 31")),
            board=Board(
                picture=Picture(
                    "grid",
                    6,
                    board.with_mark(Mark.ROW, ["18", "14", "29", "5"]).cells,
                )
            ),
            extras=Extras(
                seats=(Seat("Anna", "yellow", "Y", "4", winner=True), *SEATS[1:]), details=DETAILS
            ),
            keys=soft((Key.ENTER, "new"), (Key.DOWN, "more"), (Key.MENU, "menu")),
        ),
        "home": Frame(
            Header("Beisitzer"),
            Body(
                choices=Choices(
                    (
                        "Continue",
                        "Just 4 Fun",
                        "numeri",
                        "Sequence",
                        "Einmaleins",
                        "Score a table",
                        "History",
                        "Settings",
                        "Quit",
                    ),
                    1,
                )
            ),
            keys=soft((Key.ENTER, "ok"), (Key.BACK, "back")),
        ),
        "hand": Frame(
            Header("Hand Maximilian", colour="pink"),
            Body(lines=("Key your 4 cards, * between them, then #.",)),
            keys=soft((Key.ENTER, "show"), (Key.BACK, "back")),
        ),
        "track": Frame(
            Header("Clara", colour="green", corner="green"),
            Body(entry=Entry("6 = 5+1", "5: space 22, 1: space 5", Tone.GOOD)),
            board=Board(picture=track()),
            extras=Extras(
                seats=(Seat("Anna", "yellow", "Y"), Seat("Clara", "green", "G", to_move=True))
            ),
            keys=soft((Key.ENTER, "ok"), (Key.BACK, "back"), dice=(1, 2, 3, 4, 6)),
        ),
        "cards": Frame(
            Header("Emil", colour="blue", corner="team blue"),
            Body(entry=Entry("7♥", "7♥: r5c9, r6c4", Tone.PLAIN)),
            board=Board(picture=card_squares()),
            keys=KEYS,
        ),
        "products": Frame(
            Header("Fritz", colour="red"),
            Body(entry=Entry("12=3x4", "no common factor with 24 = 4 × 6", Tone.BAD)),
            board=Board(picture=open_card()),
            extras=Extras(
                seats=(
                    Seat("Fritz", "red", "R", "5", "cards", to_move=True),
                    Seat("Anna", "yellow", "Y", "3", "cards"),
                )
            ),
            keys=KEYS,
        ),
        "alert": Frame(
            Header("Anna", colour="yellow"),
            board=Board(picture=board),
            extras=Extras(seats=SEATS),
            keys=soft((Key.ENTER, "ok")),
            alert=Alert("The disk is full: moves are kept in memory only."),
        ),
    }
