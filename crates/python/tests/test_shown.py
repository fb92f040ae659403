"""What a person sees: versions, pictures, names of moves, progress."""

from __future__ import annotations

import inspect
import io
import pathlib
import subprocess
import sys
from contextlib import redirect_stderr
from typing import List, Union, get_args
from xml.etree import ElementTree

import chess
import nanoarrow
import networkx as nx
import numpy as np
import pytest

import retrograde
import retrograde.chess
from retrograde import _arrow
from retrograde._progress import by_line, pace

BOARD = "P..\n.*.\n..T"


def test_the_version_is_said() -> None:
    assert retrograde.__version__.count(".") == 2


def test_a_notebook_shows_a_solved_game() -> None:
    solution = retrograde.solve("pursuit", BOARD)
    svg = solution._repr_svg_()
    assert svg is not None
    assert ElementTree.fromstring(svg).tag.endswith("svg")
    html = solution._repr_html_()
    assert html is not None and "police" in html and "<svg" in html
    without = retrograde.solve("pursuit", BOARD, distances=False)
    assert without._repr_svg_() is None and "police" in (without._repr_html_() or "")


def test_a_picture_is_of_the_start() -> None:
    solution = retrograde.solve("pursuit", BOARD)
    assert solution.picture() == solution.picture(solution.start) == BOARD
    assert retrograde.solve_graph([(0, 1)]).picture(0) is None


def test_many_states_are_probed_by_their_texts() -> None:
    solution = retrograde.solve("pursuit", BOARD)
    texts = ["police 0,0 2,2", "thief 0,0 2,2"]
    values, distances = solution.probe_many(texts)
    assert [(value, distance) for value, distance in zip(values, distances)] == [solution.probe(text) for text in texts]
    assert solution.probe_many(np.array([texts])).values.shape == (1, 2)
    with pytest.raises(retrograde.StateError):
        solution.probe_many(["robber 0,0 2,2"])


def test_edges_may_have_labels() -> None:
    solution = retrograde.solve_graph([(0, 1, "left"), (0, 2, "right"), (2, 1, "down")])
    assert [(move.to, solution.label(0, move.to)) for move in solution.moves(0)] == [(1, "left"), (2, "right")]
    assert solution.label(2, 1) == "down"
    assert solution.label(1, 0) is None
    assert retrograde.solve_graph([(0, 1)]).label(0, 1) is None
    graph = nx.DiGraph()
    graph.add_edge("a", "b", label="go")
    assert retrograde.solve_graph(graph).label("a", "b") == "go"


def test_columns_go_to_arrow_without_a_copy() -> None:
    """Numbers that stand for no position had the value -2 in a column, where Arrow has nulls."""
    solution = retrograde.solve("pursuit", "P..\n.*.\n..T")
    columns = solution.to_arrow()
    values, distances = solution.probe_many(range(len(solution)))
    rows = list(nanoarrow.Array(columns).to_pylist())
    assert [row["value"] for row in rows] == [None if each == retrograde.INVALID else each for each in values.tolist()]
    assert [row["distance"] for row in rows] == [None if each < 0 else each for each in distances.tolist()]
    assert [row["state"] for row in rows] == list(range(len(solution)))
    assert any(row["value"] is None for row in rows) and any(row["distance"] is None for row in rows)
    assert [row["state"] for row in nanoarrow.Array(solution.to_arrow(5, 9)).to_pylist()] == [5, 6, 7, 8]
    assert len(columns) == len(solution) and len(solution.to_arrow(3, 3)) == 0
    with pytest.raises(retrograde.StateError):
        solution.to_arrow(9, 5)
    handed = nanoarrow.c_array(_arrow.columns(0, values, distances))
    addresses = [list(column.buffers)[1] for column in handed.children]
    assert addresses[1:] == [values.ctypes.data, distances.ctypes.data]


def test_without_nanoarrow_the_error_says_what_to_install() -> None:
    program = """
import sys, retrograde
sys.modules["nanoarrow"] = None
retrograde.solve_graph([(0, 1)]).to_arrow()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "ImportError: to_arrow takes nanoarrow: pip install nanoarrow" in ran.stderr


def test_names_of_games_are_checked_by_types(tmp_path: pathlib.Path) -> None:
    assert sorted(get_args(retrograde.GameName)) == sorted(retrograde.GAMES)
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import retrograde\nretrograde.solve("persuit", "P.T")\nretrograde.solve("pursuit", "P.T")\n')
    ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(wrong)], capture_output=True, text=True)
    errors = [line for line in ran.stdout.splitlines() if "error:" in line]
    assert len(errors) == 1 and "wrong.py:2" in errors[0] and "persuit" in errors[0], ran.stdout


def test_help_says_what_a_function_takes() -> None:
    for function in (retrograde.solve, retrograde.solve_graph, retrograde.Table.probe_many, retrograde.chess.build):
        signature = str(inspect.signature(function))
        assert "<" not in signature and len(signature) < 600, signature


def test_progress_says_rate_and_time_left() -> None:
    assert pace(0, 100, 9.0) == ""
    assert pace(1000, 11_000, 2.0) == ", 500 a second, at most 20 s left"
    text = io.StringIO()
    with redirect_stderr(text), by_line("settled") as show:
        show(3, 10, 20)
    assert text.getvalue() == "\rlevel 3, 10 of 20 states settled \n"


def test_chess_is_probed_in_numbers_and_played_out(tmp_path: pathlib.Path) -> None:
    with retrograde.chess.build(tmp_path / "endgames", ["KQvK"]) as tables:
        board = chess.Board("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")
        line = tables.line(board)
        assert len(line) == tables.probe_dtm(board) == 11
        at = board.copy()
        for move in line:
            at.push(move.move)
        assert at.is_checkmate()
        drawn = chess.Board("8/8/8/8/8/2k5/8/K7 w - - 0 1")
        assert tables.line(drawn) == []
        boards: List[Union[str, chess.Board]] = [board, drawn, board.fen()]
        values, distances = tables.probe_many(boards)
        assert values.tolist() == [1, 0, 1] and distances.tolist() == [11, -1, 11]
        assert values.dtype == np.int8
        assert len(tables.probe_many([]).values) == 0
        with pytest.raises(retrograde.errors.InputError):
            tables.probe_many(["nothing"])
        with pytest.raises(retrograde.chess.MissingTableError):
            tables.probe_many(["8/8/8/8/8/2k5/8/KR6 w - - 0 1"])
