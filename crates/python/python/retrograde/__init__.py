"""Solves two-player games on graphs with cycles, exactly: a value (win, loss or draw) and a distance in plies for every
state.

>>> import retrograde
>>> solution = retrograde.solve("pursuit", "P..\\n.*.\\n..T")
>>> solution.probe(solution.start)
Answer(value=<Value.WIN: 1>, distance=7)
>>> table = solution.save("small.table")        # look values up for years
>>> [table.text(state) for state in table.line("police 0,0 2,2").states[:2]]
['police 0,0 2,2', 'thief 0,1 2,2']

* :func:`solve`: the games of the program (:data:`GAMES`), or a game of your own (:class:`Game`).
* :class:`Positions`: a game of your own as positions and moves, which :func:`solve` takes as well. :func:`open` opens a table of it.
* :func:`solve_graph`: edges, a sparse matrix of scipy, a digraph of networkx.
* :class:`Table`: a table of ``retrograde solve --out`` or :meth:`Solution.save`.
* :class:`TableFolder`: a folder of ``retrograde build``, for any family of regions.
* :mod:`retrograde.chess`: such folders for boards of python-chess.
* :mod:`retrograde.errors`: the exceptions.

A value is always that of the player to move.
"""

from __future__ import annotations

from importlib.metadata import version as _version

from . import errors
from ._arrow import Columns
from ._explore import Positions
from ._folder import TableFolder
from ._graph import solve_graph
from ._picture import Picture
from ._positions import PositionSolution, PositionTable, open
from ._solve import GAMES, Game, GameName, solve
from ._solved import Solution, Solved, Table
from ._values import (
    DRAW,
    LOSS,
    OPEN,
    INVALID,
    WIN,
    Answer,
    Answers,
    Block,
    Counts,
    Level,
    Line,
    ManyMoves,
    Move,
    NamedMove,
    Progress,
    Status,
    Value,
)
from .errors import RetrogradeError, StateError, TableError

__version__ = _version("retrograde-solver")
"""The version of the package, which is that of the program."""

__all__ = [
    "DRAW",
    "GAMES",
    "LOSS",
    "OPEN",
    "INVALID",
    "WIN",
    "Answer",
    "Answers",
    "Block",
    "Columns",
    "Counts",
    "Game",
    "GameName",
    "Level",
    "Line",
    "ManyMoves",
    "Move",
    "NamedMove",
    "Picture",
    "PositionSolution",
    "PositionTable",
    "Positions",
    "Progress",
    "RetrogradeError",
    "Solution",
    "Solved",
    "StateError",
    "Status",
    "Table",
    "TableError",
    "TableFolder",
    "Value",
    "__version__",
    "errors",
    "open",
    "solve",
    "solve_graph",
]
