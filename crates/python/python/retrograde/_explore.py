"""Exploring a game of positions: finds all positions that play reaches, and numbers them and their moves."""

from __future__ import annotations

import difflib
import inspect
import itertools
import sys
import time
import warnings
from array import array
from collections import defaultdict
from typing import Any, Callable, DefaultDict, Dict, Hashable, Iterable, List, NamedTuple, Optional, Protocol, Set, Tuple

import numpy as np
import numpy.typing as npt

from . import _engine
from ._memory import Ledger
from ._names import kind
from ._progress import Call
from ._values import OPEN, Status, Value
from .errors import RetrogradeError, RulesError

Position = Any
"""A position: anything that can be the key of a dictionary."""

BATCH_POSITIONS = 1 << 12
"""How many positions ``moves_many`` is asked about at a time."""

RUN_POSITIONS = 1 << 16
"""How many positions are kept as Python's arrays, before they become numpy's. The memory is checked as often."""

REPORT_SECONDS = 0.1

OPTIONAL = ("value", "player", "symmetry", "moves_many", "text", "board")
"""The methods that a game may have."""

NUMBER_BYTES = 32
SAMPLE_POSITIONS = 64
"""How many positions of a run are measured. They stand for the others."""


class Positions(Protocol):
    """A game written in Python as positions. A position is anything that can be the key of a dictionary: a tuple, a text, a
    frozenset, an object of your own with ``__hash__`` and ``__eq__``.

    >>> class Stones:
    ...     start = 15
    ...     def moves(self, stones):
    ...         return [(f"take {n}", stones - n) for n in (1, 2, 3) if n <= stones]
    >>> solution = retrograde.solve(Stones())
    >>> solution[15]
    Answer(value=<Value.WIN: 1>, distance=7)
    >>> solution.moves(15)[0].label
    'take 3'

    A game has ``start`` and ``moves``. It may also have these methods:

    * ``value(position)``: what the rules alone say for the player to move: a :class:`~retrograde.Value`, or such a value
      and its distance in plies, or ``None`` where the moves decide. Without this method, and where it answers ``None``, a
      player who cannot move loses.
    * ``player(position)``: who is to move, in a game in which a move may keep the turn. There are two players, and you
      choose what they are called. Without this method, each move passes the turn.
    * ``moves_many(positions)``: the answers of ``moves`` for a list of positions, in its order. If a game has it, the
      solver asks for thousands of positions at once.
    * ``symmetry(position)``: one position for all that are equal up to symmetry, always the same one, with the same player to
      move. Then only these are numbered and stored.
    * ``text(position)``: the position on one line; ``board(position)``: a drawing of several lines, for
      :meth:`~retrograde.PositionSolution.play` and :meth:`~retrograde.PositionSolution.picture`.
    """

    @property
    def start(self) -> Any:
        """The position that play begins with. For several, a list or a set of them."""

    def moves(self, position: Any, /) -> Any:
        """The moves of a position: a list of the positions that they lead to; or of pairs, a name and a position; or a
        dictionary with a position for each name. If positions are themselves pairs whose first part is a text, only a
        dictionary has names."""


class Exploration(NamedTuple):
    """What exploring finds."""

    lists: _engine.Lists
    positions: List[Position]
    """By their numbers."""
    numbers: Dict[Position, int]


