"""Solved games of positions: answers by position, play in the terminal, and files that keep the positions."""

from __future__ import annotations

import ast
import gzip
import hashlib
import html
import itertools
import json
import operator
import os
import tempfile
from pathlib import Path
from typing import Any, Dict, Hashable, Iterable, Iterator, List, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from . import _engine
from ._explore import Exploration, Position, Positions, Rules, explore
from ._memory import Ledger
from ._names import Names, Nodes, States, kind
from ._picture import Picture
from ._progress import Report, reporting
from ._solved import Compression, Solution, Solved, Table
from ._values import DRAW, LOSS, WIN, Answer, Line, ManyMoves, NamedMove, Value
from .errors import InputError, NoRulesError, StateError, TableDamagedError, TableForeignError, TableGameError, TableMissingError, VerifyError, WriteError

FORMAT = 1
"""The version of the file of positions."""

LINES = 1 << 16
"""How many positions are written at a time."""

MOVES_DRAWN = 12
"""How many moves a picture names."""

INKS = {WIN: "#1a6e2e", LOSS: "#a02020", DRAW: "#555"}

WON = {WIN: "wins", LOSS: "loses", DRAW: "draws"}


class ByPosition(Solved):
    """The common part of a solution and a table of positions: the rules say what the moves are, and the engine what they are
    worth."""

    _rules: Rules

    def __getitem__(self, position: Position) -> Answer:
        """The value and the distance of a position."""
        return self.probe(position)

    def __contains__(self, position: Position) -> bool:
        """Whether play reaches a position."""
        try:
            self.number(position)
        except (StateError, TypeError):
            return False
        return True

    @property
    def start(self) -> Any:
        """The start position; the first of them if there are several."""
        return self._rules.starts[0]

    def moves(self, state: Position) -> List[NamedMove]:  # type: ignore[override]
        """The moves of a position, each with its name, the position it leads to, and its value for the player who makes it.
        The best is first: the fastest win, any draw, the slowest loss. A move without a name has the text of its position.
        Empty if the rules decide the position."""
        self.number(state)
        if self._rules.decided(state) is not None:
            return []
        named = self._rules.named(state)
        values, distances = self.probe_many([to for _, to in named])
        moves = [
            self._move(state, label, to, Value(int(value)), int(distance))
            for (label, to), value, distance in zip(named, values, distances)
        ]
        return sorted(moves, key=goodness)

    def _move(self, position: Position, label: Optional[str], to: Position, value: Value, distance: int) -> NamedMove:
        worth = value if self._keeps_turn(position, to) else Value(-value)
        return NamedMove(self.text(to) if label is None else label, to, worth, None if distance < 0 else distance + 1)

    def _keeps_turn(self, position: Position, to: Position) -> bool:
        player = self._rules.player
        return player is not None and player(position) == player(to)

    def line(self, state: Position) -> Line:
        """Best play from a position to the end; for a draw, to where it repeats itself."""
        if not self.has_distances:
            raise NoRulesError("best play needs distances: solve the game with them")
        states, seen = [state], {self._key(state): 0}
        while True:
            moves = self.moves(state)
            if not moves:
                end = "stuck" if self._rules.decided(state) is None else "terminal"
                return Line(states, end, self.value(state), None)
            state = moves[0].to
            back_to = seen.setdefault(self._key(state), len(states))
            if back_to < len(states):
                return Line(states, "cycle", self.value(states[-1]), back_to)
            states.append(state)

    def _key(self, position: Position) -> Hashable:
        """What two positions have in common that are the same."""
        key: Hashable = position
        return key

    def text(self, state: Position) -> str:
        """The text of a position, by ``text`` of the game if it has that."""
        text = getattr(self._rules.game, "text", None)
        return str(state if text is None else text(state))

    def _texts_of(self, numbers: npt.NDArray[np.uint64]) -> List[Optional[str]]:
        names = self._names
        return [self.text(names.name(number)) for number in numbers.tolist()]

    def moves_many(self, states: States) -> ManyMoves:
        """The moves of many positions, one after the other. The targets are positions."""
        found = [self.moves(state) for state in states]
        moves = list(itertools.chain.from_iterable(found))
        to = np.empty(len(moves), dtype=object)
        for place, move in enumerate(moves):
            to[place] = move.to
        values = np.array([move.value for move in moves], dtype=np.int8)
        distances = np.array([-1 if move.distance is None else move.distance for move in moves], dtype=np.int64)
        return ManyMoves(np.cumsum([0, *map(len, found)]), to, values, distances)

    def picture(self, state: Optional[Position] = None) -> Optional[Picture]:
        """The drawing of a position by ``board`` of the game: a text, and in a notebook also the moves with their values.
        Without a position, the start. ``None`` if the game has no ``board``."""
        board = getattr(self._rules.game, "board", None)
        if board is None:
            return None
        state = self.start if state is None else state
        text = str(board(state))
        return Picture(text, drawing(text.split("\n"), self.moves(state)))

    def side_to_move(self, state: Position) -> str:
        """Who is to move, by ``player`` of the game."""
        self.number(state)
        player = self._rules.player
        if player is None:
            raise NoRulesError("the game has no player(): its positions do not say who is to move")
        return str(player(state))

    def play(self, position: Optional[Position] = None, *, first: bool = True) -> None:
        """You play against perfect play, in the terminal, from a position or from the start. ``first`` says whether you
        make the first move. Type the name or the number of a move; ``?`` shows what each move is worth, ``u`` takes
        your last move back, ``q`` stops."""
        position = self.start if position is None else position
        yours = first
        past: List[Position] = []
        while True:
            print(self.picture(position) or self.text(position))
            moves = self.moves(position)
            if not moves:
                value = self.value(position)
                print("The game is a draw." if value == DRAW else "You win." if (value == WIN) == yours else "The program wins.")
                return
            if not yours:
                move = moves[0]
                print(f"The program plays {move.label}.\n")
            else:
                chosen = ask(moves, bool(past))
                if chosen == "q":
                    return
                if chosen == "u":
                    position = past.pop()
                    continue
                assert isinstance(chosen, NamedMove)
                move = chosen
                past.append(position)
            yours = yours if self._keeps_turn(position, move.to) else not yours
            position = move.to


