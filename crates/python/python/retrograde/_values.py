"""Values, and the small tuples in which answers come."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, Hashable, List, NamedTuple, Optional

import numpy as np
import numpy.typing as npt


class Value(IntEnum):
    """The value of a state for the player to move.

    In arrays they are numbers: ``values == Value.WIN`` is an array of booleans.
    """

    LOSS = -1
    """The player to move loses."""
    DRAW = 0
    """Neither player can force the end."""
    WIN = 1
    """The player to move wins."""


class Status(IntEnum):
    """What the rules of a game say of a state to which they give no :class:`Value`."""

    INVALID = -2
    """The number stands for no position: a hole in the numbering. Arrays of values have this number there."""
    OPEN = 2
    """The moves of the state decide. No answer is ever this."""


LOSS = Value.LOSS
DRAW = Value.DRAW
WIN = Value.WIN
INVALID = Status.INVALID
OPEN = Status.OPEN


class Answer(NamedTuple):
    """The value of a state, and its distance."""

    value: Value
    """Win, loss or draw for the player to move."""
    distance: Optional[int]
    """Plies to the end when the winner hurries and the loser delays; ``None`` where there is no such number."""


class Answers(NamedTuple):
    """The values and distances of many states."""

    values: npt.NDArray[np.int8]
    """Numbers as in :class:`Value`, or ``INVALID`` for a number that stands for no position."""
    distances: npt.NDArray[np.int64]
    """Plies to the end; -1 where there is no such number."""


class Block(NamedTuple):
    """The values and distances of states that follow one another."""

    first: int
    """The first of the states."""
    values: npt.NDArray[np.int8]
    """Numbers as in :class:`Value`, or ``INVALID`` for a number that stands for no position."""
    distances: npt.NDArray[np.int64]
    """Plies to the end; -1 where there is no such number."""


class Move(NamedTuple):
    """A move, and its value for the player who makes it."""

    to: Any
    """The state it leads to; ``None`` if it leaves the game for one solved elsewhere."""
    value: Value
    """Win, loss or draw for the player who moves."""
    distance: Optional[int]
    """Plies to the end, the move itself counted."""


class ManyMoves(NamedTuple):
    """The moves of many states, side by side in arrays, those of each state best first.

    The moves of the state in place ``i`` of those asked for are those from ``offsets[i]`` up to ``offsets[i + 1]``.
    """

    offsets: npt.NDArray[np.int64]
    """Where the moves of each state begin, and in the end how many there are in all."""
    to: npt.NDArray[Any]
    """The number of the state that each leads to, or its node; -1 if it leaves the game for one solved elsewhere."""
    values: npt.NDArray[np.int8]
    """The value of each move for the player who makes it: numbers as in :class:`Value`."""
    distances: npt.NDArray[np.int64]
    """Plies to the end, the move itself counted; -1 where there is no such number."""


class NamedMove(NamedTuple):
    """A move from a position, and its value for the player who makes it."""

    label: str
    """The move as players write it: ``"b2"``, ``"Qg7#"``."""
    to: Any
    """The position it leads to, a text in a game in regions; ``None`` if it leaves the game for one solved elsewhere."""
    value: Value
    """Win, loss or draw for the player who moves."""
    distance: Optional[int]
    """Plies to the end, the move itself counted."""


class Line(NamedTuple):
    """Best play from a state to the end; for a draw, to where it repeats itself."""

    states: List[Any]
    """The states in order, the first the one asked for."""
    end: str
    """``terminal``: decided by the rules. ``stuck``: no move is left. ``exit``: a move leaves the game. ``cycle``: play goes
    round for ever."""
    value: Value
    """What the end is worth to the player to move there, at the last of ``states``. The value of the first is its own."""
    back_to: Optional[int]
    """The place in ``states`` to which a cycle goes back."""


class Counts(NamedTuple):
    """How many states have each value."""

    win: int
    loss: int
    draw: int
    invalid: int


class Level(NamedTuple):
    """How many states settle at a distance."""

    distance: int
    wins: int
    losses: int


class Progress(NamedTuple):
    """How far long work has come: a solve, a verification, the writing of a table."""

    level: Optional[int]
    """The distance at which states settle now. None while the states of a solve are seeded, and in other work."""
    done: int
    """How many states are done: settled, or seeded, verified, written. Those that never settle are the draws."""
    total: int
    """How many numbers the states have."""


State = Hashable
"""A state: its number, its text (``"police 3,0 5,4"``), or a node of the graph that was solved."""
