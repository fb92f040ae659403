"""Solving: the games of the program, and games written in Python."""

from __future__ import annotations

import difflib
import operator
import os
import reprlib
from pathlib import Path
from typing import Any, Iterable, Literal, Optional, Protocol, Union, cast, overload

import numpy as np
import numpy.typing as npt

from . import _engine
from ._explore import Positions, Rules, explore
from ._memory import Ledger
from ._names import kind, meant, meant_path, whole
from ._positions import PositionSolution
from ._progress import Report, reporting
from ._solved import Solution
from ._values import OPEN
from .errors import InputError, RulesError

Argument = Union[bool, int, str, Iterable[int]]
"""What a parameter of a game may be."""

GameName = Literal[
    "achi",
    "chase",
    "corner",
    "dao",
    "dodgem",
    "fox-and-hounds",
    "graph",
    "hare-and-hounds",
    "l-game",
    "mu-torere",
    "pong-hau-ki",
    "pursuit",
    "quixo",
    "take",
    "text",
    "three-mens-morris",
    "tsoro-yematatu",
    "tapatan",
]
"""The names of the games of the program, so that a type checker finds a misspelt one."""

GAMES = _engine.games()
"""The games of the program: by name, what each is and the parameters that it takes, each with its help."""

KEYWORDS = ["board", "distances", "memory_max", "progress", "text", "threads"]
"""The arguments that every game takes."""

RUN_STATES = 1 << 18
"""How many states a game written in Python is asked about at a time."""

THREADS_MAX = 1024


class Game(Protocol):
    """A game written in Python. Its states have numbers from 0 on, below ``numbers``; each move passes the turn.

    The engine asks about many states at once, as arrays, and about each state once. In this game a player takes up to
    three stones from a heap, and a player who cannot move loses:

    >>> class Stones:
    ...     numbers = 1_000_000
    ...     def status(self, states):
    ...         return np.full(len(states), retrograde.OPEN)
    ...     def successors(self, states):
    ...         return states[:, None] - np.arange(1, 4)   # numbers below 0 are no moves
    >>> retrograde.solve(Stones()).probe(15)
    Answer(value=<Value.WIN: 1>, distance=7)
    """

    @property
    def numbers(self) -> int:
        """How many numbers the states have, including invalid ones."""

    def status(self, states: npt.NDArray[np.int64]) -> Any:
        """What the rules alone say of each state: an array of :class:`~retrograde.Value` and
        :class:`~retrograde.Status`, or such an array and one with the distances of decided states. An open state without
        moves is lost."""

    def successors(self, states: npt.NDArray[np.int64]) -> Any:
        """The moves of some open states. Either an array with a row for each state, in which numbers below 0 are no
        moves; or a pair of arrays, the origins and the targets of the moves, in any order."""


@overload
def solve(
    game: Positions,
    *,
    misere: bool = False,
    distances: bool = True,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    progress: Report = None,
) -> PositionSolution: ...


@overload
def solve(
    game: Union[None, GameName, Game] = None,
    board: Union[None, str, "os.PathLike[str]"] = None,
    *,
    text: Union[None, str, "os.PathLike[str]"] = None,
    distances: bool = True,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    progress: Report = None,
    **parameters: Optional[Argument],
) -> Solution: ...


