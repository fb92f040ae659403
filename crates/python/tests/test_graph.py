"""Random graphs, each in all the forms a graph may have, against the naive solver."""

from __future__ import annotations

from typing import Any, Callable, Dict, Hashable, List, Tuple

import naive
import networkx as nx
import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp

import retrograde
from retrograde import DRAW, LOSS, OPEN, INVALID, WIN

Pairs = List[Tuple[int, int]]


class Case:
    """A random graph, and what is true of it."""

    def __init__(self, seed: int, misere: bool) -> None:
        random = np.random.default_rng(seed)
        self.states = int(random.integers(1, 30))
        count = int(random.integers(0, 3 * self.states))
        self.edges: Pairs = [(int(a), int(b)) for a, b in random.integers(0, self.states, (count, 2))]
        terminals = random.choice(self.states, self.states // 5, replace=False)
        self.values: Dict[int, Tuple[retrograde.Value, int]] = {}
        for state in map(int, terminals):
            value = retrograde.Value(int(random.integers(-1, 2)))
            self.values[state] = (value, -1 if value == DRAW else int(random.integers(0, 5)))
        decided: Dict[Hashable, naive.Known] = {
            state: (int(value), None if value == DRAW else plies) for state, (value, plies) in self.values.items()
        }
        moves: Dict[Hashable, List[Hashable]] = {state: [] for state in range(self.states)}
        for a, b in self.edges:
            moves[a].append(b)
        self.expected = naive.solve(range(self.states), lambda state: moves[state], decided, misere)

    def assert_same(self, solution: retrograde.Solution) -> None:
        assert len(solution) == self.states
        values, distances = solution.probe_many(np.arange(self.states))
        for state in range(self.states):
            value, distance = self.expected[state]
            assert (values[state], distances[state]) == (value, -1 if distance is None else distance), state
            assert solution.probe(state) == (value, distance)
        solution.verify()


cases = pytest.mark.parametrize("seed", range(40))
misere_or_not = pytest.mark.parametrize("misere", [False, True])


@cases
@misere_or_not
def test_edges(seed: int, misere: bool) -> None:
    case = Case(seed, misere)
    for edges in (case.edges, np.array(case.edges, dtype=np.int32).reshape(-1, 2)):
        case.assert_same(retrograde.solve_graph(edges, case.values, vertices=case.states, misere=misere))


@cases
@misere_or_not
def test_sparse_matrices(seed: int, misere: bool) -> None:
    case = Case(seed, misere)
    origins, targets = np.array(case.edges, dtype=np.int64).reshape(-1, 2).T
    # A matrix adds up what stands in one place: the same move many times is worth the same as once.
    matrix = sp.coo_matrix((np.ones(len(origins)), (origins, targets)), shape=(case.states,) * 2)
    for kind in (matrix, matrix.tocsr(), matrix.tocsc(), sp.csr_array(matrix)):
        case.assert_same(retrograde.solve_graph(kind, case.values, misere=misere))


@cases
@misere_or_not
def test_digraphs(seed: int, misere: bool) -> None:
    case = Case(seed, misere)
    graph: Any = nx.DiGraph() if seed % 2 else nx.MultiDiGraph()
    # Nodes that look like numbers of states and are not, and some that do not.
    name = {state: f"node {state}" if state % 3 else case.states - state for state in range(case.states)}
    graph.add_nodes_from(name.values())
    graph.add_edges_from((name[a], name[b]) for a, b in case.edges)
    values = {name[state]: value for state, value in case.values.items()}
    solution = retrograde.solve_graph(graph, values, misere=misere)
    assert solution.nodes == list(graph.nodes)
    for state in range(case.states):
        node = name[state]
        assert solution.probe(node) == case.expected[state]
        if state not in case.values:
            assert {move.to for move in solution.moves(node)} == set(graph.successors(node))
        assert solution.line(node).states[0] == node
    with pytest.raises(retrograde.StateError, match="no node"):
        solution.value("nowhere")
    with pytest.raises(retrograde.StateError, match="no node"):
        solution.value([])  # type: ignore[arg-type]


class Written:
    """A case as a game written in Python."""

    def __init__(self, case: Case, pairs: bool) -> None:
        self.case, self.numbers, self.pairs = case, case.states, pairs
        self.to = [[b for a, b in case.edges if a == state] for state in range(case.states)]

    def status(self, states: npt.NDArray[np.int64]) -> Any:
        decided = [self.case.values.get(int(state), (OPEN, -1)) for state in states]
        return np.array([value for value, _ in decided]), np.array([plies for _, plies in decided])

    def successors(self, states: npt.NDArray[np.int64]) -> Any:
        if self.pairs:
            order = [(state, to) for state in states for to in self.to[state]]
            shuffled = np.array(order, dtype=np.int64).reshape(-1, 2)[np.random.default_rng(1).permutation(len(order))]
            return shuffled[:, 0], shuffled[:, 1]
        width = max(len(self.to[state]) for state in states)
        rows = np.full((len(states), width), -1)
        for row, state in zip(rows, states):
            row[width - len(self.to[state]) :] = self.to[state]
        return rows


@cases
@misere_or_not
def test_games_written_in_python(seed: int, misere: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(seed, misere)
    # Several runs, the last of them short.
    monkeypatch.setattr("retrograde._solve.RUN_STATES", 7)
    for pairs in (False, True):
        case.assert_same(retrograde.solve(Written(case, pairs), misere=misere))


class Takes:
    """Heaps of up to 1, 2 or 3 less; every third state is invalid, and moves lead around it."""

    numbers = 300_000

    def status(self, states: npt.NDArray[np.int64]) -> Any:
        return np.where(states % 3 == 2, INVALID, OPEN)

    def successors(self, states: npt.NDArray[np.int64]) -> Any:
        assert not (states % 3 == 2).any(), "only open states are asked for their moves"
        to = states[:, None] - np.arange(1, 5)
        return np.where(to % 3 == 2, -1, to)


def test_invalid_states_and_more_than_one_run() -> None:
    """A number that stands for no position had an empty list of moves, as a state that the rules decide."""
    solution = retrograde.solve(Takes())
    count = 600
    moves = {state: [to for to in range(max(0, state - 4), state) if to % 3 != 2] for state in range(count)}
    expected = naive.solve([state for state in moves if state % 3 != 2], moves.__getitem__, {})
    values, distances = solution.probe_many(np.arange(count))
    for state in range(count):
        value, distance = expected.get(state, (INVALID, None))
        assert (values[state], distances[state]) == (value, -1 if distance is None else distance)
    solution.verify()
    asked: List[Callable[[Any], object]] = [solution.probe, solution.value, solution.distance, solution.moves]
    for ask in (*asked, solution.line, solution.text, solution.side_to_move):
        with pytest.raises(retrograde.StateError, match="invalid"):
            ask(299_999)


def rows(**kind: Any) -> Any:
    """A game with something wrong in it."""

    class Wrong:
        numbers = kind.get("numbers", 4)

        def status(self, states: npt.NDArray[np.int64]) -> Any:
            return kind.get("status", np.full(len(states), OPEN))

        def successors(self, states: npt.NDArray[np.int64]) -> Any:
            return kind.get("successors", np.empty((len(states), 0), dtype=int))

    return Wrong()


@pytest.mark.parametrize(
    ("game", "said"),
    [
        (rows(status=np.full(4, 3)), "state 0: its status is 3"),
        (rows(status=np.full(3, OPEN)), "one number a state"),
        (rows(status=np.full(4, 1.5)), "whole numbers"),
        (rows(status=(np.full(4, WIN), np.full(3, 1))), "one distance"),
        (rows(status=(np.full(4, WIN), np.full(4, -7))), "distance -7"),
        (rows(status=(np.full(4, WIN), np.full(4, 1 << 32))), "distance 4294967296"),
        (rows(successors=np.full((4, 1), 4)), "state 0: a move leads to 4"),
        (rows(successors=np.full((3, 1), 0)), "a row of moves for each"),
        (rows(successors=np.arange(4)), "a row of moves for each"),
        (rows(successors=np.full((4, 1), 0.5)), "whole numbers"),
        (rows(successors=(np.array([4]), np.array([0]))), "a move begins in state 4"),
        (rows(successors=(np.array([-1]), np.array([0]))), "a move begins in state -1"),
        (rows(successors=(np.array([0]), np.array([-1]))), "a move leads to -1"),
        (rows(successors=(np.array([0, 1]), np.array([0]))), "begin in 2 states and lead to 1"),
        (rows(successors=(np.array([0]),)), "answers 1 arrays"),
        (rows(status=np.array([OPEN, INVALID, OPEN, OPEN]), successors=np.ones((3, 1), dtype=int)), "is invalid"),
        (rows(numbers=1 << 33), "2\\^32"),
    ],
)
def test_games_that_contradict_themselves(game: Any, said: str) -> None:
    with pytest.raises(retrograde.errors.RulesError, match=said):
        retrograde.solve(game)


def test_what_a_game_raises_comes_through() -> None:
    class Raises:
        numbers = 4

        def status(self, states: npt.NDArray[np.int64]) -> Any:
            raise KeyError("mine")

        def successors(self, states: npt.NDArray[np.int64]) -> Any:
            return states

    with pytest.raises(KeyError, match="mine"):
        retrograde.solve(Raises())


def test_graphs_that_make_no_sense() -> None:
    refused = [
        ([(0, 1, 2)], {}),
        ([(0.5, 1)], {}),
        ([(0, -1)], {}),
        ([(0, 5)], {"vertices": 3}),
        ([(0, 1)], {"values": [OPEN]}),
        ([(0, 1)], {"values": {7: WIN}, "vertices": 2}),
        ([(0, 1)], {"values": {"a": WIN}, "vertices": 2}),
        ([(0, 1)], {"values": {0: 7}}),
        (sp.csr_matrix((2, 3)), {}),
        (nx.DiGraph([(0, 1)]), {"values": {2: WIN}}),
    ]
    for graph, keywords in refused:
        with pytest.raises(retrograde.RetrogradeError):
            retrograde.solve_graph(graph, **keywords)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="to_directed"):
        retrograde.solve_graph(nx.Graph([(0, 1)]))


def test_small_graphs() -> None:
    assert len(retrograde.solve_graph([])) == 0
    assert retrograde.solve_graph([], vertices=2).value(1) == LOSS
    assert retrograde.solve_graph([], values={3: WIN}).value(3) == WIN
    assert retrograde.solve_graph([(0, 1)], values=[OPEN, OPEN, DRAW]).value(2) == DRAW
    assert len(retrograde.solve_graph(nx.DiGraph())) == 0
    assert list(retrograde.solve_graph([]).blocks()) == []


@pytest.mark.parametrize("wrong", [257, -257, 1 << 40])
def test_numbers_that_are_too_large_are_no_values(wrong: int) -> None:
    """A value was cut to a byte: 257 was a win in silence, and 258 open."""
    with pytest.raises(retrograde.errors.RulesError, match=str(wrong)):
        retrograde.solve_graph([(0, 1)], [OPEN, wrong])
    with pytest.raises(retrograde.errors.RulesError, match=str(wrong)):
        retrograde.solve(rows(status=np.full(4, wrong)))
    far = np.array([[0, 1 << 63]], dtype=np.uint64)
    with pytest.raises(retrograde.errors.RulesError, match=str(1 << 63)):
        retrograde.solve_graph(far)


def test_an_edge_has_two_ends_and_perhaps_a_label() -> None:
    """``True`` was vertex 1, and edges of several kinds were an error of numpy about an inhomogeneous shape."""
    assert retrograde.solve_graph([(0, 1), [1, 2], (2, 3, "end"), np.array([0, 3])]).label(2, 3) == "end"
    for wrong in ((0, True), (0,), (0, 1, 2), (0, "1"), "01", 7, (0, 1, "a", "b"), (0, 1 << 70), (0, -1)):
        for edges in ([wrong], [(0, 1), wrong]):
            with pytest.raises(retrograde.errors.RulesError, match="edge"):
                retrograde.solve_graph(edges)
