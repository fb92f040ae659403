"""What can go wrong. Every exception says what is wrong, where, and what to do next.

All of them are a :class:`RetrogradeError`, and each is also the built-in exception that fits it, so that
``except FileNotFoundError`` and ``except IndexError`` do what one expects.
"""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Union


class RetrogradeError(Exception):
    """Anything that this package raises of its own."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class TableError(RetrogradeError):
    """A table is at fault. ``path`` is the file."""

    def __init__(self, message: str, path: Union[str, Path]) -> None:
        super().__init__(message, path)
        self.path = Path(path)


class TableMissingError(TableError, FileNotFoundError):
    """There is no such table."""


class TableReadError(TableError, OSError):
    """The system would not open or read the file."""


class TableForeignError(TableError, ValueError):
    """The file is something else than a table."""


class TableVersionError(TableError, ValueError):
    """The file is of a version of the format that is not known here."""


class TableDamagedError(TableError, ValueError):
    """A checksum or what it guards does not hold. ``part`` names the part of the file."""

    def __init__(self, message: str, path: Union[str, Path], part: str) -> None:
        Exception.__init__(self, message, path, part)
        self.path = Path(path)
        self.part = part


class TableGameError(TableError, ValueError):
    """The table does not belong to the rules it is asked with."""


class NoDistancesError(TableError, LookupError):
    """The table was written without distances."""


class MissingTableError(RetrogradeError, KeyError):
    """There is no table of the position's material, or none that has positions like it. ``material`` names it."""

    def __init__(self, message: str, material: str = "") -> None:
        super().__init__(message, material)
        self.material = material


class WriteError(RetrogradeError, OSError):
    """A table could not be written. No part of it is left behind."""

    def __init__(self, message: str, path: Optional[Union[str, Path]]) -> None:
        Exception.__init__(self, message, path)
        self.path = None if path is None else Path(path)


class StateError(RetrogradeError, IndexError):
    """There is no such state, or it is invalid, or its text makes no sense."""


class NoRulesError(RetrogradeError, LookupError):
    """What was asked takes the rules of the game, or distances, and they are not at hand."""


class InputError(RetrogradeError, ValueError):
    """A board, a graph or a parameter is wrong. ``line`` is the line of the text, where there is one."""

    def __init__(self, message: str, line: Optional[int] = None) -> None:
        super().__init__(message, line)
        self.line = line


class RulesError(RetrogradeError, ValueError):
    """A game contradicts itself: a move leads to where no state is, a status is none."""


class VerifyError(RetrogradeError, ValueError):
    """A value does not follow from the rules. ``state`` is the first such state."""

    def __init__(self, message: str, state: Optional[int]) -> None:
        super().__init__(message, state)
        self.state = state


class MemoryLimitError(RetrogradeError, MemoryError):
    """The solve takes more memory than it may: ``needed`` bytes where ``limit`` are allowed."""

    def __init__(self, message: str, needed: int, limit: int) -> None:
        super().__init__(message, needed, limit)
        self.needed = needed
        self.limit = limit