def solve(
    game: Union[None, GameName, Game, Positions] = None,
    board: Union[None, str, "os.PathLike[str]"] = None,
    *,
    text: Union[None, str, "os.PathLike[str]"] = None,
    distances: bool = True,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    progress: Report = None,
    **parameters: Optional[Argument],
) -> Solution:
    """Solves a game of the program, or one of your own.

    :data:`~retrograde.GAMES` has the games of the program by name, each with its parameters. These are keyword
    arguments: ``retrograde.solve("take", heaps=[3, 5], take="any")``. A game of your own is an object with ``numbers``,
    ``status`` and ``successors`` (:class:`Game`), or with ``start`` and ``moves`` (:class:`Positions`), and the answer is a
    :class:`PositionSolution`. Its only parameter is ``misere``, with which the player who cannot move wins.

    ``text`` is a board game on one page of text, in place of a name: ``retrograde.solve(text=pathlib.Path("dao.game"))``.

    ``board`` is the text of a board or graph. Both may be a ``pathlib.Path`` to read the text from. Without
    ``distances`` the solve is faster and takes less memory. ``threads`` is the number of threads [all]. ``progress`` is ``True`` for a line on standard
    error, or a function that is called now and then with :class:`~retrograde.Progress`. An exception that it raises
    stops the solve, and so does Ctrl-C. A game of positions reports twice: first how many positions are explored, of those found so
    far, with the number of moves from the start as ``level``.

    ``memory_max`` is the number of bytes that all may take together [the free memory]: the arrays of the solve; for a game
    of your own also its moves, which are stored forwards and backwards, and the arrays that its methods answer. What does
    not fit raises :class:`~retrograde.errors.MemoryLimitError`, which has the bytes that it takes; while moves are still
    gathered, those of the moves so far.

    >>> solution = retrograde.solve("pursuit", pathlib.Path("examples/board.txt"))
    >>> solution.probe(solution.start)
    Answer(value=<Value.WIN: 1>, distance=13)
    """
    if text is not None:
        if game is not None or board is not None:
            raise TypeError("text is a whole game: leave the game and the board out")
        game, board = "text", text
    if game is None:
        raise TypeError("name a game, give one of your own, or a text")
    if isinstance(game, str):
        check_names(game, parameters)
    elif board is not None or set(parameters) - {"misere"}:
        wrong = [name for name in parameters if name != "misere"]
        raise TypeError(
            "a game written in Python takes no board and no parameters here, except misere: it has them in itself"
            + (f"; here is {', '.join(map(repr, wrong))}" if wrong else "")
            + "".join(meant(name, KEYWORDS) for name in wrong)
        )
    arguments = {name: written(name, value) for name, value in parameters.items() if value is not None and value is not False}
    count = checked_threads(threads)
    if not isinstance(game, str):
        misere = arguments.pop("misere", None) == "true"
        parts = [hasattr(game, name) for name in ("start", "moves")]
        if all(parts) or (any(parts) and not hasattr(game, "numbers")):
            rules = Rules(cast(Positions, game))
            with reporting(progress, "explored") as report:
                found = explore(rules, Ledger(memory_max), report)
            with reporting(progress, "settled") as report:
                return PositionSolution(found.lists.solve(misere, distances, count, report), found, rules, misere)
        if not any(hasattr(game, name) for name in ("numbers", "status", "successors")):
            raise TypeError(
                "a game has start and moves (retrograde.Positions), or numbers, status and successors (retrograde.Game), and"
                f" this is {kind(game)}: {reprlib.repr(game)}{other_door(game)}"
            )
        lists = gather(cast(Game, game), Ledger(memory_max))
        with reporting(progress, "settled") as report:
            return Solution(lists.solve(misere, distances, count, report))
    source = None
    if board is not None:
        named = f"the {'text' if game == 'text' else 'board'}"
        source = (named, board) if isinstance(board, str) else (os.fspath(board), read(Path(board)))
    try:
        with reporting(progress, "settled") as report:
            held = _engine.solve(game, list(arguments.items()), source, distances, count, memory_max, report)
    except InputError as error:
        if isinstance(board, str) and "\n" not in board and os.path.exists(board):
            advice = f"{error}; to read the file {board!r}, pass pathlib.Path({board!r})"
            raise InputError(advice, error.line) from None
        raise
    return Solution(held)


def other_door(game: object) -> str:
    """The function that takes this instead of ``solve``, as the end of an error."""
    if type(game).__module__.startswith("pyspiel"):
        return "; retrograde.openspiel.solve takes games of OpenSpiel"
    if isinstance(game, (dict, list, tuple)) or hasattr(game, "edges"):
        return "; retrograde.solve_graph takes lists of edges and graphs of networkx"
    return ""


