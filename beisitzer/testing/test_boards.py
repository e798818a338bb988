"""A board that was written reads back."""

import pytest

from pi_app.table.boards import board_toml, make_board, read_board, shipped_boards


@pytest.mark.game_with("board")
def test_a_board_file_reads_back_as_it_was_written(game: str) -> None:
    for shipped in shipped_boards(game):
        board = make_board(game, "mine ü \\ x", shipped.data.split())
        assert read_board(board_toml(board)) == board
