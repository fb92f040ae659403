"""A state is named in one way, whichever method is asked."""

from __future__ import annotations

import pathlib
from typing import Any, Callable, List, Tuple

import chess
import networkx as nx
import numpy as np
import pytest

import retrograde
import retrograde.chess

CASES: List[List[Any]] = [
    [(0, 0), (0, 1), (1, 1)],
    ["a", "b", "c"],
    [2, 0, 1],
    [("a", 1), "a", 1],
    [frozenset({1}), 2.5, None.__class__],
    [(0, (1, 2)), ((0, 1), 2), ()],
]


def questions(solution: retrograde.Solved) -> List[Callable[[Any], object]]:
    """All that can be asked about one state."""
    asked: List[Callable[[Any], object]] = [
        solution.probe,
        solution.value,
        solution.distance,
        solution.moves,
        solution.line,
        solution.number,
        solution.text,
        solution.picture,
        solution.side_to_move,
        lambda state: solution.probe_many([state]),
    ]
    if isinstance(solution, retrograde.Solution):
        asked += [lambda state: solution.label(state, state)]
    return asked


@pytest.mark.parametrize("names", CASES)
def test_many_nodes_are_named_as_one_is(names: List[Any]) -> None:
    """``probe_many`` read nodes that are tuples as rows of numbers, and answered for those in silence. It looked for
    the states that texts name, where the texts were nodes, and took nodes that are numbers for numbers of states."""
    graph = nx.DiGraph([(names[0], names[1]), (names[1], names[2])])
    solution = retrograde.solve_graph(graph, {names[2]: retrograde.DRAW})
    expected = [solution.probe(name) for name in names]
    assert expected == [(retrograde.DRAW, None)] * 3
    solution = retrograde.solve_graph(graph)
    nodes = np.empty(3, dtype=object)
    nodes[:] = names
    for states in (names, tuple(names), iter(names), dict.fromkeys(names), nodes):
        values, distances = solution.probe_many(states)
        assert values.tolist() == [retrograde.LOSS, retrograde.WIN, retrograde.LOSS]
        assert distances.tolist() == [2, 1, 0]
    assert solution.probe_many(nodes.reshape(3, 1)).values.shape == (3, 1)
    assert solution.probe_many([]).values.shape == solution.probe_many(np.array([])).values.shape == (0,)
    for ask in questions(solution):
        with pytest.raises(retrograde.StateError, match="no node"):
            ask(("no", "node"))
        with pytest.raises(retrograde.StateError, match="no node"):
            ask(["unhashable"])


def test_rows_of_numbers_are_no_nodes() -> None:
    """An array with a row for each tuple has numbers in it, and no tuples."""
    solution = retrograde.solve_graph(nx.DiGraph([((0, 0), (0, 1))]))
    with pytest.raises(retrograde.StateError, match="no node 0"):
        solution.probe_many(np.array([(0, 0), (0, 1)]))


def test_what_is_no_state_is_refused_everywhere(tmp_path: pathlib.Path) -> None:
    """``True`` was state 1. ``probe_many`` read a tuple as two states, a number beside a text as a text, and called a
    number of more than 64 bits no whole number."""
    solution = retrograde.solve("graph", "a 1\n1 0\n0 a\n1 b\n")
    table = solution.save(tmp_path / "a.table")
    for solved in (solution, table):
        for ask in questions(solved):
            for wrong in (True, np.True_, (0, 1), [0, 1], 0.5, b"a", np.float64(1), {0}):
                with pytest.raises(TypeError, match="a state is a number or a text, and this is"):
                    ask(wrong)
            for missing in (-1, 4, 1 << 63, 1 << 70, -(1 << 70), np.int64(-1)):
                with pytest.raises(retrograde.StateError, match="no state"):
                    ask(missing)
            with pytest.raises(retrograde.StateError, match="nowhere"):
                ask("nowhere")
        for many in ("a", b"a", 0, None):
            with pytest.raises(TypeError, match="many states are a sequence or an array"):
                solved.probe_many(many)
        for array in (np.array([True]), np.array([0.5]), np.array([None]), np.array([b"a"])):
            with pytest.raises(TypeError, match="a state is a number or a text"):
                solved.probe_many(array)
        # The vertices `a`, `1`, `0` and `b` are the states 0, 1, 2 and 3.
        mixed: List[Any] = [0, "0", np.uint8(1), "b", np.str_("a")]
        numbers = [0, 2, 1, 3, 0]
        for states in (mixed, np.array(mixed, dtype=object)):
            assert (solved.probe_many(states).values == solved.probe_many(numbers).values).all()
        for few in (range(4), range(3, -1, -1), np.arange(4, dtype=np.uint8)):
            assert solved.probe_many(few).values.tolist() == [solved.value(state) for state in few]
        for ask_range in (solved.blocks, solved.to_arrow):
            for first in (True, "a", 0.0, (0,)):
                with pytest.raises(TypeError, match="first is the number of a state"):
                    ask_range(first)  # type: ignore[arg-type]
            with pytest.raises(TypeError, match="stop is the number of a state"):
                ask_range(0, True)
            with pytest.raises(retrograde.StateError, match="numbered from 0 to 3"):
                ask_range(3, 1)


