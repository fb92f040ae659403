"""Games with known values: :class:`Solution`, just solved, and :class:`Table`, from a file."""

from __future__ import annotations

import html
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, Dict, Hashable, Iterator, List, Literal, Mapping, Optional, Sequence, Tuple, Union, get_args

import numpy as np
import numpy.typing as npt

from . import _engine
from ._arrow import Columns, columns, frame
from ._held import Closing, Held
from ._names import Names, Nodes, States, meant, meant_path, whole
from ._picture import Picture, picture
from ._progress import Report, reporting
from ._values import INVALID, Answer, Answers, Block, Counts, Level, Line, ManyMoves, Move, State, Value
from .errors import InputError, NoDistancesError, NoRulesError, StateError, TableMissingError, WriteError

if TYPE_CHECKING:
    import pandas

BLOCK_STATES = 1 << 16

NAMES_MAX = 1_000
"""No picture of a graph has more names than this."""

Compression = Literal["none", "fast", "standard", "best"]
"""How well a table is packed."""

Labels = Mapping[Tuple[int, int], Hashable]
"""What the edges of a graph are called, by the numbers of their ends."""


class Solved(Held[_engine.HeldGame]):
    """The common part of a solution and a table. You name a state by its number or by its text; if a graph of networkx
    was solved, by its node."""

    _nodes: Optional[Nodes] = None
    _counted: Optional[int] = None

    @property
    def _names(self) -> Names:
        return Names(len(self), self._engine.parse) if self._nodes is None else self._nodes

    # What there is.

    @property
    def state_count(self) -> int:
        """How many states there are: those that are won, lost or drawn. ``len`` counts invalid numbers as well."""
        if self._counted is None:
            counts = self.counts()
            if counts:
                self._counted = sum(each.win + each.loss + each.draw for each in counts.values())
            else:
                # The table does not say.
                self._counted = sum(int((values != INVALID).sum()) for _, values, _ in self.blocks())
        return self._counted

    def __len__(self) -> int:
        """How many numbers the states have, including invalid ones. They begin at 0."""
        return self._engine.numbers

    @property
    def longest(self) -> Optional[int]:
        """The longest distance of any value, in plies; ``None`` if there is none, or if no distances were kept."""
        levels = self.levels() if self.has_distances else []
        return max((level.distance for level in levels), default=None)

    @property
    def longest_win(self) -> Optional[int]:
        """The longest distance of a win, in plies; ``None`` if there is none, or if no distances were kept."""
        levels = self.levels() if self.has_distances else []
        return max((level.distance for level in levels if level.wins), default=None)

    @property
    def has_distances(self) -> bool:
        """Whether distances were kept."""
        return self._engine.distances

    @property
    def bytes(self) -> int:
        """How many bytes the solve took at its peak, or how long the file of a table is."""
        return self._engine.bytes

    @property
    def sides(self) -> List[str]:
        """The players: ``["police", "thief"]``, or ``["player"]`` if both are alike."""
        return self._engine.sides

    @property
    def start(self) -> Optional[int]:
        """The start state, if the game has one."""
        return self._engine.start

    def counts(self) -> Dict[str, Counts]:
        """How many states each side wins, loses and draws."""
        return {side: Counts(*counts) for side, counts in self._engine.counts().items()}

    def levels(self) -> List[Level]:
        """How many states settle at each distance, from the shortest to the longest."""
        return [Level(*level) for level in self._engine.levels()]

    # One state.

    def probe(self, state: State) -> Answer:
        """The value and the distance of a state. An error if its number stands for no position; ``probe_many`` has the
        value ``INVALID`` there.

        >>> solution.probe("police 3,0 5,4")
        Answer(value=<Value.WIN: 1>, distance=13)
        """
        value, distance = self._engine.probe(self.number(state))
        return Answer(Value(value), distance)

    def value(self, state: State) -> Value:
        """Win, loss or draw for the player to move."""
        return self.probe(state).value

    def distance(self, state: State) -> Optional[int]:
        """Plies to the end when the winner hurries and the loser delays; ``None`` for a draw. An error if no distances
        were kept."""
        if not self.has_distances:
            path = self._engine.path
            if path is not None:
                raise NoDistancesError(f"{path}: the table was written without distances", Path(path))
            raise NoRulesError("the game was solved with distances=False: solve it with distances")
        return self.probe(state).distance

    def moves(self, state: State) -> List[Move]:
        """The moves of a state, each with its value for the player who makes it, best first: the fastest win, any draw,
        the slowest loss. Empty if the rules decide the state."""
        moves, name = self._engine.moves(self.number(state)), self._names.name
        return [Move(name(to), Value(value), distance) for to, (value, distance) in moves]

    def line(self, state: State) -> Line:
        """Best play from a state to the end; for a draw, to where it repeats itself."""
        states, end, (value, _), back_to = self._engine.line(self.number(state))
        return Line(list(map(self._names.name, states)), end, Value(value), back_to)

    # Many states.

    def probe_many(self, states: States) -> Answers:
        """The values and distances of many states. All threads work on it, and other threads of Python run meanwhile.
        Each block of a table is unpacked once.

        ``states`` is a sequence with a state for each element: its number, its text or its node. Or it is an array of
        numpy, and the answers have its shape.

        >>> values, distances = table.probe_many(np.arange(len(table)))
        >>> int((values == retrograde.WIN).sum())
        1426
        """
        numbers = self._names.numbers(states)
        values, distances = self._engine.probe_many(numbers.reshape(-1))
        return Answers(values.reshape(numbers.shape), distances.reshape(numbers.shape))

    def moves_many(self, states: States) -> ManyMoves:
        """The moves of many states at once, named as in :meth:`probe_many`. All threads work on it.

        >>> solution = retrograde.solve_graph([(0, 1), (1, 2), (2, 0), (1, 3)])
        >>> offsets, to, values, distances = solution.moves_many([0, 1])
        >>> offsets.tolist(), to.tolist(), values.tolist(), distances.tolist()
        ([0, 1, 3], [1, 3, 2], [-1, 1, -1], [2, 1, 4])
        """
        numbers = self._names.numbers(states)
        offsets, targets, (values, distances) = self._engine.moves_many(numbers.reshape(-1))
        return ManyMoves(offsets, self._names.targets(targets), values, distances)

    def blocks(self, first: int = 0, stop: Optional[int] = None, size: int = BLOCK_STATES) -> Iterator[Block]:
        """Iterates over the states from number ``first`` up to ``stop``, or to the last, in blocks of ``size`` states.

        >>> sum(int((values == retrograde.WIN).sum()) for _, values, _ in table.blocks())
        1426
        """
        first, stop = self._range(first, stop)
        if whole(size, "a size is a whole number") < 1:
            raise ValueError("a block has at least one state")
        return self._blocks(first, stop, size)

    def _range(self, first: int, stop: Optional[int]) -> Tuple[int, int]:
        first = whole(first, "first is the number of a state")
        stop = len(self) if stop is None else whole(stop, "stop is the number of a state")
        if not 0 <= first <= stop <= len(self):
            raise StateError(f"from {first} to {stop}: states are numbered from 0 to {len(self) - 1}")
        return first, stop

    def _blocks(self, first: int, stop: int, size: int) -> Iterator[Block]:
        for begin in range(first, stop, size):
            values, distances = self._engine.range(begin, min(size, stop - begin))
            yield Block(begin, values, distances)

    def to_arrow(self, first: int = 0, stop: Optional[int] = None, *, texts: bool = False) -> Columns:
        """The states from number ``first`` up to ``stop``, or to the last, as columns for polars, pyarrow, duckdb and other
        libraries that know Arrow: ``state``, ``value``, ``distance``, and with ``texts`` also ``text``. Numbers are not
        copied. This needs the package ``nanoarrow``: ``pip install nanoarrow``.

        >>> frame = polars.DataFrame(table.to_arrow(texts=True))   # doctest: +SKIP
        """
        first, stop = self._range(first, stop)
        values, distances = self._engine.range(first, stop - first)
        return columns(first, values, distances, self._texts(first, stop) if texts else None)

    def to_pandas(self, first: int = 0, stop: Optional[int] = None, *, texts: bool = False) -> pandas.DataFrame:
        """The same as a frame of pandas. Its index is the numbers of the states. An invalid number has no value, and a state
        without a distance has none. This needs the package ``pandas``: ``pip install pandas``.

        >>> frame = table.to_pandas(texts=True)
        >>> longest = frame.nlargest(10, "distance")
        """
        first, stop = self._range(first, stop)
        values, distances = self._engine.range(first, stop - first)
        return frame(first, values, distances, self._texts(first, stop) if texts else None)

    def texts(self, states: States) -> List[Optional[str]]:
        """The texts of many states; ``None`` for a number that stands for no position.

        >>> solution.texts([solution.start])
        ['police 3,0 5,4']
        """
        return self._texts_of(self._names.numbers(states).reshape(-1))

    def _texts(self, first: int, stop: int) -> List[Optional[str]]:
        return self._texts_of(np.arange(first, stop, dtype=np.uint64))

    def _texts_of(self, numbers: npt.NDArray[np.uint64]) -> List[Optional[str]]:
        if self._nodes is None:
            return self._engine.texts(numbers)
        nodes = self._nodes.nodes
        return [str(nodes[number]) for number in numbers.tolist()]

    # States and their names.

    def number(self, state: State) -> int:
        """The number of a state, given its number, its text or its node."""
        return self._names.number(state)

    def text(self, state: State) -> str:
        """The text of a state: ``police 3,0 5,4``."""
        number = self.number(state)
        return self._engine.text(number) if self._nodes is None else str(self._nodes.name(number))

    def picture(self, state: Optional[State] = None) -> Optional[Picture]:
        """The board of a state, if the game has one: its text, and in a notebook a drawing with the values of the moves.
        Without a state, the start."""
        state = self.start if state is None else state
        return None if state is None else picture(self._engine.picture(self.number(state)))

    def _repr_svg_(self) -> Optional[str]:
        """The picture in a notebook. If a player has one man, a map of the values with this man on each point. For a small
        graph, its states and moves. Otherwise how many states are won and lost at each distance."""
        if self._held is None:
            return None
        title = f"{self._title()}: {self.state_count:,} states"
        found = self._engine.map(title)
        if found is None:
            names = None if self._nodes is None else [str(node) for node in self._nodes.nodes[:NAMES_MAX]]
            found = self._engine.graph(title, names)
        return self._engine.histogram(title) if found is None and self.has_distances else found

    def _repr_html_(self) -> Optional[str]:
        """The same, with the counts of each side."""
        if self._held is None:
            return None
        head = "<tr><th></th><th>wins</th><th>draws</th><th>losses</th></tr>"
        rows = "".join(
            f"<tr><th>{html.escape(side)}</th><td>{of.win:,}</td><td>{of.draw:,}</td><td>{of.loss:,}</td></tr>"
            for side, of in self.counts().items()
        )
        return f"<table>{head}{rows}</table>{self._repr_svg_() or ''}"

    def _title(self) -> str:
        path = self._engine.path
        return "solved game" if path is None else Path(path).stem

    def side_to_move(self, state: State) -> str:
        """Which of ``sides`` is to move."""
        return self._engine.side_to_move(self.number(state))

    # Is it right?

    def verify(self, progress: Report = None) -> None:
        """Checks that every value follows from the rules and the values one move later. Raises
        :class:`~retrograde.errors.VerifyError` if one does not."""
        with reporting(progress, "verified") as report:
            self._engine.verify(report)


