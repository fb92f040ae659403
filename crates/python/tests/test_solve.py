"""Every game of the program against the naive solver, and every question against the plain one."""

from __future__ import annotations

import pathlib
import random
from typing import Any, Dict, Hashable, List

import naive
import numpy as np
import pytest

import retrograde

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
BOARD = "\n".join(["...E", ".*..", "P..T", "**.."])


def assert_same(solved: retrograde.Solved, expected: Dict[Hashable, naive.Known]) -> None:
    for state, (value, distance) in expected.items():
        assert solved.probe(state) == (value, distance), state
    counted = [sum(of) for of in zip(*(counts[:3] for counts in solved.counts().values()))]
    values = [value for value, _ in expected.values()]
    assert counted == [values.count(1), values.count(-1), values.count(0)]


def random_board(seed: int) -> str:
    cells = random.Random(seed)
    rows, columns = cells.randint(1, 4), cells.randint(1, 4)
    return "\n".join("".join(cells.choices("....*E", k=columns)) for _ in range(rows))


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("police", [1, 2])
def test_pursuit(seed: int, police: int) -> None:
    board = random_board(seed)
    solution = retrograde.solve("pursuit", board, police=police)
    assert_same(solution, naive.pursuit(board, police))
    solution.verify()


def test_chase_on_a_path_is_pursuit_in_one_row() -> None:
    chase = retrograde.solve("chase", "a b\nb c\nc d\n! d\npolice a\nthief b\n")
    for state, value in naive.pursuit("...E").items():
        letters = str(state).replace("0,", "").translate(str.maketrans("0123", "abcd"))
        assert chase.probe(letters) == value
    assert chase.start is not None and chase.text(chase.start) == "police a b"


@pytest.mark.parametrize("misere", [False, True])
def test_take(misere: bool) -> None:
    solution = retrograde.solve("take", heaps=[4, 3], take="any", misere=misere)
    assert_same(solution, naive.take((4, 3), None, misere))
    solution = retrograde.solve("take", heaps=np.array([7, 2]), take=[1, 3], misere=misere)
    assert_same(solution, naive.take((7, 2), [1, 3], misere))


@pytest.mark.parametrize("misere", [False, True])
@pytest.mark.parametrize("piece", ["queen", "rook", "bishop", "king"])
def test_corner(piece: str, misere: bool) -> None:
    solution = retrograde.solve("corner", piece=piece, rows=5, columns=7, misere=misere)
    assert_same(solution, naive.corner(piece, 5, 7, misere))


@pytest.mark.parametrize("misere", [False, True])
def test_graph_from_a_text(misere: bool) -> None:
    text = "a b\nb c\nc a\nb d\n= d loss\ne f\n"
    moves = {"a": ["b"], "b": ["c", "d"], "c": ["a"], "e": ["f"], "f": []}
    expected = naive.solve(list(moves), lambda state: list(moves[str(state)]), {"d": (-1, 0)}, misere)
    assert_same(retrograde.solve("graph", text, misere=misere), expected)


def test_a_line_goes_down_to_the_end() -> None:
    solution = retrograde.solve("pursuit", pathlib.Path(EXAMPLES / "board.txt"))
    start = solution.start
    assert start is not None and solution.text(start) == "police 3,0 5,4"
    line = solution.line(start)
    assert (line.states[0], line.end, line.value) == (start, "terminal", retrograde.LOSS)
    assert [solution.distance(state) for state in line.states] == list(range(13, -1, -1))
    for state, to in zip(line.states, line.states[1:]):
        moves = solution.moves(state)
        assert moves[0].to == to
        assert moves[0][1:] == solution.probe(state)
        # Best first, and each worth what it leads to, seen from the other side.
        ranks = [(-value, value * (distance or 0)) for _, value, distance in moves]
        assert ranks == sorted(ranks)
        for move in moves:
            value, distance = solution.probe(move.to)
            assert (move.value, move.distance) == (-value, distance and distance + 1 or move.distance)
    assert solution.moves(line.states[-1]) == []


def test_a_drawn_line_says_where_it_repeats_itself() -> None:
    solution = retrograde.solve("graph", "a b\nb c\nc b\n")
    line = solution.line("a")
    assert ([solution.text(state) for state in line.states], line.end, line.back_to) == (["a", "b", "c"], "cycle", 1)
    assert line.value == retrograde.DRAW


def test_levels_and_counts_add_up() -> None:
    solution = retrograde.solve("pursuit", BOARD)
    levels, counts = solution.levels(), solution.counts()
    assert solution.sides == ["police", "thief"] and list(counts) == ["police", "thief"]
    assert sum(level.wins for level in levels) == sum(of.win for of in counts.values())
    assert sum(level.losses for level in levels) == sum(of.loss for of in counts.values())
    assert sum(map(sum, counts.values())) == len(solution)
    # The property counted holes of the numbering as states, and the program did not.
    assert solution.state_count == sum(each.win + each.loss + each.draw for each in counts.values())
    assert solution.longest == max(level.distance for level in solution.levels())
    assert solution.longest_win == max(level.distance for level in solution.levels() if level.wins)


def test_states_are_those_that_exist() -> None:
    """``states`` was how many exist in a solution, and how many numbers they have in a game and in its progress."""

    class Even:
        numbers = 10

        def status(self, states: Any) -> Any:
            return np.where(states % 2 == 1, retrograde.INVALID, retrograde.OPEN)

        def successors(self, states: Any) -> Any:
            return states[:, None] - 2

    seen: List[retrograde.Progress] = []
    solution = retrograde.solve(Even(), progress=seen.append)
    assert (solution.state_count, len(solution), seen[-1].done, seen[-1].total) == (5, 10, 5, 10)
    old: Any = type("Old", (), {"states": 10, "status": Even.status, "successors": Even.successors})()
    with pytest.raises(TypeError, match="a game has numbers, status and successors .* has no numbers"):
        retrograde.solve(old)