class Rules:
    """A game of positions, with its answers in one form."""

    def __init__(self, game: Positions) -> None:
        for name in ("start", "moves"):
            if not hasattr(game, name):
                close = difflib.get_close_matches(name, [each for each in dir(game) if not each.startswith("_")], n=1)
                hint = f"; is {close[0]!r} meant?" if close else ""
                raise TypeError(f"a game has start and moves (retrograde.Positions), and {game!r} has no {name}{hint}")
        if isinstance(game, type) and inspect.isfunction(inspect.getattr_static(game, "moves")):
            raise TypeError(f"{game.__name__} is a class: give a game of this class, {game.__name__}()")
        warn_misspelt(game)
        self.game = game
        self.starts = starts(game.start)
        self.value: Optional[Callable[[Position], Any]] = getattr(game, "value", None)
        self.player: Optional[Callable[[Position], Hashable]] = getattr(game, "player", None)
        self.symmetry: Optional[Callable[[Position], Position]] = getattr(game, "symmetry", None)
        # Where positions themselves look like named moves, pairs are positions.
        self.pairs_name = not is_named(self.starts[0])

    def decided(self, position: Position) -> Optional[Tuple[int, int]]:
        """What the rules alone say: a value and a distance, -1 for none; or nothing."""
        return None if self.value is None else self.read(position, self.value(position))

    def read(self, position: Position, said: Any) -> Optional[Tuple[int, int]]:
        """The same, given what ``value`` answers."""
        if said is None or said is OPEN:
            return None
        if type(said) is Value:
            return said, -1
        value, plies = said if isinstance(said, tuple) and len(said) == 2 else (said, -1)
        value = value if value in (-1, 0, 1, 2) and not isinstance(value, (bool, float)) else None
        plies = -1 if plies is None else plies
        if value is None or isinstance(plies, bool) or not isinstance(plies, int) or plies < -1:
            problem = "a value is WIN, LOSS, DRAW, or None where moves decide, or a pair of a value and its distance in plies"
            raise RulesError(f"value({position!r}) answers {said!r}: {problem}")
        return None if value == OPEN else (int(value), plies)

    def targets(self, position: Position, said: Any) -> List[Position]:
        """Where the moves of a position lead, given what ``moves`` answers."""
        if type(said) is not list:
            said = listed(position, said)
        if said and self.pairs_name and is_named(said[0]):
            try:
                return [to for _, to in said]
            except (TypeError, ValueError):
                raise RulesError(f"moves({position!r}) answers pairs of a name and a position, and others: {said!r}") from None
        found: List[Position] = said
        return found

    def named(self, position: Position) -> List[Tuple[Optional[str], Position]]:
        """The moves of a position, each with its name if it has one."""
        said = self.game.moves(position)
        if isinstance(said, dict):
            return [(str(name), to) for name, to in said.items()]
        said = listed(position, said)
        if said and self.pairs_name and is_named(said[0]):
            return [(name, to) for name, to in said]
        return [(None, to) for to in said]

    def image(self, position: Position) -> Position:
        """The position that stands for all that are equal up to symmetry."""
        if self.symmetry is None:
            return position
        image = self.symmetry(position)
        if self.player is not None and image is not position and self.player(image) != self.player(position):
            raise RulesError(
                f"symmetry({position!r}) is {image!r}, where another player is to move. A symmetry that swaps the players goes"
                " with a game without player(), in which each move passes the turn"
            )
        return image


def starts(start: Any) -> List[Position]:
    """The positions that play begins with."""
    if inspect.isroutine(start):
        raise RulesError("start is a method: it is a position, or a list of some; @property above the method makes it one")
    found = list(start) if isinstance(start, (list, set)) else [start]
    if not found:
        raise RulesError("start has no position: give one, or a list of some")
    if any(position is None for position in found):
        raise RulesError("start is None, which is no position: give one, or a list of some")
    return found


def warn_misspelt(game: object) -> None:
    """Warns of a method that is never asked, if its name is almost that of one that a game may have."""
    known = ("start", "moves", *OPTIONAL)
    others = [name for name in dir(game) if not name.startswith("_") and name not in known]
    for name in OPTIONAL:
        close = [] if hasattr(game, name) else difflib.get_close_matches(name, others, n=1, cutoff=0.8)
        if close and callable(getattr(game, close[0], None)):
            warnings.warn(f"{kind(game)} has a method {close[0]!r}, which the solver does not ask; is {name!r} meant?", stacklevel=4)


def is_named(move: Any) -> bool:
    """Whether this looks like a name and a position."""
    return type(move) is tuple and len(move) == 2 and type(move[0]) is str


def listed(position: Position, said: Any) -> List[Any]:
    """What ``moves`` answers, as a list."""
    if isinstance(said, dict):
        return list(said.values())
    if isinstance(said, (str, bytes)) or not isinstance(said, Iterable):
        raise RulesError(f"moves({position!r}) answers {said!r}: moves are a list of positions, or of names and positions")
    return list(said)


def explore(rules: Rules, ledger: Ledger, report: Optional[Call]) -> Exploration:
    """Finds the positions of a game, nearest to the start first, and their moves."""
    explorer = Explorer(rules, ledger, report)
    explorer.explore()
    return explorer.found()