class Solution(Solved):
    """A solved game, the result of :func:`~retrograde.solve` and :func:`~retrograde.solve_graph`."""

    def __init__(
        self, held: _engine.HeldGame, nodes: Optional[Nodes] = None, labels: Optional[Labels] = None
    ) -> None:
        self._held = held
        self._nodes = nodes
        self._labels = labels or {}

    @property
    def nodes(self) -> Optional[Sequence[Hashable]]:
        """The nodes of the graph in the order of their numbers, if the graph had named nodes."""
        return None if self._nodes is None else self._nodes.nodes

    def label(self, state: State, to: State) -> Optional[Hashable]:
        """The label of the edge from one state to another, if the graph has labels."""
        return self._labels.get((self.number(state), self.number(to)))

    def save(
        self,
        path: Union[str, "os.PathLike[str]"],
        *,
        compression: Compression = "standard",
        half: bool = False,
        overwrite: bool = False,
        game: Optional[str] = None,
        parameters: Any = None,
        progress: Report = None,
    ) -> Table:
        """Writes a table, whole or not at all, and opens it. An existing file is an error, unless ``overwrite`` is
        given.

        ``compression`` is ``none``, ``fast``, ``standard`` or ``best``. With ``half`` the table keeps only the states
        of one side, if the sides differ. A game that the program does not know needs a name, ``game``, and may have
        ``parameters``: any JSON value.
        """
        if not overwrite and os.path.exists(path):
            raise WriteError(f"{os.fspath(path)}: there is a file of this name; overwrite=True writes over it", Path(path))
        if compression not in get_args(Compression):
            hint = meant(compression, get_args(Compression)) or f"; there are {', '.join(get_args(Compression))}"
            raise InputError(f"there is no compression {compression!r}{hint}")
        about = None if game is None else (game, json.dumps(parameters))
        with reporting(progress, "written") as report:
            self._engine.save(os.fspath(path), compression, half, about, report)
        return Table(path)

    def __repr__(self) -> str:
        return f"<retrograde.Solution of {len(self):,} numbers>"