def worth(move: NamedMove) -> str:
    """What a move is worth, in words."""
    return WON[move.value] + ("" if move.distance is None else f" in {move.distance}")


def drawing(board: List[str], moves: List[NamedMove]) -> str:
    """A board of letters as SVG, and beside it the moves, the best first."""
    rest = len(moves) - MOVES_DRAWN
    words = [(f"{move.label} {worth(move)}", INKS[move.value]) for move in moves[:MOVES_DRAWN]]
    words += [(f"and {rest} more", INKS[DRAW])] if rest > 0 else []
    left = 12 * max(map(len, board)) + 40
    width, height = left + 8 * max((len(word) for word, _ in words), default=0) + 12, 12 + 20 * max(len(board), len(words))
    lines = [(12, 20, row, line, "#222") for row, line in enumerate(board)]
    lines += [(left, 14, row, word, ink) for row, (word, ink) in enumerate(words)]
    texts = "".join(
        f'<text x="{x}" y="{22 + 20 * row}" font-size="{size}" fill="{ink}" xml:space="preserve">{html.escape(line)}</text>'
        for x, size, row, line, ink in lines
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        f' font-family="monospace"><rect width="{width}" height="{height}" fill="#fff"/>{texts}</svg>'
    )


def goodness(worth: Union[NamedMove, Answer]) -> Tuple[int, int]:
    """The order of moves: the better one is less."""
    distance = worth.distance or 0
    return -worth.value, -distance if worth.value == LOSS else distance