class Explorer:
    """The positions found so far, with the moves of the first ones.

    A dictionary gives each new position the next number. It keeps the order of numbers, so its last entries are the positions
    that a batch has found. Moves are kept in four bytes each, in runs; a run goes to the engine when all positions are
    known, and its memory is free before the next one goes.
    """

    def __init__(self, rules: Rules, ledger: Ledger, report: Optional[Call]) -> None:
        self.rules, self.ledger, self.report = rules, ledger, report
        self.numbers: DefaultDict[Position, int] = defaultdict()
        self.numbers.default_factory = self.numbers.__len__
        self.positions: List[Position] = []
        self.runs: List[Tuple[npt.NDArray[Any], ...]] = []
        self.moves = 0
        self.size = Size()
        self.players: Dict[Hashable, int] = {}
        self.keeps_turn = False
        self.begin_run()

    def begin_run(self) -> None:
        self.codes = array("b")
        self.plies: Dict[int, int] = {}
        self.degrees = array("I")
        self.targets = array("I")
        self.sides = bytearray()

    def explore(self) -> None:
        """Asks for the moves of all positions, also of those that this finds."""
        for position in self.rules.starts:
            self.number_all(position, [position])
        self.take_new()
        first, level, level_end, reported = 0, 0, len(self.positions), time.monotonic()
        while first < len(self.positions):
            stop = min(first + BATCH_POSITIONS, level_end)
            batch, before = self.positions[first:stop], (len(self.codes), len(self.sides), len(self.degrees))
            try:
                self.explore_batch(batch)
            except Exception as error:
                if not isinstance(error, RetrogradeError):
                    self.add_note(error, batch, *before)
                raise
            first = stop
            self.take_new()
            if len(self.codes) >= RUN_POSITIONS:
                self.end_run()
            if first == level_end:
                level, level_end = level + 1, len(self.positions)
            if self.report is not None and time.monotonic() > reported + REPORT_SECONDS:
                self.report(level, first, len(self.positions))
                reported = time.monotonic()
        self.end_run()
        self.numbers.default_factory = None
        if self.report is not None:
            self.report(level, first, len(self.positions))

    def explore_batch(self, batch: List[Position]) -> None:
        """Adds some positions and their moves."""
        rules, codes, degrees, targets = self.rules, self.codes, self.degrees, self.targets
        value, asked = rules.value, batch
        if value is not None:
            asked = []
            for position in batch:
                said = value(position)
                known = None if said is None else rules.read(position, said)
                if known is None:
                    asked.append(position)
                    codes.append(2)
                    continue
                codes.append(known[0])
                if known[1] > 0:
                    self.plies[len(codes) - 1] = known[1]
        else:
            codes.frombytes(bytes([OPEN]) * len(batch))
        if rules.player is not None:
            self.sides.extend(map(self.player, batch))
        moves_many = getattr(rules.game, "moves_many", None)
        answers = map(rules.game.moves, asked) if moves_many is None else answers_of(moves_many, asked)
        symmetry = rules.symmetry
        image = symmetry if rules.player is None else rules.image
        number, to_list, pairs_name = self.numbers.__getitem__, rules.targets, rules.pairs_name
        for position, said in zip(asked, answers):
            # Most answers are lists of positions, and calls cost more than these questions.
            if type(said) is not list or (said and type(said[0]) is tuple and pairs_name and is_named(said[0])):
                said = to_list(position, said)
            try:
                targets.extend(map(number, said if symmetry is None else map(image, said)))  # type: ignore[arg-type]
            except TypeError:
                check_hashable(position, said)
                raise
            degrees.append(len(said))
            if None in self.numbers:
                raise RulesError(f"a move from {position!r} leads to None, which is no position; does a method lack a return?")

    def add_note(self, error: Exception, batch: List[Position], codes: int, sides: int, degrees: int) -> None:
        """Adds to an error of the game at which position it is, if that is known, from Python 3.11 on."""
        decided, moved = len(self.codes) - codes, len(self.degrees) - degrees
        left = batch[decided:]
        if not left and (self.rules.player is None or len(self.sides) > sides) and not hasattr(self.rules.game, "moves_many"):
            left = [position for position, code in zip(batch, self.codes[codes:]) if code == OPEN][moved:]
        if left and hasattr(error, "add_note"):
            error.add_note(f"the game was asked about the position {left[0]!r}")

    def number_all(self, position: Position, found: List[Position]) -> None:
        """Gives numbers to positions that have none."""
        check_hashable(position, found)
        for each in found:
            self.numbers[self.rules.image(each)]
        if None in self.numbers:
            raise RulesError(f"symmetry({position!r}) answers None, which is no position; does it lack a return?")

    def take_new(self) -> None:
        """Puts the positions that were found last into the list of positions."""
        new = len(self.numbers) - len(self.positions)
        found = list(itertools.islice(reversed(self.numbers), new))
        found.reverse()
        if self.rules.symmetry is not None:
            for position in found:
                if self.rules.symmetry(position) != position:
                    raise RulesError(
                        f"symmetry() answers {position!r} for a position, and for this one {self.rules.symmetry(position)!r}: it is"
                        " one position for all that are equal up to symmetry"
                    )
        self.positions += found

    def player(self, position: Position) -> int:
        """Which of the two players is to move."""
        assert self.rules.player is not None
        player = self.rules.player(position)
        number = self.players.setdefault(player, len(self.players))
        if number > 1:
            raise RulesError(f"player() names {', '.join(map(repr, self.players))}: a game has two players")
        return number

    def end_run(self) -> None:
        """Packs the run, and refuses more memory than there may be."""
        codes = np.frombuffer(self.codes, dtype=np.int8)
        plies = np.full(len(codes) if self.plies else 0, -1, dtype=np.int64)
        plies[list(self.plies)] = list(self.plies.values())
        degrees = np.zeros(len(codes), dtype=np.uint32)
        degrees[codes == OPEN] = np.frombuffer(self.degrees, dtype=np.uint32)
        targets, sides = np.frombuffer(self.targets, dtype=np.uint32), np.frombuffer(self.sides, dtype=np.uint8)
        self.runs.append((codes, plies, degrees, targets, sides))
        self.moves += len(targets)
        self.begin_run()
        found = len(self.positions)
        self.size.measure(self.positions)
        # The dictionary is copied into one of twice the size when it is full.
        growing = 2 * sys.getsizeof(self.numbers) + 4 * self.moves + sum(each.nbytes for run in self.runs for each in run[:3])
        solving = 18 * found + 8 * self.moves
        what = f"the first {found} positions and {self.moves} moves"
        self.ledger.check(self.bytes() + max(growing, solving), what)

    def bytes(self) -> int:
        """How many bytes positions and numbers take for as long as the solution lives."""
        found = len(self.positions)
        return sys.getsizeof(self.numbers) + sys.getsizeof(self.positions) + NUMBER_BYTES * found + int(self.size.bytes)

    def found(self) -> Exploration:
        """Hands all positions and moves to the engine."""
        count = len(self.positions)
        self.ledger.keep(self.bytes(), f"{count} positions")
        lists = _engine.Lists(count, self.ledger.limit, self.ledger.kept)
        lists.expect(self.moves)
        sides = np.concatenate([run[4] for run in self.runs])
        self.runs.reverse()
        while self.runs:
            codes, plies, degrees, targets, _ = self.runs.pop()
            offsets = np.zeros(len(codes) + 1, dtype=np.int64)
            np.cumsum(degrees, out=offsets[1:])
            lists.add_lists(codes, plies if len(plies) else None, offsets, targets.astype(np.int64))
        if len(sides):
            lists.set_players(sides)
        return Exploration(lists, self.positions, self.numbers)