class Table(Solved, Closing[_engine.HeldGame]):
    """An open table: a solved game on disk. Opening reads the header alone; a block is read when a question needs it.

    >>> with retrograde.Table("board.table") as table:
    ...     table.value("police 3,0 5,4")
    <Value.WIN: 1>

    About ``cache_bytes`` of it stay unpacked in memory. Many threads may use it at once.
    """

    def __init__(self, path: Union[str, "os.PathLike[str]"], *, cache_bytes: int = 16 << 20) -> None:
        try:
            self._held = _engine.open(os.fspath(path), cache_bytes)
        except TableMissingError as error:
            raise TableMissingError(f"{error}{meant_path(path)}", error.path) from None

    @property
    def path(self) -> Path:
        """The file."""
        path = self._engine.path
        assert path is not None
        return Path(path)

    @property
    def header(self) -> Dict[str, Any]:
        """The header of the file: game, parameters, board, counts and layout."""
        header: Dict[str, Any] = json.loads(self._engine.header)
        return header

    def check(self) -> None:
        """Checks every byte of the file against its checksums."""
        self._engine.check()

    def __repr__(self) -> str:
        if self._held is None:
            return "<retrograde.Table, closed>"
        return f"<retrograde.Table {str(self.path)!r} of {len(self):,} numbers>"