def test_without_distances() -> None:
    solution = retrograde.solve("pursuit", BOARD, distances=False)
    full = retrograde.solve("pursuit", BOARD)
    assert not solution.has_distances
    every = np.arange(len(full))
    assert (solution.probe_many(every).values == full.probe_many(every).values).all()
    assert (solution.probe_many(every).distances == -1).all()
    with pytest.raises(retrograde.errors.NoRulesError):
        solution.distance(full.start)
    with pytest.raises(retrograde.errors.NoRulesError):
        solution.line(full.start)


def test_pictures_texts_and_sides() -> None:
    solution = retrograde.solve("pursuit", BOARD)
    state = solution.number("thief 2,0 2,3")
    assert solution.side_to_move(state) == "thief"
    assert solution.text(state) == "thief 2,0 2,3"
    assert solution.picture(state) == BOARD
    heaps = retrograde.solve("take", heaps=[3], take="any")
    empty, full = heaps.picture(0), heaps.picture(3)
    assert empty is not None and full is not None and len(empty) == len(full) and empty != full


def test_the_same_on_any_number_of_threads() -> None:
    every = np.arange(len(retrograde.solve("pursuit", BOARD)))
    one, two = (retrograde.solve("pursuit", BOARD, threads=n).probe_many(every) for n in (1, 2))
    assert (one.values == two.values).all() and (one.distances == two.distances).all()


@pytest.mark.parametrize(
    ("arguments", "keywords", "kind", "said"),
    [
        (("go",), {}, retrograde.errors.InputError, "no game"),
        (("pursuit",), {}, retrograde.errors.InputError, "needs"),
        (("pursuit", "..\n.x"), {}, retrograde.errors.InputError, "line 2"),
        (("pursuit", ".."), {"piece": "queen"}, retrograde.errors.InputError, "piece is not for pursuit, but for corner"),
        (("pursuit", ".."), {"misere": True}, retrograde.errors.InputError, "misere is not for pursuit"),
        (("take", ".."), {"heaps": [3], "take": "any"}, retrograde.errors.InputError, "no file"),
        (("take",), {"heaps": [3]}, retrograde.errors.InputError, "take"),
        (("take",), {"heaps": [-3], "take": "any"}, retrograde.errors.InputError, "heaps"),
        (("take",), {"heaps": [3], "take": "x"}, retrograde.errors.InputError, "whole numbers"),
        (("corner",), {"piece": "pawn", "rows": 2, "columns": 2}, retrograde.errors.InputError, "pawn"),
        (("pursuit", ".."), {"threads": 0}, ValueError, "threads"),
        (("pursuit", ".."), {"memory_max": 10}, retrograde.errors.MemoryLimitError, "10"),
    ],
)
def test_what_makes_no_sense_is_refused(arguments: Any, keywords: Any, kind: Any, said: str) -> None:
    with pytest.raises(kind, match=said):
        retrograde.solve(*arguments, **keywords)


def test_a_table_is_the_same_from_python_and_from_the_program(tmp_path: pathlib.Path) -> None:
    # What the program writes of this game and board stands in the header; the program has no say in the rest.
    table = retrograde.solve("pursuit", EXAMPLES / "board.txt").save(tmp_path / "board.table")
    header = table.header
    assert header["parameters"] == {"police": 1}
    assert header["board"] == (EXAMPLES / "board.txt").read_text()
    assert header["invalid"] == "forgotten"
    take = retrograde.solve("take", heaps=[3, 4], take=[1, 2], misere=True).save(tmp_path / "take.table")
    assert take.header["parameters"] == {"heaps": [3, 4], "take": "1,2", "misere": True}


def test_errors_name_the_file(tmp_path: pathlib.Path) -> None:
    file = tmp_path / "board.txt"
    file.write_text("..\n.x\n")
    with pytest.raises(retrograde.errors.InputError, match="board.txt: line 2") as caught:
        retrograde.solve("pursuit", file)
    assert caught.value.line == 2
    with pytest.raises(retrograde.errors.InputError, match="pathlib.Path"):
        retrograde.solve("pursuit", str(file))
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(retrograde.errors.InputError, match="board.txt"):
        retrograde.solve("pursuit", file)
    with pytest.raises(FileNotFoundError):
        retrograde.solve("pursuit", tmp_path / "none")


def test_a_text_is_solved_and_its_table_needs_no_text(tmp_path: pathlib.Path) -> None:
    path = EXAMPLES / "games" / "achi.game"
    solution = retrograde.solve(text=path)
    start = "first .../.../... MMMmmm"
    assert solution.probe(solution.start) == solution.probe(start) == (retrograde.WIN, 9)
    assert solution.moves(start)[0].value == retrograde.WIN
    table = solution.save(tmp_path / "achi.table")
    assert table.line(start).states == solution.line(start).states
    assert table.picture(start) == solution.picture(start)
    table.verify()
    again = retrograde.solve(text=path.read_text(encoding="utf-8"))
    assert again.counts() == table.counts() == solution.counts()
    with pytest.raises(retrograde.errors.InputError, match=r"the text: line 2, column 1: `bord`: did you mean `board`"):
        retrograde.solve(text="game x\nbord grid 3 3\n")
    with pytest.raises(TypeError, match="leave the game and the board out"):
        retrograde.solve("achi", text=path)
    with pytest.raises(TypeError, match="name a game"):
        retrograde.solve()
