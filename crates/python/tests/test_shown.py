"""What a person sees: versions, pictures, names of moves, progress."""

from __future__ import annotations

import inspect
import io
import pathlib
import pickle
import subprocess
import sys
from contextlib import redirect_stderr
from typing import List, Optional, Union, get_args
from xml.etree import ElementTree

import chess
import nanoarrow
import networkx as nx
import numpy as np
import pandas
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
    html = solution._repr_html_()
    assert html is not None and "police" in html and "<svg" in html
    without = retrograde.solve("take", heaps=[3, 5], take="any", distances=False)
    assert without._repr_svg_() is None and "player" in (without._repr_html_() or "")


def words(svg: Optional[str]) -> List[str]:
    """The texts of a drawing."""
    assert svg is not None
    return ["".join(text.itertext()) for text in ElementTree.fromstring(svg).iter() if text.tag.endswith("text")]


def test_where_one_man_moves_a_map_is_drawn() -> None:
    """The values for the police, with the thief on each of eight cells."""
    for distances in (True, False):
        solution = retrograde.solve("pursuit", BOARD, distances=distances)
        said = words(solution._repr_svg_())
        assert "thief stands there." in said
        values = [solution.value(f"police 0,0 {row},{column}") for row in range(3) for column in range(3) if (row, column) != (1, 1)]
        assert values == [retrograde.WIN] * 8
        found = [word for word in said if word in {"+0", "+1", "+3", "+5", "+7"}]
        assert sorted(found) == (sorted(["+0", "+1", "+1", "+3", "+3", "+5", "+5", "+7"]) if distances else [])


def test_a_small_graph_is_drawn_with_its_names() -> None:
    said = words(retrograde.solve_graph(nx.DiGraph([("here", "there"), ("there", "here"), ("here", "end")]))._repr_svg_())
    assert {"here", "there", "end", "solved game: 3 states"} <= set(said)
    said = words(retrograde.solve_graph([(number, number + 1) for number in range(1000)])._repr_svg_())
    assert "solved game: 1,001 states" in said and any(word.startswith("plies to the end") for word in said)
    assert "999" not in said


def test_many_men_are_drawn_as_a_histogram() -> None:
    said = words(retrograde.solve("take", heaps=[3, 5], take="any")._repr_svg_())
    assert any(word.startswith("plies to the end") for word in said)


def test_a_position_is_drawn_with_the_values_of_its_moves() -> None:
    solution = retrograde.solve("pursuit", BOARD)
    picture = solution.picture()
    assert picture is not None and picture == BOARD == solution.picture(solution.start)
    said = words(picture._repr_svg_())
    assert picture.svg == picture._repr_svg_() and "win in 7 plies for police, who is to move." in said
    # Two moves win in 7. To stay takes two plies more.
    assert sorted(word for word in said if word.startswith("+") and word != "+") == ["+7", "+7", "+9"]
    assert pickle.loads(pickle.dumps(picture)).svg == picture.svg
    assert retrograde.solve_graph([(0, 1)]).picture(0) is None


def test_boards_that_letters_cannot_draw_have_their_text() -> None:
    solution = retrograde.solve("graph", "a b\nb a\na end\n")
    picture = solution.picture("a")
    assert picture == "a" and {"a", "b", "end"} <= set(words(picture._repr_svg_()))


