"""A user's script passes the type checkers in their strict modes, with the installed package and no settings of ours."""

from __future__ import annotations

import os
import pathlib
import subprocess
import sys
from typing import List

import pytest

EXAMPLES = pathlib.Path(__file__).parents[1] / "examples"
SCRIPT = EXAMPLES / "first_steps.py"

GAMES = SCRIPT.parent / "positions"

POSITIONS = """
from typing import List

import retrograde

class Stones:
    start = 15

    def moves(self, stones: int) -> List[int]:
        return [stones - n for n in (1, 2, 3) if n <= stones]

solution = retrograde.solve(Stones(), misere=True, progress=print)
print(solution[15].value.name, [move.label + "!" for move in solution.moves(15)], solution.line(15).end.upper())
with solution.save("stones.table") as table:
    print(len(table), table[15].distance)
with retrograde.open("stones.table", rules=Stones()) as again:
    print(again.moves(15)[0].label, 3 in again)
numbered = retrograde.solve("take", heaps=[3])
print(numbered.moves(1)[0].value)
"""

CHESS = """
import chess
import retrograde
import retrograde.chess

board = chess.Board("8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
with retrograde.chess.build("endgames", ["KRvK"], progress=True) as tables:
    print(tables.probe_wdl(board) + tables.probe_dtm(board.fen()), tables.probe_moves(board)[0].move.uci())
    known = tables.get_wdl(board)
    print(0 if known is None else known, tables.get_dtm(board, 0) + 1)
    print(tables.add_directory("more"), [path.name for path in tables.paths])
    values, distances = tables.probe_many([board, board.fen()])
    print(values.tolist(), distances.max(), [each.distance for each in tables.line(board)])
with retrograde.TableFolder("endgames") as folder:
    print(folder.probe(board.fen()).value.name, [move.label for move in folder.moves(board.fen())])
"""

NOTEBOOK = """
import numpy as np
import retrograde

solution = retrograde.solve("pursuit", "P..\\n..T")
print(solution.state_count, solution.texts([0, 1]))
picture = solution.picture()
if picture is not None:
    print(len(picture.svg) + len(picture.upper()))
moves = solution.moves_many(np.arange(3))
print(moves.to.tolist(), int(moves.offsets[-1]), moves.values.dtype, moves.distances.max())
frame = solution.to_pandas(texts=True)
print(len(frame), len(solution.to_arrow(texts=True)))
table = solution.save("a.table", compression="fast")
print(table.path)
"""

WRONG = """
import retrograde

solution = retrograde.solve_graph([(0, 1)], vertices="two")
text: str = solution.value(0)
line: int = solution.line(0).states
solution.probe_many([[0, 1]])
if solution.start + 1 > 0:
    print(retrograde.Value.OPEN)
"""


def mistakes(checker: List[str], script: str, folder: pathlib.Path) -> List[int]:
    """The lines of a script in which a type checker finds mistakes, with what it said."""
    file = folder / "script.py"
    file.write_text("# pyright: strict\n" + script, encoding="utf-8")
    # The checkers look for the package where this Python has it.
    environment = {**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"}
    ran = subprocess.run(
        [sys.executable, "-m", *checker, file.name], cwd=folder, capture_output=True, text=True, env=environment
    )
    errors = [line for line in ran.stdout.splitlines() if "error:" in line]
    assert bool(errors) == (ran.returncode != 0) and ("error" in ran.stdout or "no issues" in ran.stdout), ran
    print(ran.stdout)
    return [int(line.partition("script.py:")[2].split(":")[0]) for line in errors]


checkers = pytest.mark.parametrize(
    "checker", [["mypy", "--strict", "--config-file="], ["pyright", "--pythonpath", sys.executable]], ids=["mypy", "pyright"]
)


@checkers
def test_a_users_script_has_no_mistakes(checker: List[str], tmp_path: pathlib.Path) -> None:
    """``tables.get_dtm(board, 0)`` was perhaps ``None``, so a program could not add to it."""
    assert mistakes(checker, SCRIPT.read_text(encoding="utf-8"), tmp_path) == []
    assert mistakes(checker, (EXAMPLES / "chess_drop_in.py").read_text(encoding="utf-8"), tmp_path) == []
    assert mistakes(checker, CHESS, tmp_path) == []
    assert mistakes(checker, NOTEBOOK, tmp_path) == []
    assert mistakes(checker, POSITIONS, tmp_path) == []


@checkers
@pytest.mark.parametrize("game", sorted(path.name for path in GAMES.glob("*.py")))
def test_the_games_of_positions_have_no_mistakes(checker: List[str], game: str, tmp_path: pathlib.Path) -> None:
    assert mistakes(checker, (GAMES / game).read_text(encoding="utf-8"), tmp_path) == []


@checkers
def test_mistakes_are_found(checker: List[str], tmp_path: pathlib.Path) -> None:
    assert sorted(set(mistakes(checker, WRONG, tmp_path))) == [5, 6, 7, 8, 9, 10]


def test_the_script_runs() -> None:
    ran = subprocess.run([sys.executable, SCRIPT], capture_output=True, text=True, check=True)
    said = ran.stdout.splitlines()
    assert "15 stones: WIN in 7" in said and "250 of 1000 states are lost, the last in 499" in said
    assert "stones.table: 750 wins, 10 rows for Arrow" in said
    assert said[-2:] == ["left right cycle", "police 0,0 1,2 WIN"], ran.stdout
