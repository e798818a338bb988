"""The game record: read its text, write it, begin its game.

Reading is forgiving about white space and comments and strict about all else: a text that is
no record raises RecordError with the line at fault; a bad move is no error but a Step.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from engines.game import AnyPosition, Game, Player, Setup, SetupError
from engines.games import GAMES
from engines.notation import seat_of

_TAG = re.compile(r'\[\s*([^\s"\[\];{}]+)\s+"([^"\n]*)"\s*\]\s*(?:;(.*))?')
_MOVE_NUMBER = re.compile(r"[0-9]+\.")
_PLAIN = re.compile(r"[^\s{;]+")
_SPACE = re.compile(r"\s+")


class RecordError(ValueError):
    """A text that is no record: `line` counts from 1, `reason` is one English sentence."""

    def __init__(self, line: int, reason: str) -> None:
        super().__init__(f"line {line}: {reason}")
        self.line = line
        self.reason = reason


@dataclass(frozen=True, slots=True)
class Note:
    """A comment; it stands before the move with the index `before`."""

    before: int
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A game as text: tags, and move tokens, legal or not, as they were written.

    `tag_lines` and `lines` say where tags and tokens stand in the text they came from; they
    play no part in comparing records.
    """

    tags: Mapping[str, str]
    tokens: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    tag_lines: Mapping[str, int] = field(default_factory=dict, compare=False)
    lines: tuple[int, ...] = field(default=(), compare=False)


