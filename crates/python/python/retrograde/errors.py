"""The exceptions. Each says what is wrong, where, and what to do next.

All of them are a :class:`RetrogradeError`, and each is also the built-in exception that fits it, so that
``except FileNotFoundError`` and ``except IndexError`` work as usual.
"""

from __future__ import annotations

from pathlib import Path
from typing import Optional, Union


class RetrogradeError(Exception):
    """The base class of this package's exceptions."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class TableError(RetrogradeError):
    """A table is wrong. ``path`` is the file."""

    def __init__(self, message: str, path: Union[str, Path]) -> None:
        super().__init__(message, path)
        self.path = Path(path)


class TableMissingError(TableError, FileNotFoundError):
    """There is no such table."""


class TableReadError(TableError, OSError):
    """The system did not open or read the file."""


class TableForeignError(TableError, ValueError):
    """The file is not a table."""


class TableVersionError(TableError, ValueError):
    """The file has a version of the format that this package does not know."""


class TableDamagedError(TableError, ValueError):
    """A checksum is wrong. ``part`` names the part of the file."""

    def __init__(self, message: str, path: Union[str, Path], part: str) -> None:
        Exception.__init__(self, message, path, part)
        self.path = Path(path)
        self.part = part


class TableGameError(TableError, ValueError):
    """The table belongs to other rules."""


class NoDistancesError(TableError, LookupError):
    """The table was written without distances."""


class MissingTableError(RetrogradeError, KeyError):
    """No open table has the position. ``material`` names the table, and ``command`` is the command that makes it. Both are
    empty if no table has such positions: with castling rights, or with too many men."""

    def __init__(self, message: str, material: str = "", command: str = "") -> None:
        super().__init__(message, material, command)
        self.material = material
        self.command = command


class WriteError(RetrogradeError, OSError):
    """A table could not be written. No part of it is left."""

    def __init__(self, message: str, path: Optional[Union[str, Path]]) -> None:
        Exception.__init__(self, message, path)
        self.path = None if path is None else Path(path)


class StateError(RetrogradeError, IndexError):
    """There is no such state, or it is invalid, or its text makes no sense."""


class NoRulesError(RetrogradeError, LookupError):
    """The question needs the rules of the game, or distances, and the package does not have them."""


class InputError(RetrogradeError, ValueError):
    """A board, a graph or a parameter is wrong. ``line`` is the line of the text, if there is one."""

    def __init__(self, message: str, line: Optional[int] = None) -> None:
        super().__init__(message, line)
        self.line = line


class RulesError(RetrogradeError, ValueError):
    """A game contradicts itself: a move leads to no state, or a status is not valid."""


class VerifyError(RetrogradeError, ValueError):
    """A value does not follow from the rules. ``state`` is the first such state."""

    def __init__(self, message: str, state: Optional[int]) -> None:
        super().__init__(message, state)
        self.state = state


class MemoryLimitError(RetrogradeError, MemoryError):
    """The solve needs more memory than the limit: ``needed`` bytes instead of ``limit``."""

    def __init__(self, message: str, needed: int, limit: int) -> None:
        super().__init__(message, needed, limit)
        self.needed = needed
        self.limit = limit