def test_positions_of_a_folder_are_drawn(tmp_path: pathlib.Path) -> None:
    retrograde.chess.build(tmp_path / "endgames", ["KRvK"])
    with retrograde.TableFolder(tmp_path / "endgames") as folder:
        picture = folder.picture("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
        assert picture is not None and "2 . R . . . . . ." in picture
        assert "win in 31 plies for white, who is to move." in words(picture.svg)


def test_moves_of_many_states_are_those_of_each() -> None:
    solution = retrograde.solve("pursuit", BOARD)
    values, _ = solution.probe_many(range(len(solution)))
    states = np.flatnonzero(values != retrograde.INVALID)
    for distances in (True, False):
        solution = retrograde.solve("pursuit", BOARD, distances=distances)
        offsets, to, values, plies = solution.moves_many(states)
        assert len(offsets) == len(states) + 1 and offsets[-1] == len(to) == len(values) == len(plies) > len(states)
        for place, state in enumerate(states.tolist()):
            run = slice(offsets[place], offsets[place + 1])
            found = [retrograde.Move(*each) for each in zip(to[run].tolist(), values[run].tolist(), plies[run].tolist())]
            expected = [move._replace(distance=-1 if move.distance is None else move.distance) for move in solution.moves(state)]
            assert found == expected
    with pytest.raises(retrograde.StateError):
        solution.moves_many([len(solution)])
    invalid = next(state for state in range(len(solution)) if state not in states)
    with pytest.raises(retrograde.StateError, match="invalid"):
        solution.moves_many([invalid])
    named = retrograde.solve_graph(nx.DiGraph([("a", (0, 1)), ((0, 1), "b")])).moves_many(["a", "b", (0, 1)])
    assert (named.offsets.tolist(), named.to.tolist()) == ([0, 1, 1, 2], [(0, 1), "b"])
    assert retrograde.solve_graph([(0, 1)]).moves_many([]).offsets.tolist() == [0]


def test_texts_of_many_states_are_those_of_each(tmp_path: pathlib.Path) -> None:
    solution = retrograde.solve("pursuit", BOARD)
    for solved in (solution, solution.save(tmp_path / "a.table")):
        texts = solved.texts(range(len(solved)))
        values, distances = solved.probe_many(range(len(solved)))
        assert [text is None for text in texts] == (values == retrograde.INVALID).tolist()
        assert all(text is None or text == solved.text(number) for number, text in enumerate(texts))
        rows = nanoarrow.Array(solved.to_arrow(3, 90, texts=True)).to_pylist()
        assert [row["text"] for row in rows] == texts[3:90] and any(row["text"] is None for row in rows)
        frame = solved.to_pandas(3, 90, texts=True)
        assert frame.index.tolist() == list(range(3, 90)) and frame.index.name == "state"
        assert [None if text is pandas.NA else text for text in frame["text"]] == texts[3:90]
        assert frame["value"].isna().tolist() == (values[3:90] == retrograde.INVALID).tolist()
        known = frame["value"].dropna()
        assert known.tolist() == values[known.index].tolist()
        assert frame["distance"].dropna().tolist() == [each for each in distances[3:90].tolist() if each >= 0]
        assert list(solved.to_pandas().columns) == ["value", "distance"] and len(solved.to_pandas()) == len(solved)
    named = retrograde.solve_graph(nx.DiGraph([((0, 1), "b")]))
    assert named.texts([(0, 1), "b"]) == ["(0, 1)", "b"] == named.to_pandas(texts=True)["text"].tolist()
    table = retrograde.solve_graph([(0, 1)]).save(tmp_path / "unknown.table", game="unknown")
    with pytest.raises(retrograde.errors.NoRulesError):
        table.to_arrow(texts=True)
    assert table._repr_svg_() is not None


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
    handed = nanoarrow.c_array(_arrow.columns(0, values, distances, None))
    addresses = [list(column.buffers)[1] for column in handed.children]
    assert addresses[1:] == [values.ctypes.data, distances.ctypes.data]


@pytest.mark.parametrize(("asked", "package"), [("to_arrow", "nanoarrow"), ("to_pandas", "pandas")])
def test_without_a_package_the_error_says_what_to_install(asked: str, package: str) -> None:
    program = f"""
import sys, retrograde
sys.modules["{package}"] = None
retrograde.solve_graph([(0, 1)]).{asked}()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert f"ImportError: {asked} takes {package}: pip install {package}" in ran.stderr


def test_names_of_games_are_checked_by_types(tmp_path: pathlib.Path) -> None:
    assert sorted(get_args(retrograde.GameName)) == sorted(retrograde.GAMES)
    wrong = tmp_path / "wrong.py"
    wrong.write_text('import retrograde\nretrograde.solve("persuit", "P.T")\nretrograde.solve("pursuit", "P.T")\n')
    ran = subprocess.run([sys.executable, "-m", "mypy", "--strict", str(wrong)], capture_output=True, text=True)
    errors = [line for line in ran.stdout.splitlines() if "error:" in line]
    assert len(errors) == 1 and "wrong.py:2" in errors[0] and "Literal['achi', " in ran.stdout, ran.stdout


def test_help_says_what_a_function_takes() -> None:
    for function in (retrograde.solve, retrograde.solve_graph, retrograde.Table.probe_many, retrograde.chess.build):
        signature = str(inspect.signature(function))
        assert "<" not in signature and len(signature) < 600, signature


def test_progress_says_rate_and_time_left() -> None:
    assert pace(0, 100, 9.0) == ""
    assert pace(1000, 11_000, 2.0) == ", 500 a second, at most 20 s left"
    text = io.StringIO()
    with redirect_stderr(text), by_line("settled") as show:
        show(None, 20, 20)
        show(3, 10, 20)
    # A shorter line covers what a longer one has left.
    seeded, settled = "20 of 20 states seeded", "level 3, 10 of 20 states settled"
    assert text.getvalue() == f"\r{seeded:<79}\r{settled:<79}\n"


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