def ask(moves: Sequence[NamedMove], back: bool) -> Union[str, NamedMove]:
    """The move that a person chooses, or what else they want."""
    # The best move is not first here: that would give it away.
    moves = sorted(moves, key=lambda move: move.label)
    print("  ".join(f"{number}: {move.label}" for number, move in enumerate(moves, 1)))
    while True:
        try:
            said = input("Your move: ").strip()
        except EOFError:
            return "q"
        named = [move for move in moves if move.label == said]
        if named:
            return named[0]
        if said == "q" or (said == "u" and back):
            return said
        if said == "?":
            for number, move in enumerate(moves, 1):
                print(f"{number}: {move.label} {worth(move)}")
        elif said.isdecimal() and 1 <= int(said) <= len(moves):
            return moves[int(said) - 1]
        else:
            print(f"Type the name of a move, or a number from 1 to {len(moves)}. ? shows values, u takes back, q stops.")


class PositionNames(Nodes):
    """The names of the states of a game of positions: the positions."""

    def __init__(self, found: Exploration, rules: Rules) -> None:
        self.nodes, self._numbers, self.count, self._rules = found.positions, found.numbers, len(found.positions), rules

    def number(self, state: Position) -> int:
        """The number of a position."""
        try:
            found = self._numbers.get(state)
            return self._numbers[self._rules.image(state)] if found is None else found
        except (KeyError, TypeError):
            raise unreached(state) from None


def unreached(position: Position) -> StateError:
    """The error about what is no position."""
    return StateError(f"{position!r} is no position of the game: play from the start does not reach it")


class PositionSolution(ByPosition, Solution):
    """A solved game of positions, the result of :func:`~retrograde.solve` for :class:`~retrograde.Positions`.

    >>> class Stones:
    ...     start = 15
    ...     def moves(self, stones):
    ...         return [stones - n for n in (1, 2, 3) if n <= stones]
    >>> solution = retrograde.solve(Stones())
    >>> solution[15]
    Answer(value=<Value.WIN: 1>, distance=7)
    >>> solution.line(6).states
    [6, 4, 3, 0]
    """

    def __init__(self, held: _engine.HeldGame, found: Exploration, rules: Rules, misere: bool) -> None:
        super().__init__(held, PositionNames(found, rules))
        self._rules, self._misere = rules, misere
        self.positions: Sequence[Position] = found.positions
        """All positions by their numbers, those nearest to the start first. With a symmetry, one for all that are equal."""

    def __iter__(self) -> Iterator[Position]:
        return iter(self.positions)

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
    ) -> PositionTable:
        """Writes a table, and beside it a file of the positions, whose name ends in ``.positions``.
        :func:`retrograde.open` opens both, with the rules.

        The file has each position as Python writes it, if all consist of numbers, texts, bytes, ``None`` and tuples.
        Otherwise it has the texts that ``text`` of the game gives, which must differ. Opening it runs none of it.

        ``game`` is a name for the header [positions]. The other arguments are those of :meth:`Solution.save`.
        """
        name = game or "positions"
        if name in _engine.games():
            raise InputError(f"{name!r} is a game of the program: give yours another name, game=")
        path, beside = Path(path), positions_path(path)
        if not overwrite and beside.exists():
            raise WriteError(f"{beside}: there is a file of this name; overwrite=True writes over it", beside)
        form = self._form()
        try:
            with tempfile.NamedTemporaryFile(dir=beside.parent, prefix=beside.name, suffix=".part", delete=False) as file:
                part = Path(file.name)
                try:
                    digest = write_lines(file, map(self._writer(form), self.positions))
                    about = {"form": form, "sha256": digest, "count": len(self), "misere": self._misere, "version": FORMAT}
                    super().save(
                        path,
                        compression=compression,
                        half=half,
                        overwrite=overwrite,
                        game=name,
                        parameters={"positions": about, "parameters": parameters},
                        progress=progress,
                    )
                    os.chmod(part, path.stat().st_mode)
                except BaseException:
                    part.unlink()
                    raise
            os.replace(part, beside)
        except OSError as error:
            if isinstance(error, WriteError):
                raise
            raise WriteError(f"{beside}: {error.strerror or error}", beside) from error
        return PositionTable(path, self._rules.game)

    def _form(self) -> str:
        """How the file names positions."""
        try:
            for position in self.positions:
                literal(position)
            return "literal"
        except TypeError as error:
            text = getattr(self._rules.game, "text", None)
            if text is None:
                advice = "positions on disk are numbers, texts, bytes, None and tuples of them; or the game has text(position)"
                raise WriteError(f"{error}; {advice}", None) from None
        seen: Dict[str, Position] = {}
        for position in self.positions:
            other = seen.setdefault(text(position), position)
            if other is not position:
                raise WriteError(f"text() names {other!r} and {position!r} alike, {text(position)!r}: a name is for one position", None)
        return "text"

    def _writer(self, form: str) -> Any:
        return line_writer(self._rules, form)

    def __repr__(self) -> str:
        return f"<retrograde.PositionSolution of {len(self):,} positions>"


