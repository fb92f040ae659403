"""Tables of ``retrograde build``: morris, chess, and any other family of regions."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Iterable, List, Optional, Union

from . import _engine
from ._held import Closing
from ._names import kind, meant_path
from ._picture import Picture, picture
from ._values import Answer, Answers, Line, NamedMove, Value
from .errors import TableMissingError


class TableFolder(Closing[_engine.TableFolder]):
    """An open folder of tables of regions. You name positions by their texts. Many threads may use it at once.

    >>> with retrograde.TableFolder("endgames") as folder:
    ...     folder.moves("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")[0].label
    'Kb1'

    Positions have the form of the program: ``"white a1 black b2 hand 2"`` in morris, FENs in chess. If a table is
    missing or damaged, the error says how to make it.
    """

    def __init__(self, directory: Union[str, "os.PathLike[str]"]) -> None:
        if not os.path.exists(directory):
            advice = meant_path(directory) or "; `retrograde build` makes one"
            raise TableMissingError(f"{os.fspath(directory)}: there is no such folder{advice}", os.fspath(directory))
        self._held = _engine.TableFolder(os.fspath(directory))

    @property
    def path(self) -> Path:
        """The folder."""
        return Path(self._engine.path)

    @property
    def game(self) -> str:
        """The game: ``"morris"``."""
        return self._engine.game

    @property
    def regions(self) -> List[str]:
        """The regions whose tables are finished, in order."""
        return self._engine.regions

    @property
    def has_distances(self) -> bool:
        """Whether the tables say how long a win takes."""
        return self._engine.distances

    @property
    def start(self) -> Optional[str]:
        """The start position; ``None`` if the game has none, as chess with few pieces."""
        return self._engine.start

    def region(self, position: str) -> Optional[str]:
        """The region of a position; ``None`` if the rules decide the position and no table has it."""
        return self._engine.read(written(position))[1]

    def probe(self, position: str) -> Answer:
        """The value of a position for the player to move."""
        value, distance = self._engine.probe(written(position))
        return Answer(Value(value), distance)

    def probe_many(self, positions: Iterable[str]) -> Answers:
        """The values and distances of many positions. All threads work on it.

        >>> with retrograde.TableFolder("endgames") as folder:
        ...     values, distances = folder.probe_many(["8/8/8/8/8/2k5/1R6/K7 w - - 0 1", "8/8/8/8/8/2k5/8/KQ6 w - - 0 1"])
        >>> distances.tolist()
        [31, 11]
        """
        if isinstance(positions, str):
            raise TypeError("many positions are a sequence: [position]")
        return Answers(*self._engine.probe_many(list(map(written, positions))))

    def moves(self, position: str) -> List[NamedMove]:
        """The moves of a position, best first."""
        moves = self._engine.moves(written(position))
        return [NamedMove(label, to, Value(value), distance) for label, to, (value, distance) in moves]

    def line(self, position: str) -> Line:
        """Best play from a position to the end."""
        states, end, value, back_to = self._engine.line(written(position))
        return Line(list(states), end, Value(value), back_to)

    def picture(self, position: str) -> Optional[Picture]:
        """The board: its text, and in a notebook a drawing with the values of the moves; ``None`` if the game has no board."""
        return picture(self._engine.picture(written(position)))

    def check(self, region: str) -> None:
        """Checks every byte of the table of a region."""
        self._engine.check(region)


def written(position: str) -> str:
    """A position, which is a text whatever the game."""
    if not isinstance(position, str):
        raise TypeError(f"a position is a text in the notation of the game, and this is {kind(position)}: {position!r}")
    return position