@pytest.mark.parametrize("wrong", [True, 0.5, (0, 1), None])
def test_decided_vertices_are_named_as_states_are(wrong: Any) -> None:
    """``True`` decided vertex 1, and a vertex that is no number was a ``TypeError`` about adding it to 1."""
    edges = [(0, 1), (1, 2)]
    for graph in (edges, nx.to_scipy_sparse_array(nx.DiGraph(edges))):
        with pytest.raises(TypeError, match="and this is"):
            retrograde.solve_graph(graph, {wrong: retrograde.WIN})
        with pytest.raises(retrograde.StateError, match="nowhere"):
            retrograde.solve_graph(graph, {"nowhere": retrograde.WIN})
        # The text of a vertex is its number, here as in questions.
        solution = retrograde.solve_graph(graph, {"2": retrograde.WIN})
        assert solution.value(2) == solution.value("2") == retrograde.WIN
    with pytest.raises(retrograde.StateError, match="no node"):
        retrograde.solve_graph(nx.DiGraph([("a", "b")]), {wrong: retrograde.WIN})


def test_positions_of_chess_are_boards_or_fens(tmp_path: pathlib.Path) -> None:
    """``probe_many`` took FENs, and all others failed with ``type object 'str' has no attribute 'uci_variant'``. Of a
    FEN with castling rights it said that it is malformed, where others say that the table is missing."""
    fen = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"
    with retrograde.chess.build(tmp_path / "endgames", ["KRvK"]) as tables:
        for board in (fen, chess.Board(fen)):
            assert (tables.probe_wdl(board), tables.probe_dtm(board), tables.get_dtm(board)) == (1, 31, 31)
            assert tables.probe_moves(board)[0].distance == 31 and len(tables.line(board)) == 31
            assert tables.probe_many([board]).distances.tolist() == [31]
        asked: List[Callable[[Any], object]] = [
            tables.probe_wdl,
            tables.probe_dtm,
            tables.get_wdl,
            tables.get_moves,
            tables.probe_moves,
            tables.line,
            lambda board: tables.probe_many([board]),
        ]
        for ask in asked:
            for wrong in (0, None, (fen,), fen.encode()):
                with pytest.raises(TypeError, match="a position is a chess.Board or a FEN, and this is"):
                    ask(wrong)
            with pytest.raises(retrograde.errors.InputError, match="junk"):
                ask("junk")
        for ask in asked[:2] + asked[4:]:
            with pytest.raises(retrograde.chess.MissingTableError, match="castling"):
                ask("8/8/8/8/8/2k5/8/R3K3 w Q - 0 1")
        with pytest.raises(TypeError, match="sequence"):
            tables.probe_many(fen)
    with retrograde.TableFolder(tmp_path / "endgames") as folder:
        by_text: List[Callable[[Any], object]] = [folder.region, folder.probe, folder.moves, folder.line, folder.picture]
        for ask in by_text:
            with pytest.raises(TypeError, match="a position is a text in the notation of the game, and this is Board"):
                ask(chess.Board(fen))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (lambda: retrograde.solve("persuit", "P.T"), "no game 'persuit'; did you mean 'pursuit'"),  # type: ignore[call-overload]
        (lambda: retrograde.solve("zzz"), "no game 'zzz'; there are achi, chase"),  # type: ignore[call-overload]
        (lambda: retrograde.solve("pursuit", "P.T", polcie=2), "pursuit has no parameter 'polcie'; did you mean 'police'"),
        (lambda: retrograde.solve("pursuit", "P.T", distance=False), "no parameter 'distance'; did you mean 'distances'"),
        (lambda: retrograde.solve("pursuit", "P.T", memory=None), "no parameter 'memory'; did you mean 'memory_max'"),
        (lambda: retrograde.solve("pursuit", "P.T", zzz=1), "no parameter 'zzz'; it takes .*police"),
    ],
)
def test_names_of_games_and_parameters_are_suggested(asked: Callable[[], object], said: str) -> None:
    """``distance=False`` was dropped in silence, as any unknown parameter that is ``False`` or ``None``. Other wrong names
    were refused, and the right ones were not said."""
    with pytest.raises(retrograde.errors.InputError, match=said):
        asked()