ATOMS = {int, str, bytes, type(None)}


def literal(position: Position) -> str:
    """A position as Python writes it: equal positions have the same text."""
    if not is_plain(position):
        position = plain(position)
    return repr(position)


def is_plain(thing: object) -> bool:
    """Whether Python writes it in one way."""
    return type(thing) in ATOMS or (type(thing) is tuple and all(map(is_plain, thing)))


def plain(thing: object) -> object:
    """What is equal to it, and is written in one way."""
    if type(thing) in ATOMS:
        return thing
    if isinstance(thing, tuple):
        return tuple(map(plain, thing))
    if isinstance(thing, (bool, int, np.integer, np.bool_)):
        return int(thing) if isinstance(thing, np.bool_) else operator.index(thing)
    if isinstance(thing, str):
        return str.__str__(thing)
    raise TypeError(f"a position has a part that is {kind(thing)}: {thing!r}")


def line_writer(rules: Rules, form: str) -> Any:
    """The function that gives a position's line in the file."""
    if form == "literal":
        return literal
    text = getattr(rules.game, "text", None)
    if text is None:
        raise TypeError("the table names positions by their texts: the rules need text(position), as when it was saved")
    return lambda position: repr(text(position))


def positions_path(path: Union[str, "os.PathLike[str]"]) -> Path:
    """The file of positions beside a table."""
    return Path(f"{os.fspath(path)}.positions")


def write_lines(file: Any, lines: Iterable[str]) -> str:
    """Writes a line for each position. Returns the digest of all."""
    digest, rest = hashlib.sha256(), iter(lines)
    with gzip.GzipFile(filename="", mode="wb", compresslevel=6, fileobj=file, mtime=0) as packed:
        while some := list(itertools.islice(rest, LINES)):
            data = ("\n".join(some) + "\n").encode("utf-8", "surrogatepass")
            digest.update(data)
            packed.write(data)
    file.flush()
    os.fsync(file.fileno())
    return digest.hexdigest()


def read_lines(path: Path, table: Path, about: Dict[str, Any]) -> Dict[str, int]:
    """The number of each position, by its line."""
    digest = hashlib.sha256()
    numbers: Dict[str, int] = {}
    try:
        with gzip.open(path, "rb") as packed:
            for line in packed:
                digest.update(line)
                numbers[line[:-1].decode("utf-8", "surrogatepass")] = len(numbers)
    except FileNotFoundError:
        advice = f"{path}: the positions of {table.name} are missing; they are written beside the table, and go where it goes"
        raise TableMissingError(advice, path) from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise TableDamagedError(f"{path}: {error}", path, "positions") from None
    if digest.hexdigest() != about["sha256"] or len(numbers) != about["count"]:
        raise TableDamagedError(f"{path}: these are not the positions that were saved with {table.name}; save both again", path, "positions")
    return numbers


class SavedNames(Names):
    """The names of the states of a table: positions, by their lines."""

    def __init__(self, numbers: Dict[str, int], rules: Rules, form: str) -> None:
        self.count, self._numbers, self._rules, self._write = len(numbers), numbers, rules, line_writer(rules, form)
        self._lines: List[str] = []

    def number(self, state: Position) -> int:
        """The number of a position."""
        try:
            return self._numbers[self._write(self._rules.image(state))]
        except (KeyError, TypeError):
            raise unreached(state) from None

    def name(self, number: Optional[int]) -> Any:
        """The position, or its text if the file has only that."""
        self._lines = self._lines or list(self._numbers)
        return None if number is None else ast.literal_eval(self._lines[number])

    def _of_array(self, array: Any) -> Any:
        return self._one_by_one(array.tolist())

    def _of_list(self, states: List[Any]) -> Any:
        return self._one_by_one(states)


