"""The game record: read its text, write it, begin its game.

Reading is forgiving about white space and comments and strict about all else: a text that is
not a record raises a Fault with the wrong line. Moves are not judged here: `engines.game`.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from engines.game import AnyPosition, Game, Player, Setup
from engines.games import GAMES
from engines.notation import QUOTED, Fault, composed, decode_text, printable_lines, seat_of
from engines.seating import player_pairs, unknown_rule

TOKEN_LIMIT = 700_000
TAG_LIMIT = 1_000
TAG_LIMIT_LETTERS = 16_384
"""Characters of a tag that begins the game; other tags may be of any length."""
NAME_LIMIT_LETTERS = 1_000
"""Characters of a player's name.

The limits exceed any game; they bound time and memory for files that are no records.
"""

# its groups: name, value, and the comment at the end of the line
_TAG = re.compile(r'\[\s*([^\s"\[\];{}]+)\s+"([^"\n]*)"\s*\]\s*(?:;(.*))?')
_PIECE = re.compile(
    # `++` gives no digit back: a number without its full stop is tried only once
    r"(\s+)|(;[^\n]*)|(\{(?:[^}]*\})?)|([0-9]++\.(?![^\s{;]))|(<(?:[^>]*>)?)|([^\s{;]+)"
)
_SPACE, _LINE_COMMENT, _COMMENT, _NUMBER, _CORRECTION, _WORD = range(1, 7)
"""The groups of _PIECE, the pieces of a text apart from its tags; every match has one of them."""
_TAG_LINE = 7
"""The kind of a piece that is a whole line with a tag; _PIECE has no group for it."""
GAME_TAGS = frozenset({"Game", "Players", "Start", "Board", "BoardData", "Rules", "Position"})
"""The tags that begin a game, besides its `own_tags`; others are remarks."""
REMARK_TAGS = frozenset({"Date", "Event", "Site", "Round", "Annotator", "Result"})
"""The remarks that people may write at the command line; a file may have any."""


@dataclass(frozen=True, slots=True)
class Note:
    """A comment, and the index of the move before which it stands.

    After the last move `before` is the number of moves.
    """

    before: int
    text: str


@dataclass(frozen=True, slots=True)
class Record:
    """A game as text: tags, and move tokens as they were written, legal or not.

    `tag_lines` and `lines` are the line numbers of tags and tokens in the original text; records
    that differ only in these are equal.
    """

    tags: Mapping[str, str]
    tokens: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    tag_lines: Mapping[str, int] = field(default_factory=dict[str, int], compare=False)
    lines: tuple[int, ...] = field(default=(), compare=False)


class Reading:
    """A record with checked text, and moves to read one by one.

    Fault if the text is not a record. Moves stay in the text until they are read: a file
    of a million moves takes little more memory than its own size.
    """

    def __init__(self, text: str) -> None:
        # only these end a line: form feeds and the like stay white space within it
        text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
        self._text = printable_lines(text)
        self.tags: dict[str, str] = {}
        self.tag_lines: dict[str, int] = {}
        self.count: int = 0
        """The number of tokens."""
        # the offset of the first move; without any, the end of the text
        self._moves_start = len(self._text)
        for kind, start, end in self._pieces():
            if kind == _TAG_LINE:
                match = _TAG.fullmatch(self._text[start:end].strip())
                line = self._line(start)
                if match is None:
                    raise Fault("no-tag", line=line)
                name, value = match[1], match[2]
                if name in self.tags:
                    raise Fault("tag-twice", line=line, name=name[:QUOTED])
                if len(self.tags) == TAG_LIMIT:
                    raise Fault("too-many-tags", line=line, most=TAG_LIMIT)
                self.tags[name] = value
                self.tag_lines[name] = line
            elif kind in (_CORRECTION, _WORD):
                self._moves_start = min(self._moves_start, start)
                self.count += 1
            # _PIECE matches the opening sign alone, one character, if nothing closes it
            if kind in (_COMMENT, _CORRECTION) and end - start == 1:
                code = "open-comment" if kind == _COMMENT else "open-correction"
                raise Fault(code, line=self._line(start))
            if self.count > TOKEN_LIMIT:
                raise Fault("too-many-moves", line=self._line(start), most=TOKEN_LIMIT)

    def _pieces(self) -> Iterator[tuple[int, int, int]]:
        """Yield the pieces of the text: the kind of each, its start and its end."""
        text, offset, fresh_line = self._text, 0, True
        while piece := _PIECE.match(text, offset):
            kind, start, end = piece.lastindex or 0, offset, piece.end()
            if fresh_line and text[start] == "[":
                line_end = text.find("\n", start)
                kind, end = _TAG_LINE, len(text) if line_end < 0 else line_end
            elif kind in (_CORRECTION, _WORD):  # the first move: the loop below yields it
                break
            # only white space may come before a tag on its line
            fresh_line = kind == _SPACE and (fresh_line or text.find("\n", start, end) >= 0)
            yield kind, start, end
            offset = end
        # there are no tags after the first move, so the rest needs no look at the lines
        for piece in _PIECE.finditer(text, offset):
            yield piece.lastindex or 0, piece.start(), piece.end()

    def _line(self, offset: int) -> int:
        return self._text.count("\n", 0, offset) + 1

    def moves(self) -> Iterator[tuple[int, str]]:
        """Yield the line number of every token, counted from 1, and the token."""
        text, offset, line = self._text, 0, 1
        for piece in _PIECE.finditer(text, self._moves_start):
            if piece.lastindex in (_CORRECTION, _WORD):
                # count on from the last token: from the start each time would be slow
                line += text.count("\n", offset, piece.start())
                offset = piece.start()
                yield line, piece[0]

    def record(self) -> Record:
        """Return the whole record, with its comments."""
        notes: list[Note] = []
        before = 0
        for kind, start, end in self._pieces():
            note = ""
            if kind == _TAG_LINE:
                tag = _TAG.fullmatch(self._text[start:end].strip())
                # a comment may end the line of a tag
                if tag and tag[3]:
                    note = tag[3]
            elif kind == _LINE_COMMENT:
                note = self._text[start + 1 : end]
            elif kind == _COMMENT:
                note = self._text[start + 1 : end - 1]
            elif kind in (_CORRECTION, _WORD):
                before += 1
            if note.strip():
                notes.append(Note(before, note.strip()))
        moves = list(self.moves())
        return Record(
            self.tags,
            tuple(token for _, token in moves),
            tuple(notes),
            self.tag_lines,
            tuple(line for line, _ in moves),
        )


def parse(text: str) -> Record:
    """Read a record; Fault if the text is not a record."""
    return Reading(text).record()


def decode(data: bytes) -> str:
    """Turn the bytes of a file into text; Fault if they are not UTF-8."""
    try:
        return decode_text(data)
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Fault("no-utf8", line=line) from None


def write(record: Record) -> str:
    """Return a record as text that reads back as the same record; Fault if that is impossible.

    Letters and accents are composed (Unicode's form C), as in reading.
    """
    record = Record(
        {name: composed(value) for name, value in record.tags.items()},
        tuple(map(composed, record.tokens)),
        tuple(Note(note.before, composed(note.text)) for note in record.notes),
    )
    lines = [f'[{name} "{value}"]\n' for name, value in record.tags.items()]
    a_round = record.tags.get("Players", "").count(",") + 1  # moves: one for each player
    words: list[str] = []
    notes = deque(record.notes)
    # one more than there are tokens: comments may come after the last move
    for index in range(len(record.tokens) + 1):
        starts_round = index % a_round == 0 and index < len(record.tokens)
        number = [f"\n{index // a_round + 1}."] if starts_round else []
        comments: list[str] = []
        while notes and notes[0].before == index:
            note = notes.popleft().text
            # a closing brace would end a comment in braces
            comments.append(f"{{{note}}}" if "}" not in note else f"; {note}\n")
        # comments come before the number of the next round, unless one takes the rest of its line
        comments_first = index and not any(comment.startswith(";") for comment in comments)
        words += [*comments, *number] if comments_first else [*number, *comments]
        # a slice is empty after the last token
        words.extend(record.tokens[index : index + 1])
    # words that begin or end a line were joined with a space too many
    text = "".join(lines) + " ".join(words).replace(" \n", "\n") + ("\n" if words else "")
    if parse(text) != record:
        raise Fault("read-differently")
    return text


def setup_of(tags: Mapping[str, str]) -> tuple[Game, Setup]:
    """Read the tags that begin a game; Fault if they are wrong or incomplete."""
    name = tags.get("Game")
    if name is None:
        raise Fault("game-missing", "Game")
    if name not in GAMES:
        raise Fault("no-such-game", "Game", word=name[:QUOTED], names=", ".join(GAMES))
    game = GAMES[name]
    for tag in (GAME_TAGS | game.own_tags) & tags.keys():
        if len(tags[tag]) > TAG_LIMIT_LETTERS:
            raise Fault("too-long", tag, most=TAG_LIMIT_LETTERS)
    players = _read_players(tags)
    start = 0
    if "Start" in tags:
        seat = seat_of(tags["Start"], [player.name for player in players])
        if seat is None:
            names = ", ".join(player.name for player in players)
            raise Fault("no-such-starter", "Start", name=tags["Start"][:QUOTED], names=names)
        start = seat
    for tag in ("Board", "BoardData"):
        if tag in tags and game.board is None:
            raise Fault("no-board", tag, game=name)
    return game, Setup(
        players,
        start,
        tags.get("Board"),
        tags.get("BoardData"),
        _read_rules(tags.get("Rules", ""), [rule.key for rule in game.house_rules]),
        tags.get("Position"),
        tags,
    )


def _read_players(tags: Mapping[str, str]) -> tuple[Player, ...]:
    if "Players" not in tags:
        raise Fault("players-missing", "Players")
    players: list[Player] = []
    for name, colour in player_pairs(tags["Players"]):
        if not name:  # there was only one word
            raise Fault("no-player", "Players", word=colour[:QUOTED])
        players.append(Player(name, colour))
        if len(name) > NAME_LIMIT_LETTERS:
            raise Fault("name-too-long", "Players", most=NAME_LIMIT_LETTERS)
    return tuple(players)


def _read_rules(text: str, known: Sequence[str]) -> dict[str, str]:
    rules: dict[str, str] = {}
    # without the condition an empty text would be one empty pair
    for pair in text.split(",") if text.strip() else ():
        key, equals, value = (part.strip() for part in pair.partition("="))
        if not equals and key not in known:  # words, perhaps a rule that does not exist
            raise unknown_rule(key, known)
        if not (key and equals and value):
            raise Fault("no-rule", "Rules", word=pair.strip()[:QUOTED])
        if key in rules:
            raise Fault("rule-twice", "Rules", key=key[:QUOTED])
        rules[key] = value
    return rules


def board_name(game: Game, tags: Mapping[str, str]) -> str | None:
    """Return the board's name; None without a board, or if the record's own board has no name."""
    if "BoardData" in tags:
        return tags.get("Board")
    rules = _read_rules(tags.get("Rules", ""), [rule.key for rule in game.house_rules])
    default = game.board.default_for(rules) if game.board else None
    return tags.get("Board", default)


def begin_game(tags: Mapping[str, str]) -> tuple[Game, AnyPosition]:
    """Begin the game of these tags; Fault if they contradict it."""
    game, setup = setup_of(tags)
    return game, game.begin(setup)


def begin(record: Record | Reading) -> tuple[Game, AnyPosition]:
    """Begin a record's game; a tag that contradicts it raises a Fault with its line."""
    try:
        return begin_game(record.tags)
    except Fault as fault:
        # a tag that is missing has no line: the first one is named
        fault.facts["line"] = record.tag_lines.get(fault.place, 1)
        raise
