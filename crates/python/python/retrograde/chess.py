"""Chess endgames of up to six pieces. A program for ``chess.gaviota`` of python-chess runs with this module in its place:
the names, signs and exceptions are the same.

>>> import chess, retrograde.chess
>>> retrograde.chess.build("endgames", ["KQvK", "KRvK"])    # once, as `retrograde build chess KQvK KRvK --out endgames`
<retrograde.chess.Tablebase of 2 materials in 'endgames'>
>>> with retrograde.chess.open_tablebase("endgames") as tables:
...     tables.probe_dtm(chess.Board("8/8/8/8/8/2k5/1R6/K7 w - - 0 1"))
31

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
from ._names import kind, meant_path
from ._progress import Report, reporting
from ._remote import is_url, remote
from ._solve import checked_threads
from ._values import Answers, Value
from .errors import InputError, MissingTableError, TableMissingError

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
    """Open folders of endgame tables: none at first, or one. Many threads may use it at once.

    A position is a board of python-chess or a FEN. Each question has two forms. If no folder has the table of a position,
    or the position has castling rights, ``probe_`` raises :class:`MissingTableError`, which is a ``KeyError`` and names the
    command that makes the table. ``get_`` returns the default instead. A damaged table raises in both.
    """

    def __init__(self, directory: Optional[Union[str, "os.PathLike[str]"]] = None) -> None:
        self._held = _engine.Tablebase()
        if directory is not None:
            self.add_directory(directory)

    def add_directory(self, directory: Union[str, "os.PathLike[str]"]) -> int:
        """Opens one more folder, and returns how many tables it has. It opens each table when a position first needs it.
        If several folders have a table, one with distances answers.

        The folder may be a URL, ``https://example.org/endgames``. Then a position reads only the parts of the tables that it
        needs. Any web server will do that lists the files of the folder, or has an ``index.html`` with links to them, and that
        sends parts of files (``Range``)."""
        path = os.fspath(directory)
        path = path.rstrip("/") if is_url(path) else path
        try:
            self._held, count = self._engine.with_folder(path, remote(path) if is_url(path) else None)
        except TableMissingError as error:
            raise TableMissingError(f"{error}{meant_path(directory)}", error.path) from None
        return count

    @property
    def paths(self) -> List[Path]:
        """The folders."""
        return [Path(path) for path in self._engine.paths]

    @property
    def materials(self) -> List[str]:
        """The materials whose tables are finished: ``["KQvK", "KRvK", "KQvKR"]``."""
        return self._engine.materials

    @property
    def has_distances(self) -> bool:
        """Whether the tables of all folders say how long a win takes."""
        return self._engine.distances

    def probe_wdl(self, board: Board) -> int:
        """1 if the player to move wins, 0 for a draw, -1 if that player loses."""
        return self._engine.value(*position(board), False)[0]

    def probe_dtm(self, board: Board) -> int:
        """Plies to mate: above 0 if the player to move wins, below 0 for a loss, 0 for a draw and for a player who is
        mated. A table without distances raises :class:`~retrograde.errors.NoDistancesError`."""
        value, distance = self._engine.value(*position(board), True)
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
        >>> values.tolist(), distances.tolist()
        ([1], [11])
        """
        if isinstance(positions, (str, chess.Board)):
            raise TypeError("many positions are a sequence: [board]")
        fens = [each if isinstance(each, str) else fen(each) for each in positions]
        return Answers(*self._engine.probe_many(fens))

    def line(self, board: Board) -> List[Move]:
        """Best play from a position to the mate: the moves, each with its value for the player who makes it. Empty if
        the position is a draw."""
        at = placed(board).copy(stack=False)
        moves: List[Move] = []
        while self.probe_dtm(at) != 0:
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
        count = len(self.materials)
        folders = ", ".join(repr(str(path)) for path in self.paths) or "no folder"
        return f"<retrograde.chess.Tablebase of {count} material{'' if count == 1 else 's'} in {folders}>"


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
    """Opens a folder of endgame tables, as ``chess.gaviota.open_tablebase`` does."""
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