class PositionTable(ByPosition, Table):
    """A table of positions with its rules: the result of :func:`retrograde.open`."""

    def __init__(self, path: Union[str, "os.PathLike[str]"], rules: Positions, *, cache_bytes: int = 16 << 20) -> None:
        super().__init__(path, cache_bytes=cache_bytes)
        self._rules = Rules(rules)
        parameters = self.header.get("parameters")
        about = parameters.get("positions") if isinstance(parameters, dict) else None
        if not isinstance(about, dict) or about.get("version") != FORMAT:
            advice = "retrograde.Table opens other tables" if about is None else "a newer version of the package wrote it"
            raise TableForeignError(f"{self.path}: this is no table with positions that this version reads; {advice}", self.path)
        self._saved = SavedNames(read_lines(positions_path(path), self.path, about), self._rules, about["form"])
        self._form, self._misere = about["form"], about["misere"]
        for start in self._rules.starts:
            if start not in self:
                raise TableGameError(f"{self.path}: the table has other positions: the start, {start!r}, is not among them", self.path)

    @property
    def _names(self) -> Names:
        return self._saved

    def _texts_of(self, numbers: npt.NDArray[np.uint64]) -> List[Optional[str]]:
        if self._form == "literal":
            return super()._texts_of(numbers)
        return [self._saved.name(number) for number in numbers.tolist()]

    def __iter__(self) -> Iterator[Position]:
        """All positions. If the file has only their texts, the rules are explored again."""
        if self._form == "literal":
            return map(self._saved.name, range(len(self)))
        return iter(explore(self._rules, Ledger(None), None).positions)

    def verify(self, progress: Report = None) -> None:
        """Solves the game again by its rules, and compares. Raises :class:`~retrograde.errors.VerifyError` if a position is
        missing or has another value."""
        with reporting(progress, "explored") as report:
            found = explore(self._rules, Ledger(None), report)
        with reporting(progress, "settled") as report:
            right = Solution(found.lists.solve(self._misere, self.has_distances, 0, report))
        if len(found.positions) != len(self):
            raise VerifyError(f"{self.path}: the rules reach {len(found.positions)} positions, and the table has {len(self)}", None)
        for first in range(0, len(self), LINES):
            positions = found.positions[first : first + LINES]
            there = self.probe_many(positions)
            _, values, distances = next(right.blocks(first, first + len(positions), LINES))
            wrong = np.flatnonzero((there.values != values) | (there.distances != distances))
            if len(wrong):
                at = int(wrong[0])
                expected = Answer(Value(int(values[at])), None if distances[at] < 0 else int(distances[at]))
                raise VerifyError(f"{self.path}: {positions[at]!r} has {self[positions[at]]}, by the rules {expected}", first + at)

    def __repr__(self) -> str:
        if self._held is None:
            return "<retrograde.PositionTable, closed>"
        return f"<retrograde.PositionTable {str(self.path)!r} of {len(self):,} positions>"


def open(path: Union[str, "os.PathLike[str]"], rules: Positions, *, cache_bytes: int = 16 << 20) -> PositionTable:
    """Opens a table that :meth:`PositionSolution.save` wrote, with the rules that were solved. It gives values, moves and lines
    by position, as the solution did.

    >>> class Stones:
    ...     start = 15
    ...     def moves(self, stones):
    ...         return [stones - n for n in (1, 2, 3) if n <= stones]
    >>> table = retrograde.solve(Stones()).save("stones.table")
    >>> retrograde.open("stones.table", rules=Stones())[15]
    Answer(value=<Value.WIN: 1>, distance=7)
    """
    return PositionTable(path, rules, cache_bytes=cache_bytes)
