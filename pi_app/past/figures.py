"""Statistics in words, and heat maps that show how often each field of a board was used."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from functools import lru_cache

from engines.game import SetupError
from pi_app.past.facts import board_tags
from pi_app.past.statistics import (
    FieldCounts,
    GameStatistics,
    Length,
    PairStatistics,
    PlayerStatistics,
    favourites,
    usual_board,
)
from pi_app.table.presentation import PRESENTATIONS
from pi_app.texts.common import join_names
from pi_app.texts.language import Texts
from pi_app.view.frame import Cell, Picture

SHADES = 4
"""The darkest shade of a heat map."""
MOST_NAMES = 3
"""If more players share a record, only their number is given."""


def game_words(tx: Texts, game: str) -> str:
    """Return a game's name as on its box; the name of an unknown game stays as it is."""
    return PRESENTATIONS[game].name(tx) if game in PRESENTATIONS else game


def reason_words(tx: Texts, game: str, reason: str) -> str:
    """Return how a game was won, in a word or two."""
    return PRESENTATIONS[game].reason(tx, reason) if game in PRESENTATIONS else reason


def one_decimal(tx: Texts, value: float) -> str:
    """Write a number with one decimal place, after a point or, in German, a comma."""
    text = f"{value:.1f}"
    return text.replace(".", ",") if tx.language != "en" else text


def percent(part: float, whole: float) -> int:
    """Return a share in whole percent; 0 if `whole` is 0."""
    return round(100 * part / whole) if whole else 0


def overview_lines(tx: Texts, game: GameStatistics) -> tuple[str, ...]:
    """Describe the finished games of one kind, a line for each fact."""
    lines = [tx.many("line", "{n} game", "{n} games", game.length.games)]
    lines += _length_lines(tx, game.length)
    if game.decided:
        lines.append(
            tx(
                "line",
                "who begins wins {n} % of them ({even} % if that made no difference)",
                n=percent(game.first_won, game.decided),
                even=percent(game.first_share, game.decided),
            )
        )
    lines += _field_lines(tx, game.game, game.boards)
    longest, names = game.longest_row
    # one line, or none if nobody had a row
    lines += [f"{row} ({_join_names(tx, names)})" for row in _row_lines(tx, game.game, longest)]
    most, names = game.best_streak
    if most > 1:
        line = tx("line", "most games won one after the other: {n}", n=most)
        lines.append(f"{line} ({_join_names(tx, names)})")
    return tuple(lines)


def player_lines(tx: Texts, player: PlayerStatistics) -> tuple[str, ...]:
    """Say how often a player played and won a game, and how; the name is left out."""
    lines = [
        tx("line", "played: {n}", n=player.played),
        tx("line", "won: {n} ({share} %)", n=player.won, share=percent(player.won, player.played)),
        *(
            tx(
                "line",
                "won by {reason}: {n}",
                reason=reason_words(tx, player.game, reason),
                n=count,
            )
            for reason, count in player.won_by.most_common()
        ),
    ]
    if player.average is not None:
        lines.append(tx("line", "points on average: {n}", n=one_decimal(tx, player.average)))
    if player.streak.most > 1:
        lines.append(
            tx(
                "line",
                "won one after the other: {n}, now {now}",
                n=player.streak.most,
                now=player.streak.now,
            )
        )
    if player.first:
        lines.append(tx("line", "began {n} times, won {won}", n=player.first, won=player.won_first))
    lines += _row_lines(tx, player.game, player.row)
    lines += _field_lines(tx, player.game, player.boards)
    lines += _length_lines(tx, player.length)
    return tuple(lines)


def pair_lines(tx: Texts, pair: PairStatistics) -> tuple[str, ...]:
    """Say how often two players won against each other, and as partners."""
    lines = []
    if pair.played:
        lines.append(tx("line", "against each other: {n}", n=pair.played))
        for name, won, streak in zip(pair.names, pair.won, pair.streaks, strict=True):
            share = percent(won, pair.played)
            lines.append(tx("line", "{name} won {n} ({share} %)", name=name, n=won, share=share))
            if streak.most > 1:
                lines.append(
                    tx("line", "{name} won one after the other: {n}", name=name, n=streak.most)
                )
    if pair.together:
        lines.append(
            tx("line", "as partners: {n}, won {won}", n=pair.together, won=pair.won_together)
        )
    return tuple(lines)


