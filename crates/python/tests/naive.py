"""The naive solver: slow, obvious, and the judge of everything fast. And rules of games, written once more, in words."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple

Known = Tuple[int, Optional[int]]
"""A value (1 win, 0 draw, -1 loss) and its distance."""


def solve(
    states: Iterable[Any],
    moves: Callable[[Any], List[Any]],
    decided: Mapping[Any, Known],
    misere: bool = False,
    keeps_turn: Callable[[Any, Any], bool] = lambda state, to: False,
) -> Dict[Any, Known]:
    """The value of every state: goes through the distances upwards and, at each, through all states still open."""

    def of_others(state: Any, to: Any) -> Known:
        value, plies = known.get(to, (0, None))
        return -value if keeps_turn(state, to) else value, plies

    known: Dict[Any, Known] = dict(decided)
    rest = {state: moves(state) for state in states if state not in known}
    if misere:
        known.update({state: (1, 0) for state, to in rest.items() if not to})
        rest = {state: to for state, to in rest.items() if to}
    last = max([plies for _, plies in known.values() if plies is not None] + [0])
    now = 0
    while now <= last + 1:
        settled: Dict[Any, Known] = {}
        for state, to in rest.items():
            worth = [of_others(state, each) for each in to]
            if any(value == -1 and plies == now - 1 for value, plies in worth):
                settled[state] = (1, now)
            elif all(value == 1 and plies is not None and plies < now for value, plies in worth):
                settled[state] = (-1, now)
        known.update(settled)
        rest = {state: to for state, to in rest.items() if state not in settled}
        last = max(last, now) if settled else last
        now += 1
    known.update({state: (0, None) for state in rest})
    return known


def pursuit(board: str, police: int = 1) -> Dict[Any, Known]:
    """Police and thief on a grid, by the texts of states."""
    rows = board.split("\n")
    floor = {(r, c) for r, row in enumerate(rows) for c, cell in enumerate(row) if cell != "*"}
    exits = {(r, c) for r, c in floor if rows[r][c] == "E"}

    def around(at: Tuple[int, int], king: bool) -> List[Tuple[int, int]]:
        near = [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if king or r == 0 or c == 0]
        return [(at[0] + r, at[1] + c) for r, c in near if (at[0] + r, at[1] + c) in floor]

    crowds = list(itertools.combinations_with_replacement(sorted(floor), police))
    states = [(side, crowd, thief) for side in (0, 1) for crowd in crowds for thief in floor]
    decided: Dict[Any, Known] = {}
    for side, crowd, thief in states:
        if thief in crowd:
            decided[side, crowd, thief] = (1 if side == 0 else -1, 0)
        elif thief in exits:
            decided[side, crowd, thief] = (1 if side == 1 else -1, 0)

    def moves(state: Any) -> List[Any]:
        side, crowd, thief = state
        if side == 1:
            return [(0, crowd, to) for to in around(thief, king=False)]
        steps = itertools.product(*(around(each, king=True) for each in crowd))
        return [(1, each, thief) for each in {tuple(sorted(each)) for each in steps}]

    def text(state: Any) -> str:
        side, crowd, thief = state
        return " ".join([("police", "thief")[side], *(f"{r},{c}" for r, c in (*crowd, thief))])

    return {text(state): value for state, value in solve(states, moves, decided).items()}


def take(heaps: Tuple[int, ...], takes: Optional[List[int]], misere: bool) -> Dict[Any, Known]:
    """Heaps, and how many one may take; any number where `takes` is `None`."""

    def moves(state: Any) -> List[Any]:
        to: List[Any] = []
        for at, size in enumerate(state):
            allowed = range(1, size + 1) if takes is None else [each for each in takes if each <= size]
            to += [(*state[:at], size - each, *state[at + 1 :]) for each in allowed]
        return to

    states = list(itertools.product(*(range(size + 1) for size in heaps)))
    values = solve(states, moves, {}, misere)
    return {",".join(map(str, state)): values[state] for state in states}


def corner(piece: str, rows: int, columns: int, misere: bool) -> Dict[Any, Known]:
    """A piece walks right, down or diagonally to the corner."""
    ways = {"queen": [(0, 1), (1, 0), (1, 1)], "rook": [(0, 1), (1, 0)], "bishop": [(1, 1)], "king": [(0, 1), (1, 0), (1, 1)]}
    steps = 1 if piece == "king" else max(rows, columns)

    def moves(state: Any) -> List[Any]:
        row, column = state
        to = [(row + n * r, column + n * c) for r, c in ways[piece] for n in range(1, steps + 1)]
        return [(r, c) for r, c in to if r < rows and c < columns]

    states = list(itertools.product(range(rows), range(columns)))
    values = solve(states, moves, {}, misere)
    return {f"{row},{column}": values[row, column] for row, column in states}
