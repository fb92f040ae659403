"""Plays a chess endgame to the mate, with tables of Gaviota or of Retrograde: only the line that opens them differs.

    python chess_drop_in.py                     # builds KRvK in a temporary folder
    python chess_drop_in.py --gaviota FOLDER    # a folder with krk.gtb.cp4
"""

import sys
import tempfile
from typing import List, Protocol

import chess
import chess.gaviota

import retrograde.chess

START = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"


class Tables(Protocol):
    """What the program needs of tables. The classes of both packages have it."""

    def probe_dtm(self, board: chess.Board, /) -> int: ...


def best(tables: Tables, board: chess.Board) -> chess.Move:
    """The fastest mate, or the slowest loss."""

    def after(move: chess.Move) -> int:
        board.push(move)
        try:
            # The plies of the opponent, who is to move: below 0 if he is mated.
            plies = tables.probe_dtm(board)
            if plies == 0:
                return 1_000 if board.is_checkmate() else 0
            return plies + (1_000 if plies < 0 else -1_000)
        finally:
            board.pop()

    return max(board.legal_moves, key=after)


def mate(tables: Tables, board: chess.Board) -> List[str]:
    """The moves to the mate. Without a winner, no moves."""
    moves: List[str] = []
    while tables.probe_dtm(board) != 0:
        move = best(tables, board)
        moves.append(board.san_and_push(move))
    return moves


def show(tables: Tables) -> None:
    board = chess.Board(START)
    moves = mate(tables, board)
    print(f"{len(moves)} plies: {' '.join(moves)}")
    try:
        tables.probe_dtm(chess.Board("8/8/8/8/8/2k5/8/KBN5 w - - 0 1"))
    except KeyError as error:
        print(f"{type(error).__name__}: {error}")


def main() -> None:
    if sys.argv[1:2] == ["--gaviota"]:
        with chess.gaviota.open_tablebase(sys.argv[2]) as tables:
            show(tables)
        return
    with tempfile.TemporaryDirectory() as folder:
        retrograde.chess.build(folder, ["KRvK"])
        with retrograde.chess.open_tablebase(folder) as tables_here:
            show(tables_here)


if __name__ == "__main__":
    main()