def test_parameters_of_an_own_game_are_suggested() -> None:
    """``distance=False`` was dropped in silence."""

    class Nothing:
        numbers = 1

        def status(self, states: Any) -> Any:
            return np.full(len(states), retrograde.OPEN)

        def successors(self, states: Any) -> Any:
            return np.empty((len(states), 0), dtype=int)

    assert retrograde.solve(Nothing(), misere=True).value(0) == retrograde.WIN
    with pytest.raises(TypeError, match="did you mean 'distances'"):
        retrograde.solve(Nothing(), distance=False)
    with pytest.raises(TypeError, match="no board"):
        retrograde.solve(Nothing(), "board")


def test_nodes_are_suggested() -> None:
    """An error about a node did not say which nodes are like it."""
    solution = retrograde.solve_graph(nx.DiGraph([("Berlin", "Hamburg"), ((0, 1), 7), (7, "Berlin")]))
    for asked, said in [("berlin", "'Berlin'"), ("Hamburgh", "'Hamburg'"), ("7", "7"), ([0, 1], r"\(0, 1\)")]:
        for ask in (solution.probe, lambda state: solution.probe_many([state])):
            with pytest.raises(retrograde.StateError, match=f"no node .*; did you mean {said}"):
                ask(asked)
    with pytest.raises(retrograde.StateError, match="no node 'Rome'$"):
        solution.probe("Rome")


def test_names_of_files_and_ways_to_pack_are_suggested(tmp_path: pathlib.Path) -> None:
    solution = retrograde.solve("take", heaps=[2], take="any")
    solution.save(tmp_path / "board.table")
    retrograde.chess.build(tmp_path / "endgames", ["KRvK"])
    (tmp_path / "board.txt").write_text("P.T")
    asked: List[Tuple[Callable[[], object], str]] = [
        (lambda: retrograde.Table(tmp_path / "bord.table"), "'board.table'"),
        (lambda: retrograde.TableFolder(tmp_path / "endgame"), "'endgames'"),
        (lambda: retrograde.chess.open_tablebase(tmp_path / "endgame"), "'endgames'"),
        (lambda: retrograde.solve("pursuit", tmp_path / "boart.txt"), "'board.txt'"),
    ]
    for ask, said in asked:
        with pytest.raises(FileNotFoundError, match=f"did you mean {said}"):
            ask()
    with pytest.raises(retrograde.errors.TableMissingError) as caught:
        retrograde.Table(tmp_path / "none" / "a.table")
    assert "did you mean" not in str(caught.value) and caught.value.path == tmp_path / "none" / "a.table"
    # A file is no folder, and is not what was meant.
    with pytest.raises(retrograde.errors.TableMissingError, match="not a folder") as caught:
        retrograde.chess.open_tablebase(tmp_path / "board.table")
    assert "did you mean" not in str(caught.value)
    with pytest.raises(retrograde.errors.InputError, match="no compression 'fats'; did you mean 'fast'"):
        solution.save(tmp_path / "x.table", compression="fats")  # type: ignore[arg-type]


def test_what_a_vertex_is_worth_is_checked() -> None:
    """A text as the value of a vertex was ``invalid literal for int() with base 10``, and 0.9 was a draw."""
    wrong: Any
    for wrong in ("win", None, 0.9, True, (1, 2, 3), (1, "far"), (1, 1 << 70)):
        with pytest.raises(retrograde.errors.RulesError, match="the value of 1 is .*WIN, LOSS, DRAW"):
            retrograde.solve_graph([(0, 1)], {1: wrong})


def test_a_misspelt_method_of_a_game_is_suggested() -> None:
    class Misspelt:
        numbers = 1

        def status(self, states: Any) -> Any:
            return np.full(len(states), retrograde.OPEN)

        def sucessors(self, states: Any) -> Any:
            return np.empty((len(states), 0), dtype=int)

    with pytest.raises(TypeError, match="has no successors; is 'sucessors' meant"):
        retrograde.solve(Misspelt())  # type: ignore[call-overload]
