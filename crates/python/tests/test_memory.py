"""`memory_max` covers all that a solve takes, the moves while they are gathered as well."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from typing import Any, Callable, List

import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

import retrograde
from retrograde.errors import MemoryLimitError

STATES, MOVES = 5_000, 20
EDGES = np.stack([np.repeat(np.arange(STATES), MOVES), np.arange(STATES * MOVES) * 7 % STATES], axis=1)


class Rows:
    """Its moves are rows of an array. It remembers what it was asked."""

    numbers = STATES

    def __init__(self) -> None:
        self.asked: List[int] = []

    def status(self, states: npt.NDArray[np.int64]) -> Any:
        self.asked.append(int(states[0]))
        return np.full(len(states), retrograde.OPEN)

    def successors(self, states: npt.NDArray[np.int64]) -> Any:
        return EDGES[:, 1].reshape(STATES, MOVES)[states]


class AsPairs(Rows):
    """Its moves are pairs of states."""

    def successors(self, states: npt.NDArray[np.int64]) -> Any:
        return np.repeat(states, MOVES), super().successors(states).reshape(-1)


def named() -> Any:
    graph = nx.DiGraph()
    graph.add_edges_from((f"node {a}", f"node {b}") for a, b in EDGES.tolist())
    return graph


def labelled() -> Any:
    return [(a, b, "label") for a, b in EDGES.tolist()]


Solve = Callable[[int], retrograde.Solution]
MATRIX = sp.csr_array((np.ones(len(EDGES)), EDGES[:, 1], np.arange(STATES + 1) * MOVES), shape=(STATES, STATES))

FORMS: List[Callable[[], Solve]] = [
    lambda: lambda bytes: retrograde.solve(Rows(), memory_max=bytes),
    lambda: lambda bytes: retrograde.solve(AsPairs(), memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(EDGES, memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(EDGES.tolist(), memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(iter(EDGES.tolist()), memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(labelled(), memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(MATRIX, memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(MATRIX.tocoo(), memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(named(), memory_max=bytes),
    lambda: lambda bytes: retrograde.solve_graph(EDGES, {0: retrograde.WIN}, memory_max=bytes),
]


@pytest.mark.parametrize("form", range(len(FORMS)))
def test_the_limit_covers_the_moves(form: int) -> None:
    """``memory_max`` was only the limit of the arrays of the solve, a byte or two a state: moves were gathered, stored and
    reversed beside it, whatever they took."""
    solve = FORMS[form]()
    # Each move is stored forwards and backwards, and each state has its place in both lists.
    least = 8 * len(EDGES) + 18 * STATES
    with pytest.raises(MemoryLimitError, match=r"memory_max=") as caught:
        solve(least - 1)
    assert caught.value.limit == least - 1
    # The error has the bytes that it takes. Later steps may take more, and say so.
    steps = 0
    limit = least
    while True:
        try:
            solution = solve(limit)
            break
        except MemoryLimitError as error:
            assert error.needed > limit == error.limit
            limit = error.needed
            steps += 1
    assert 1 <= steps <= 6 and limit < 20 * least
    assert len(solution) == STATES
    solution.verify()


def test_what_cannot_fit_is_refused_before_anything_is_asked() -> None:
    """A game of four billion states was asked about all of them first."""
    game = Rows()
    game.numbers = 1 << 32
    with pytest.raises(MemoryLimitError, match=f"{1 << 32} states") as caught:
        retrograde.solve(game, memory_max=1 << 34)
    assert game.asked == [] and caught.value.needed > 18 << 32


def test_what_does_not_fit_is_refused_while_it_is_gathered(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game was asked for all moves, however many there were."""
    monkeypatch.setattr("retrograde._solve.RUN_STATES", 100)
    game = Rows()
    with pytest.raises(MemoryLimitError, match=f"the moves of the first 1200 of {STATES} states take") as caught:
        retrograde.solve(game, memory_max=18 * STATES + 8 * 1150 * MOVES)
    assert game.asked[-1] == 1100
    assert caught.value.needed == 18 * STATES + 16 + 8 * 1200 * MOVES

    def endless() -> Any:
        while True:
            yield (0, 1)

    with pytest.raises(MemoryLimitError, match="edges"):
        retrograde.solve_graph(endless(), memory_max=10_000_000)


@pytest.mark.parametrize("wrong", [True, 0.5, "1GB", -1])
def test_a_limit_is_a_number_of_bytes(wrong: Any) -> None:
    with pytest.raises((TypeError, ValueError), match="memory_max is a number of bytes"):
        retrograde.solve_graph([(0, 1)], memory_max=wrong)


PEAK = """
import re, sys, numpy as np, retrograde
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read()).group(1)) << 10
class Game:
    numbers = 1_000_000
    def status(self, states):
        return np.full(len(states), retrograde.OPEN, dtype=np.int8)
    def successors(self, states):
        to = states[:, None] * 3 + np.arange(12)
        to %= 1_000_000
        return to
edges = np.random.default_rng(1).integers(0, 1_000_000, (10_000_000, 2))
forms = {"game": lambda bytes: retrograde.solve(Game(), memory_max=bytes, threads=1),
    "edges": lambda bytes: retrograde.solve_graph(edges, memory_max=bytes, threads=1),
    "generator": lambda bytes: retrograde.solve_graph(((0, 1) for _ in range(3_000_000)), memory_max=bytes, threads=1)}
solve = forms[sys.argv[1]]
retrograde.solve_graph([(0, 1)])
limit = 1
while True:
    open("/proc/self/clear_refs", "w").write("5")
    before = peak()
    try:
        solution = solve(limit)
        break
    except retrograde.errors.MemoryLimitError as error:
        limit = error.needed
print(limit, peak() - before)
"""


@pytest.mark.skipif(not pathlib.Path("/proc/self/clear_refs").exists(), reason="only Linux tells the peak of a process")
@pytest.mark.parametrize("form", ["game", "edges", "generator"])
def test_the_peak_is_within_the_limit(form: str) -> None:
    """The peak was several times the limit: ``memory_max`` counted the arrays of the solve alone."""
    ran = subprocess.run([sys.executable, "-c", PEAK, form], capture_output=True, text=True, check=True)
    limit, peak = map(int, re.findall(r"\d+", ran.stdout))
    # Beside the limit there are the arrays of one question to the game, in its own form, and buffers of the system.
    assert peak < 1.05 * limit + (32 << 20), (limit, peak)