def answers_of(moves_many: Callable[[List[Position]], Any], asked: List[Position]) -> List[Any]:
    """What ``moves_many`` answers: as much as it was asked."""
    answers = list(moves_many(asked)) if asked else []
    if len(answers) != len(asked):
        raise RulesError(f"moves_many() answers {len(answers)} for {len(asked)} positions: it is a list of moves for each")
    return answers


def check_hashable(position: Position, found: Iterable[Position]) -> None:
    """Refuses positions that cannot be keys, and says which one."""
    for each in found:
        try:
            hash(each)
        except TypeError as error:
            raise RulesError(
                f"a position is the key of a dictionary, and this is {kind(each)}: {each!r}, at {position!r} ({error}). A tuple"
                " or a frozenset can be one"
            ) from None


class Size:
    """An estimate of how many bytes positions take: some of each run stand for the others. What several share counts once."""

    def __init__(self) -> None:
        self.bytes = 0.0
        self.measured = 0
        self.seen: Set[int] = set()

    def measure(self, positions: List[Position]) -> None:
        """Adds the positions since the last time."""
        new = len(positions) - self.measured
        sample = positions[self.measured :: max(1, new // SAMPLE_POSITIONS)]
        if sample:
            self.bytes += sum(map(self.of, sample)) / len(sample) * new
        self.measured = len(positions)

    def of(self, thing: object) -> int:
        """How many bytes something takes, with its parts, as far as they were not seen."""
        if id(thing) in self.seen or thing is None or isinstance(thing, type):
            return 0
        self.seen.add(id(thing))
        parts: Iterable[object] = thing if isinstance(thing, (tuple, frozenset)) else getattr(thing, "__dict__", {}).values()
        # The allocator rounds up.
        return (sys.getsizeof(thing) + 15) // 16 * 16 + sum(map(self.of, parts))