def _row_lines(tx: Texts, game: str, length: int) -> list[str]:
    """Say how long the longest row was; empty without a row, or without the game's words."""
    return [PRESENTATIONS[game].row_words(tx, length)] if length and game in PRESENTATIONS else []


def _length_lines(tx: Texts, length: Length) -> list[str]:
    lines = [
        tx("line", "moves on average: {n}", n=one_decimal(tx, length.average_moves)),
        tx.many("line", "longest game: {n} move", "longest game: {n} moves", length.longest),
    ]
    if length.average_minutes is not None:
        lines.append(
            tx("line", "minutes on average: {n}", n=one_decimal(tx, length.average_minutes))
        )
    return lines


def _field_lines(tx: Texts, game: str, boards: dict[str, FieldCounts]) -> list[str]:
    board, fields = usual_board(boards)
    names = labels(tx, game, board)
    favourite = (
        tx("line", "favourite: {field} ({n}×)", field=names.get(cell, cell), n=count)
        for cell, count in favourites(fields.reached, 1)
    )
    blocked = (
        tx("line", "most often blocked: {field} ({n}×)", field=names.get(cell, cell), n=count)
        for cell, count in favourites(fields.barred, 1)
    )
    return [*favourite, *blocked]


def _join_names(tx: Texts, names: list[str]) -> str:
    if len(names) <= MOST_NAMES:
        return join_names(tx, names)
    return tx("line", "{n} players", n=len(names))


def labels(tx: Texts, game: str, board: str) -> dict[str, str]:
    """Return the label of each cell of a board, by its name in records."""
    picture = _empty_board(tx, game, board)
    if picture is None:
        return {}
    # two cells with the same text are told apart by their names
    texts = Counter(cell.text for cell in picture.cells)
    return {
        cell.name: _without_spaces(cell.text)
        if texts[cell.text] == 1
        else f"{_without_spaces(cell.text)} {cell.name}".strip()
        for cell in picture.cells
        if cell.name
    }


def heat_map(
    tx: Texts, game: str, boards: dict[str, FieldCounts], *, barred: bool
) -> Picture | None:
    """Return how often fields were reached, or `barred`, on the board that was used most.

    None if nothing was counted or the board cannot be drawn.
    """
    board, fields = usual_board(boards)
    counts = fields.barred if barred else fields.reached
    picture = _empty_board(tx, game, board)
    if picture is None or not any(counts[cell.name] for cell in picture.cells):
        return None
    # a cell without a text is no field that can be used like others: it sets no limit
    field_counts = [counts[cell.name] for cell in picture.cells if cell.name and cell.text]
    least, most = min(field_counts), max(field_counts)

    def shade_cell(cell: Cell) -> Cell:
        if not cell.name:
            return cell
        count = counts[cell.name]
        shade = round(SHADES * (count - least) / max(1, most - least)) if count else 0
        # max: a cell that sets no limit may have fewer than the least
        return replace(cell, shade=max(0, shade), note=str(count) if count else "")

    return replace(picture.with_cells([shade_cell(cell) for cell in picture.cells]), heat=True)


def heat_lines(
    tx: Texts, game: str, boards: dict[str, FieldCounts], *, barred: bool, most: int = 4
) -> tuple[str, ...]:
    """Name the cells of a heat map with the highest counts."""
    board, fields = usual_board(boards)
    names = labels(tx, game, board)
    return tuple(
        f"{names.get(cell, cell)}: {count}×"
        for cell, count in favourites(fields.barred if barred else fields.reached, most)
    )


@lru_cache(maxsize=16)
def _empty_board(tx: Texts, game: str, board: str) -> Picture | None:
    """Return an empty board, with cards as a grid; None if it cannot be drawn here.

    A space separates a playing card's rank from its suit, so that it is painted as a field.
    """
    presentation = PRESENTATIONS.get(game)
    if presentation is None:
        return None
    try:
        picture = presentation.empty_board(tx, board_tags(board))
    except SetupError:
        return None
    is_cards = picture.kind == "cards"
    cells = [
        replace(
            cell, text=_CARD.sub(r"\1 \2", cell.text), note="", large=cell.large and not is_cards
        )
        for cell in picture.cells
        if not (is_cards and cell.large)  # the open card, which is among the others too
    ]
    return replace(picture.with_cells(cells), kind="grid" if is_cards else picture.kind)


def _without_spaces(text: str) -> str:
    return text.replace(" ", "")


_CARD = re.compile(r"^(\w+)([♠♥♦♣])$")
"""A rank and a suit."""