class _Reader:
    """Reads one text from its beginning to its end."""

    def __init__(self, text: str) -> None:
        # only these end a line: form feeds and the like stay white space within it
        self.text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
        self.at = 0
        self.line = 1
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.tokens: list[str] = []
        self.lines: list[int] = []
        self.notes: list[Note] = []

    def read(self) -> Record:
        fresh_line = True
        while self.at < len(self.text):
            char = self.text[self.at]
            if char.isspace():
                blank = self._take(_SPACE)
                fresh_line = fresh_line or "\n" in blank
                continue
            if char == ";":
                self._note(self._until("\n", 1))
            elif char == "{":
                self._note(self._closed("}", "a comment { is never closed"))
            elif char == "[" and fresh_line and not self.tokens:
                self._tag(self._until("\n", 0))
            elif char == "<":
                line = self.line
                body = self._closed(">", "a correction < is never closed")
                self._token(f"<{body}>", line)
            else:
                self._word(self._take(_PLAIN))
            fresh_line = False
        return Record(
            self.tags, tuple(self.tokens), tuple(self.notes), self.tag_lines, tuple(self.lines)
        )

    def _take(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        taken = match[0] if match else self.text[self.at]
        self._pass(self.at + len(taken))
        return taken

    def _pass(self, end: int) -> None:
        self.line += self.text.count("\n", self.at, end)
        self.at = end

    def _until(self, mark: str, skip: int) -> str:
        """Take what stands before the mark or the end of the text, less its first `skip`."""
        end = self.text.find(mark, self.at)
        end = len(self.text) if end < 0 else end
        taken = self.text[self.at + skip : end]
        self._pass(end)
        return taken

    def _closed(self, mark: str, complaint: str) -> str:
        end = self.text.find(mark, self.at)
        if end < 0:
            raise RecordError(self.line, complaint)
        taken = self.text[self.at + 1 : end]
        self._pass(end + 1)
        return taken

    def _note(self, text: str) -> None:
        if text.strip():
            self.notes.append(Note(len(self.tokens), text.strip()))

    def _word(self, word: str) -> None:
        if not _MOVE_NUMBER.fullmatch(word):
            self._token(word, self.line)

    def _token(self, token: str, line: int) -> None:
        self.tokens.append(token)
        self.lines.append(line)

    def _tag(self, line: str) -> None:
        match = _TAG.fullmatch(line.strip())
        if match is None:
            raise RecordError(self.line, 'a tag is written [Name "value"], alone on its line')
        name, value = match[1], match[2]
        if name in self.tags:
            raise RecordError(self.line, f"the tag {name[:40]} is given twice")
        self.tags[name] = value
        self.tag_lines[name] = self.line
        self._note(match[3] or "")


def parse(text: str) -> Record:
    """Read a record; RecordError where the text cannot be taken apart."""
    return _Reader(text).read()


def decode(data: bytes) -> str:
    """Turn the bytes of a file into text; RecordError where they are not UTF-8."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RecordError(line, "the file is not UTF-8 text") from None


def write(record: Record) -> str:
    """Write a record; reading it gives it back. ValueError where a part cannot be written."""
    lines = [f'[{name} "{value}"]\n' for name, value in record.tags.items()]
    a_round = record.tags.get("Players", "").count(",") + 1
    words: list[str] = []
    notes = list(record.notes)
    for index in range(len(record.tokens) + 1):
        if index % a_round == 0 and index < len(record.tokens):
            words.append(f"\n{index // a_round + 1}.")
        while notes and notes[0].before == index:
            words.append(_written(notes.pop(0).text))
        words.extend(record.tokens[index : index + 1])
    text = "".join(lines) + " ".join(words).replace(" \n", "\n") + ("\n" if words else "")
    try:
        again = parse(text)
    except RecordError as error:
        raise ValueError(f"this cannot be written as a record: {error.reason}") from error
    if again != record:
        raise ValueError("this cannot be written as a record: it would be read differently")
    return text


def _written(note: str) -> str:
    return f"{{{note}}}" if "}" not in note else f"; {note}\n"


def setup_of(tags: Mapping[str, str]) -> tuple[Game, Setup]:
    """Read the tags that begin a game; SetupError where they say nothing playable."""
    name = tags.get("Game")
    if name is None:
        raise SetupError("Game", 'is missing, for example [Game "just4fun"]')
    if name not in GAMES:
        raise SetupError("Game", f"{name[:40]!r} is unknown, there are {', '.join(GAMES)}")
    game = GAMES[name]
    players = _players(tags)
    start = 0
    if "Start" in tags:
        seat = seat_of(tags["Start"], [player.name for player in players])
        if seat is None:
            raise SetupError("Start", f"nobody is called {tags['Start'][:40]!r}")
        start = seat
    for tag in ("Board", "BoardData"):
        if tag in tags and game.default_board is None:
            raise SetupError(tag, f"{name} is played without a board")
    return game, Setup(
        players,
        start,
        tags.get("Board"),
        tags.get("BoardData"),
        _rules(tags.get("Rules", "")),
        tags.get("Position"),
        tags,
    )


def _players(tags: Mapping[str, str]) -> tuple[Player, ...]:
    if "Players" not in tags:
        raise SetupError("Players", 'is missing, for example [Players "Anna yellow, Ben red"]')
    players = []
    for pair in tags["Players"].split(","):
        *name, colour = pair.split() or [""]
        if not name:
            raise SetupError("Players", f"{pair.strip()[:40]!r} is not a name and a colour")
        players.append(Player(" ".join(name), colour))
    return tuple(players)


def _rules(text: str) -> dict[str, str]:
    rules: dict[str, str] = {}
    for pair in text.split(",") if text.strip() else ():
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not (key and equals and value):
            raise SetupError("Rules", f"{pair.strip()[:40]!r} is not written key=value")
        if key in rules:
            raise SetupError("Rules", f"{key[:40]} is given twice")
        rules[key] = value
    return rules


def board_name(game: Game, tags: Mapping[str, str]) -> str | None:
    """Return the board's name; None without a board, and for a board of one's own unnamed."""
    if "BoardData" in tags:
        return tags.get("Board")
    return tags.get("Board", game.default_board)


def begin_game(tags: Mapping[str, str]) -> tuple[Game, AnyPosition]:
    """Begin the game of these tags; SetupError where they contradict it."""
    game, setup = setup_of(tags)
    return game, game.begin(setup)


def begin(record: Record) -> tuple[Game, AnyPosition]:
    """Begin a record's game; RecordError with the line of the tag that contradicts it."""
    try:
        return begin_game(record.tags)
    except SetupError as error:
        line = record.tag_lines.get(error.tag, 1)
        raise RecordError(line, f"{error.tag}: {error.reason}") from error
