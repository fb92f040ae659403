"""Chess endgames of up to six pieces, in the manner of python-chess's ``chess.syzygy`` and ``chess.gaviota``.

>>> import chess, retrograde.chess
>>> retrograde.chess.build("endgames", ["KQvKR"])        # once; `retrograde build chess` does the same
>>> with retrograde.chess.Tablebase("endgames") as tables:
...     tables.probe_dtm(chess.Board("8/8/8/8/8/2k5/8/KQ6 w - - 0 1"))

Distances are plies to mate when the winner hurries and the loser delays; there is no fifty-move rule. This module needs
the package ``chess``: ``pip install chess``.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable, List, NamedTuple, Optional, Tuple, TypeVar, Union, overload

try:
    import chess
except ImportError as error:
    raise ImportError("retrograde.chess takes python-chess: pip install chess") from error

from . import _engine
from ._held import Closing
from ._names import kind
from ._progress import Report, reporting
from ._solve import checked_threads
from ._values import Answers, Value
from .errors import InputError, MissingTableError, NoDistancesError

__all__ = ["MissingTableError", "Move", "Tablebase", "build", "open_tablebase"]

Default = TypeVar("Default")

Board = Union[str, chess.Board]
"""A position: a board of python-chess, or a FEN."""


class Move(NamedTuple):
    """A legal move, and its value for the player who makes it."""

    move: chess.Move
    """The move."""
    value: Value
    """Win, loss or draw for the player who moves."""
    distance: Optional[int]
    """Plies to mate, the move itself counted."""


class Tablebase(Closing[_engine.Tablebase]):
    """An open folder of endgame tables. Many threads may use it at once.

    A position is a board of python-chess or a FEN. Each question has two forms. If there is no table of the position, or
    the position has castling rights, ``probe_`` raises :class:`MissingTableError`, which is a ``KeyError``, and ``get_``
    returns the default. A damaged table raises in both.
    """

    def __init__(self, directory: Union[str, "os.PathLike[str]"]) -> None:
        self._held = _engine.Tablebase(os.fspath(directory))

    @property
    def path(self) -> Path:
        """The folder."""
        return Path(self._engine.path)

    @property
    def materials(self) -> List[str]:
        """The materials whose tables are finished: ``["KQvK", "KRvK", "KQvKR"]``."""
        return self._engine.materials

    @property
    def has_distances(self) -> bool:
        """Whether the tables say how long a win takes."""
        return self._engine.distances

    def probe_wdl(self, board: Board) -> int:
        """1 if the player to move wins, 0 for a draw, -1 if that player loses."""
        return self._engine.value(*position(board))[0]

    def probe_dtm(self, board: Board) -> int:
        """Plies to mate: above 0 if the player to move wins, below 0 for a loss, 0 for a draw and for a player who is
        mated."""
        if not self.has_distances:
            raise NoDistancesError(f"{self.path}: the tables were built without distances", self.path)
        value, distance = self._engine.value(*position(board))
        return value * (distance or 0)

    @overload
    def get_wdl(self, board: Board) -> Optional[int]: ...
    @overload
    def get_wdl(self, board: Board, default: Default) -> Union[int, Default]: ...
    def get_wdl(self, board: Board, default: object = None) -> object:
        """The same as :meth:`probe_wdl`, or ``default`` where there is no table."""
        try:
            return self.probe_wdl(board)
        except MissingTableError:
            return default

    @overload
    def get_dtm(self, board: Board) -> Optional[int]: ...
    @overload
    def get_dtm(self, board: Board, default: Default) -> Union[int, Default]: ...
    def get_dtm(self, board: Board, default: object = None) -> object:
        """The same as :meth:`probe_dtm`, or ``default`` where there is no table."""
        try:
            return self.probe_dtm(board)
        except MissingTableError:
            return default

    def probe_moves(self, board: Board) -> List[Move]:
        """The legal moves, best first: the fastest mate, any draw, the slowest loss."""
        moves = self._engine.moves(*position(board))
        return [Move(chess.Move.from_uci(move), Value(value), distance) for move, (value, distance) in moves]

    @overload
    def get_moves(self, board: Board) -> Optional[List[Move]]: ...
    @overload
    def get_moves(self, board: Board, default: Default) -> Union[List[Move], Default]: ...
    def get_moves(self, board: Board, default: object = None) -> object:
        """The same as :meth:`probe_moves`, or ``default`` where there is no table."""
        try:
            return self.probe_moves(board)
        except MissingTableError:
            return default

    def probe_many(self, positions: Iterable[Board]) -> Answers:
        """The values and distances of many positions. All threads work on it.

        >>> values, distances = tables.probe_many(["8/8/8/8/8/2k5/8/KQ6 w - - 0 1"])
        """
        if isinstance(positions, (str, chess.Board)):
            raise TypeError("many positions are a sequence: [board]")
        fens = [each if isinstance(each, str) else fen(each) for each in positions]
        return Answers(*self._engine.probe_many(fens))

    def line(self, board: Board) -> List[Move]:
        """Best play from a position to the mate: the moves, each with its value for the player who makes it. Empty if
        the position is a draw."""
        if not self.has_distances:
            raise NoDistancesError(f"{self.path}: the tables were built without distances", self.path)
        at = placed(board).copy(stack=False)
        moves: List[Move] = []
        while self.probe_wdl(at) != 0:
            best = next(iter(self.probe_moves(at)), None)
            if best is None:
                break
            moves.append(best)
            at.push(best.move)
        return moves

    def check(self, material: Optional[str] = None) -> None:
        """Checks every byte of the table of a material, or of all tables."""
        for name in self.materials if material is None else [material]:
            self._engine.check(name)

    def __repr__(self) -> str:
        if self._held is None:
            return "<retrograde.chess.Tablebase, closed>"
        return f"<retrograde.chess.Tablebase {str(self.path)!r} of {len(self.materials)} materials>"


def placed(board: Board) -> chess.Board:
    """The board of a position, if it is one of chess."""
    if isinstance(board, str):
        try:
            return chess.Board(board)
        except ValueError as error:
            raise InputError(f"{board}: {error}") from None
    if not isinstance(board, chess.Board):
        raise TypeError(f"a position is a chess.Board or a FEN, and this is {kind(board)}: {board!r}")
    if type(board).uci_variant != "chess":
        raise MissingTableError(f"these are tables of chess, and this is {type(board).uci_variant}")
    return board


def fen(board: Board) -> str:
    """The FEN of a position that a table may have."""
    position(board)
    return placed(board).fen(en_passant="legal")


def open_tablebase(directory: Union[str, "os.PathLike[str]"]) -> Tablebase:
    """Opens a folder of endgame tables, as ``chess.syzygy.open_tablebase`` does."""
    return Tablebase(directory)


def position(board: Board) -> Tuple[Tuple[int, ...], bool, Optional[int]]:
    """A position in the form that the engine needs."""
    board = placed(board)
    if board.clean_castling_rights():
        raise MissingTableError("no table has positions with castling rights")
    sets = (
        board.occupied_co[chess.WHITE],
        board.occupied_co[chess.BLACK],
        board.kings,
        board.queens,
        board.rooks,
        board.bishops,
        board.knights,
        board.pawns,
    )
    if chess.popcount(board.occupied) > 6:
        raise MissingTableError(f"{chess.popcount(board.occupied)} men are on the board, and tables have at most 6")
    return sets, board.turn, board.ep_square if board.has_legal_en_passant() else None


def build(
    directory: Union[str, "os.PathLike[str]"],
    materials: Iterable[str],
    *,
    distances: bool = True,
    verify: bool = False,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    progress: Report = None,
) -> Tablebase:
    """Builds the tables of these materials (``["KQvKR"]``), and of all that captures and promotions lead to, and opens them.

    Finished tables stay: if a build is stopped, the same call continues it. With ``verify``, every value is checked
    against the values one move later before a table is written.
    """
    names = [materials] if isinstance(materials, str) else list(materials)
    count = checked_threads(threads)
    with reporting(progress, "settled") as report:
        _engine.build(os.fspath(directory), names, distances, verify, count, memory_max, report)
    return Tablebase(directory)