def check_names(game: str, parameters: Iterable[str]) -> None:
    """Refuses the name of no game, and of a parameter that no game has."""
    if game not in GAMES:
        raise InputError(f"there is no game {game!r}{meant(game, GAMES) or '; there are ' + ', '.join(GAMES)}")
    own = GAMES[game][1]
    for name in parameters:
        if not any(name in those for _, those in GAMES.values()):
            takes = f"it takes {', '.join(own)}" if own else "it takes none"
            raise InputError(f"{game} has no parameter {name!r}{meant(name, [*own, *KEYWORDS]) or '; ' + takes}")


def written(name: str, value: Argument) -> str:
    """An argument in the form of the command line: ``3``, ``3,5,7``, ``any``, ``true``."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Iterable):
        return ",".join(written(name, each) for each in value)
    return str(operator.index(value))


def read(path: Path) -> str:
    """The text of a board, graph or game."""
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise FileNotFoundError(error.errno, f"{error.strerror}{meant_path(path)}", str(path)) from None
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: {error}; boards, graphs and games are written in UTF-8") from None


def checked_threads(threads: Optional[int]) -> int:
    """The number of threads for the engine, for which 0 stands for all."""
    if threads is None:
        return 0
    if not 1 <= threads <= THREADS_MAX:
        raise ValueError(f"{threads} threads: ask for 1 to {THREADS_MAX}")
    return threads


def gather(game: Game, ledger: Ledger) -> _engine.Lists:
    """Asks a game about all of its states, run by run."""
    for name in ("numbers", "status", "successors"):
        if not hasattr(game, name):
            named = [each for each in dir(game) if not each.startswith("_")]
            close = difflib.get_close_matches(name, named, n=1)
            hint = f"; is {close[0]!r} meant?" if close else ""
            raise TypeError(f"a game has numbers, status and successors (retrograde.Game), and {game!r} has no {name}{hint}")
    count = whole(game.numbers, "numbers is how many numbers the states have")
    lists = _engine.Lists(count, ledger.limit, ledger.kept)
    for first in range(0, count, RUN_STATES):
        states = np.arange(first, min(count, first + RUN_STATES), dtype=np.int64)
        said = game.status(states)
        status, distances = said if isinstance(said, tuple) else (said, None)
        status = numbers(status, "status", np.int8)
        if status.shape != states.shape:
            raise RulesError(f"status() answers {status.shape} for {len(states)} states: it is one number a state")
        if distances is not None:
            distances = numbers(distances, "the distances of status", np.int64)
        open_states = states[status == OPEN]
        moves: Any = game.successors(open_states) if len(open_states) else np.empty((0, 0), dtype=np.int64)
        if isinstance(moves, tuple):
            if len(moves) != 2:
                raise RulesError(f"successors() answers {len(moves)} arrays: it is two, from where and to where")
            origins = numbers(moves[0], "successors", np.int64)
            targets = numbers(moves[1], "successors", np.int64)
            lists.add_pairs(status, distances, origins, targets)
            continue
        rows = numbers(moves, "successors", np.int64)
        if rows.ndim != 2 or len(rows) != len(open_states):
            raise RulesError(
                f"successors() answers {rows.shape} for {len(open_states)} states: it is a row of moves for each"
            )
        lists.add_rows(status, distances, rows)
    return lists


def numbers(array: Any, what: str, kind: Any) -> npt.NDArray[Any]:
    """An array of whole numbers in the form that the engine needs."""
    array = np.asarray(array)
    if array.size and array.dtype.kind not in "iu":
        raise RulesError(f"{what}() answers {array.dtype}: it is whole numbers")
    if array.size and array.dtype != kind:
        # A number that does not fit would become another one.
        for number in (int(array.min()), int(array.max())):
            if not np.iinfo(kind).min <= number <= np.iinfo(kind).max:
                raise RulesError(f"{what}() answers {number}, which no such number can be")
    return np.ascontiguousarray(array, dtype=kind)
