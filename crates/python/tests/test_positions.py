"""Games of positions: against the naive solver, played in the terminal, and saved."""

from __future__ import annotations

import gzip
import pathlib
import runpy
import signal
import subprocess
import sys
from typing import Any, Callable, Dict, Hashable, Iterator, List, Optional, Set, Tuple
from xml.etree import ElementTree

import naive
import numpy as np
import pytest

import retrograde
from retrograde import DRAW, LOSS, OPEN, WIN, Answer, Progress
from retrograde.errors import MemoryLimitError, NoRulesError, RulesError, StateError, TableDamagedError, TableError, TableMissingError, VerifyError, WriteError

ROOT = pathlib.Path(__file__).parents[3]
EXAMPLES = pathlib.Path(__file__).parents[1] / "examples" / "positions"


class Random:
    """A random game with cycles, whose positions are of many kinds."""

    def __init__(self, seed: int, players: bool, named: bool) -> None:
        random = np.random.default_rng(seed)
        count = int(random.integers(1, 40))
        self.to = [list(map(int, random.integers(0, count, random.integers(0, 4)))) for _ in range(count)]
        self.names: List[Any] = [[f"p{n}", n, (n, "x"), frozenset([n, -1])][n % 4] for n in range(count)]
        self.numbers = {name: number for number, name in enumerate(self.names)}
        self.decided: Dict[int, Tuple[retrograde.Value, int]] = {}
        for number in map(int, random.choice(count, count // 5, replace=False)):
            value = retrograde.Value(int(random.integers(-1, 2)))
            self.decided[number] = (value, -1 if value == DRAW else int(random.integers(0, 5)))
        self.sides = [("anna", "bob")[int(each)] for each in random.integers(0, 2, count)]
        self.named = named
        self.start = [self.names[int(each)] for each in random.integers(0, count, 2)]
        if players:
            self.player = lambda position: self.sides[self.numbers[position]]

    def moves(self, position: Any) -> Any:
        to = [self.names[each] for each in self.to[self.numbers[position]]]
        return [(f"to {each}", each) for each in to] if self.named else to

    def value(self, position: Any) -> Any:
        value, plies = self.decided.get(self.numbers[position], (OPEN, -1))
        return (None if plies % 2 else OPEN) if value == OPEN else value if plies <= 0 else (value, plies)

    def judged(self, misere: bool) -> Dict[Any, naive.Known]:
        """What is true of the positions that play reaches."""
        reached: Set[int] = set()
        todo = [self.numbers[each] for each in self.start]
        while todo:
            number = todo.pop()
            if number not in reached:
                reached.add(number)
                todo += [] if number in self.decided else self.to[number]
        decided: Dict[Hashable, naive.Known] = {
            number: (int(value), None if value == DRAW else max(plies, 0))
            for number, (value, plies) in self.decided.items()
            if number in reached
        }
        keeps = hasattr(self, "player")
        known = naive.solve(
            reached, lambda n: self.to[n], decided, misere, lambda a, b: keeps and self.sides[a] == self.sides[b]
        )
        return {self.names[number]: value for number, value in known.items()}


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("players", [False, True])
@pytest.mark.parametrize("misere", [False, True])
def test_random_games(seed: int, players: bool, misere: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # Several batches and runs, the last of them short.
    monkeypatch.setattr("retrograde._explore.BATCH_POSITIONS", 3)
    monkeypatch.setattr("retrograde._explore.RUN_POSITIONS", 5)
    game = Random(seed, players, named=seed % 2 == 1)
    expected = game.judged(misere)
    solution = retrograde.solve(game, misere=misere)
    assert {position: tuple(solution[position]) for position in solution} == expected
    assert len(solution) == len(expected) and list(solution) == list(solution.positions)
    solution.verify()
    values, distances = solution.probe_many(list(expected))
    assert [(value, None if plies < 0 else plies) for value, plies in zip(values, distances)] == list(expected.values())
    for position in solution:
        moves = solution.moves(position)
        if game.numbers[position] in game.decided:
            assert moves == []
            continue
        assert sorted(game.numbers[move.to] for move in moves) == sorted(game.to[game.numbers[position]])
        assert all(move.label == f"to {move.to}" or not game.named for move in moves)
        if moves:
            assert (moves[0].value, moves[0].distance) == solution[position]
        line = solution.line(position)
        assert line.states[0] == position
        assert (line.end == "cycle") == (line.back_to is not None)
        if solution[position].distance is None:
            assert line.end == "cycle" or solution.value(line.states[-1]) == DRAW
        else:
            plies = solution[line.states[-1]].distance
            assert plies is not None and len(line.states) - 1 + plies == solution[position].distance
    assert "nowhere" not in solution and [] not in solution and len(game.names) + 4 not in solution


class Stones:
    """Positions are whole numbers."""

    start = 15

    def moves(self, stones: int) -> List[Tuple[str, int]]:
        return [(f"take {n}", stones - n) for n in (1, 2, 3) if n <= stones]


class InBatches(Stones):
    """It never answers for one position."""

    def moves(self, stones: int) -> Any:
        raise AssertionError("moves() is for answers")

    def moves_many(self, positions: List[int]) -> Iterator[Any]:
        return map(super().moves, positions)


def test_batches() -> None:
    one, many = retrograde.solve(Stones()), retrograde.solve(InBatches())
    assert {n: one[n] for n in one} == {n: many[n] for n in many}

    class Fewer(InBatches):
        def moves_many(self, positions: List[int]) -> Iterator[Any]:
            return iter(list(super().moves_many(positions))[1:])

    with pytest.raises(RulesError, match="answers 0 for 1 positions"):
        retrograde.solve(Fewer())


class Swapped:
    """Two heaps. Their order does not matter, and each player may take one or two stones, or one from each heap."""

    start = (7, 5)

    def moves(self, heaps: Tuple[int, int]) -> Dict[str, Tuple[int, int]]:
        a, b = heaps
        to = {"left": (a - 1, b), "left two": (a - 2, b), "right": (a, b - 1), "right two": (a, b - 2), "both": (a - 1, b - 1)}
        return {name: each for name, each in to.items() if min(each) >= 0}


class Sorted(Swapped):
    """The same with half of the positions."""

    def symmetry(self, heaps: Tuple[int, int]) -> Tuple[int, int]:
        return (min(heaps), max(heaps))


def test_symmetries() -> None:
    plain, sorted_ones = retrograde.solve(Swapped()), retrograde.solve(Sorted())
    assert len(sorted_ones) < len(plain)
    assert all(sorted_ones[position] == plain[position] for position in plain)
    assert {move.label for move in sorted_ones.moves((7, 5))} == set(Swapped().moves((7, 5)))
    # Play goes through positions as they are, not through their images.
    states = sorted_ones.line((7, 5)).states
    assert all(to in Swapped().moves(at).values() for at, to in zip(states, states[1:]))

    class Wandering(Sorted):
        def symmetry(self, heaps: Tuple[int, int]) -> Tuple[int, int]:
            return heaps[::-1]

    with pytest.raises(RulesError, match="one position for all that are equal"):
        retrograde.solve(Wandering())

    class Turned(Sorted):
        def player(self, heaps: Tuple[int, int]) -> bool:
            return heaps[0] < heaps[1]

    with pytest.raises(RulesError, match="another player is to move"):
        retrograde.solve(Turned())


class Pairs:
    """Positions look like named moves."""

    start = ("a", 3)

    def moves(self, position: Tuple[str, int]) -> Any:
        side, stones = position
        return [("b" if side == "a" else "a", stones - 1)] if stones else []


def test_positions_that_look_like_named_moves() -> None:
    solution = retrograde.solve(Pairs())
    assert list(solution) == [("a", 3), ("b", 2), ("a", 1), ("b", 0)]
    assert [move.label for move in solution.moves(("a", 3))] == ["('b', 2)"]

    class Named(Pairs):
        def moves(self, position: Tuple[str, int]) -> Any:
            return {"on": each for each in super().moves(position)}

    assert [move.label for move in retrograde.solve(Named()).moves(("a", 3))] == ["on"]


def answering(**methods: Optional[Callable[..., Any]]) -> Any:
    """A game with some methods."""
    return type("Wrong", (), {"start": 0, "moves": lambda self, at: [], **{k: v and staticmethod(v) for k, v in methods.items()}})()


@pytest.mark.parametrize(
    "game, problem",
    [
        (answering(moves=lambda at: [[1]]), r"key of a dictionary, and this is list: \[1\], at 0"),
        (answering(moves=lambda at: "up"), r"moves\(0\) answers 'up'"),
        (answering(moves=lambda at: None), r"moves\(0\) answers None"),
        (answering(moves=lambda at: [None]), "a move from 0 leads to None, which is no position"),
        (answering(moves=lambda at: {"up": None}), "a move from 0 leads to None"),
        (answering(symmetry=lambda at: None if at else 0, moves=lambda at: [1]), "a move from 0 leads to None"),
        (answering(symmetry=lambda at: None), r"symmetry\(0\) answers None"),
        (answering(start=lambda: 0), "start is a method"),
        (answering(moves=lambda at: [("a", 1), 2]), "pairs of a name and a position, and others"),
        (answering(value=lambda at: False), r"value\(0\) answers False"),
        (answering(value=lambda at: 1.0), r"value\(0\) answers 1.0"),
        (answering(value=lambda at: "win"), r"value\(0\) answers 'win'"),
        (answering(value=lambda at: (WIN, -3)), r"value\(0\) answers"),
        (answering(value=lambda at: (WIN, 1, 2)), r"value\(0\) answers"),
        (answering(moves=lambda at: [at + 1] if at < 3 else [], player=lambda at: at), "a game has two players"),
    ],
)
def test_wrong_answers(game: Any, problem: str) -> None:
    with pytest.raises(RulesError, match=problem):
        retrograde.solve(game)


@pytest.mark.skipif(sys.version_info < (3, 11), reason="errors have no notes yet")
@pytest.mark.parametrize("name", ["moves", "value", "symmetry"])
def test_an_error_of_the_game_has_a_note_with_the_position(name: str) -> None:
    methods: Dict[str, Callable[[Any], Any]] = {"moves": lambda at: [at + 1] if at < 9 else [], "value": lambda at: LOSS if at == 9 else None}
    right = methods.get(name, lambda at: at)
    with pytest.raises(ZeroDivisionError) as caught:
        retrograde.solve(answering(**{**methods, name: lambda at: right(at) if at < 5 else 1 // 0}))
    notes = getattr(caught.value, "__notes__", [])
    assert notes == [f"the game was asked about the position {4 if name == 'symmetry' else 5}"]
    # Which one it was is not known here, so nothing is said.
    with pytest.raises(ZeroDivisionError) as caught:
        retrograde.solve(answering(**methods, player=lambda at: 1 // 0))
    assert not hasattr(caught.value, "__notes__")


@pytest.mark.parametrize("name, meant", [("values", "value"), ("symetry", "symmetry"), ("move_many", "moves_many")])
def test_a_misspelt_method_is_warned_of(name: str, meant: str) -> None:
    with pytest.warns(UserWarning, match=f"has a method '{name}', which the solver does not ask; is '{meant}' meant") as warned:
        retrograde.solve(answering(**{name: lambda at: None}))
    assert warned[0].filename == __file__
    # A number is no method, and a method beside the right one is the game's own.
    retrograde.solve(type("Numbers", (Stones,), {"values": 3})())
    retrograde.solve(answering(values=lambda at: None, value=lambda at: None))


def test_what_is_no_game() -> None:
    class Empty:
        start: List[int] = []

        def moves(self, position: int) -> List[int]:
            return []

    with pytest.raises(RulesError, match="start has no position"):
        retrograde.solve(Empty())
    class Halted:
        def moves(self, position: int) -> List[int]:
            return []

    with pytest.raises(TypeError, match="has no start"):
        retrograde.solve(Halted())  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="has no moves; is 'move' meant"):
        retrograde.solve(type("Moved", (), {"start": 0, "move": lambda self, at: []})())
    with pytest.raises(RulesError, match="start is None"):
        retrograde.solve(answering(start=None))
    with pytest.raises(TypeError, match=r"Stones is a class: give a game of this class, Stones\(\)"):
        retrograde.solve(Stones)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="takes no board.*here is 'heaps'"):
        retrograde.solve(Stones(), heaps=3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="here is 'memory'; did you mean 'memory_max'"):
        retrograde.solve(Stones(), memory=3)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match=r"start and moves .*or numbers, .*this is dict: .*; retrograde.solve_graph takes"):
        retrograde.solve({"a": ["b"]})  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="this is int: 5$"):
        retrograde.solve(5)  # type: ignore[call-overload]
    with pytest.raises(NoRulesError, match="player"):
        retrograde.solve(Stones()).side_to_move(15)
    with pytest.raises(NoRulesError, match="distances"):
        retrograde.solve(Stones(), distances=False).line(15)
    with pytest.raises(StateError, match="16 is no position of the game"):
        retrograde.solve(Stones()).moves(16)


class Endless:
    """A game without end."""

    start = 0

    def moves(self, position: int) -> List[int]:
        return [position + 1, position + 2, position + 3]


def test_the_limit_of_memory_covers_exploring() -> None:
    with pytest.raises(MemoryLimitError, match=r"the first \d+ positions and \d+ moves take") as caught:
        retrograde.solve(Endless(), memory_max=50_000_000)
    assert caught.value.needed > caught.value.limit == 50_000_000


def test_progress_and_stopping() -> None:
    class Tree:
        start = ""

        def moves(self, position: str) -> List[str]:
            return [position + each for each in "ab"] if len(position) < 16 else []

    seen: List[Progress] = []
    solution = retrograde.solve(Tree(), progress=seen.append)
    total = len(solution)
    assert total == 2**17 - 1
    assert any(each == Progress(17, total, total) for each in seen)
    assert seen[-1].level == 16 and seen[-1].total == total

    class Stop(Exception):
        pass

    def stop(progress: Progress) -> None:
        raise Stop

    with pytest.raises(Stop):
        retrograde.solve(Endless(), progress=stop)


PEAK = """
import re, sys, retrograde
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", open("/proc/self/status").read()).group(1)) << 10
class Game:
    start = (0, 0)
    def moves(self, position):
        a, b = position
        return [(a + 1, b), (a, b + 1), (a // 2, b // 2)] if a + b < 800 else []
retrograde.solve_graph([(0, 1)])
limit = 60_000_000
while True:
    open("/proc/self/clear_refs", "w").write("5")
    before = peak()
    try:
        solution = retrograde.solve(Game(), memory_max=limit, threads=1)
        break
    except retrograde.errors.MemoryLimitError as error:
        assert error.needed > limit
        limit = error.needed
print(limit, peak() - before)
"""


@pytest.mark.skipif(not pathlib.Path("/proc/self/clear_refs").exists(), reason="only Linux tells the peak of a process")
def test_the_peak_is_within_the_limit() -> None:
    ran = subprocess.run([sys.executable, "-c", PEAK], capture_output=True, text=True, check=True)
    limit, peak = map(int, ran.stdout.split())
    assert peak < 1.05 * limit + (32 << 20), (limit, peak)


def example(name: str) -> Dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / f"{name}.py"))


@pytest.mark.parametrize("name, game", [("token", "Token"), ("three_men", "ThreeMen"), ("hounds", "Hounds")])
def test_the_examples(name: str, game: str) -> None:
    rules: Any = example(name)[game]()
    solution = retrograde.solve(rules)
    plain: Any = type("Plain", (), {"start": rules.start, "moves": rules.moves, "value": rules.value})()
    moves = {}
    decided: Dict[Any, naive.Known] = {}
    todo = [rules.start]
    while todo:
        position = todo.pop()
        if position in moves:
            continue
        said = rules.value(position)
        if said is not None:
            decided[position] = (int(said), 0)
        to = [] if said is not None else [each[1] if isinstance(each, tuple) else each for each in rules.moves(position)]
        moves[position] = to
        todo += to
    expected = naive.solve(moves, moves.__getitem__, decided)
    assert all(solution[position] == expected[position] for position in moves)
    assert {value for value, _ in expected.values()} == {-1, 0, 1}, "the game has cycles"
    assert len(retrograde.solve(plain)) == len(moves) >= len(solution)


@pytest.mark.parametrize("name, game, text", [("three_men", "ThreeMen", "three-mens-morris"), ("hounds", "Hounds", "hare-and-hounds")])
def test_the_examples_agree_with_the_program(name: str, game: str, text: str) -> None:
    ours = retrograde.solve(example(name)[game]())
    theirs = retrograde.solve(text=ROOT / "examples" / "games" / f"{text}.game")
    assert theirs.start is not None and ours[ours.start] == theirs.probe(theirs.start)


def test_pictures() -> None:
    solution = retrograde.solve(example("hounds")["Hounds"]())
    picture = solution.picture()
    assert picture == "  H . .\nH . . . h\n  H . ."
    drawn = ElementTree.fromstring(picture.svg)
    texts = [each.text for each in drawn if each.tag.endswith("text")]
    assert texts[:3] == picture.split("\n") and len(texts) == 3 + len(solution.moves(solution.start))
    assert retrograde.solve(Stones()).picture() is None


def scripted(monkeypatch: pytest.MonkeyPatch, *said: str) -> None:
    """Types this, and then ends the input."""
    rest = iter(said)

    def read(prompt: str) -> str:
        print(prompt, end="")
        for each in rest:
            print(each)
            return each
        raise EOFError

    monkeypatch.setattr("builtins.input", read)


def test_play(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    solution = retrograde.solve(Stones())
    scripted(monkeypatch, "?", "take 2", "u", "castle", "take 3", "1", "2", "1")
    solution.play()
    said = capsys.readouterr().out
    assert "3: take 3 wins in 7" in said and "1: take 1 loses in" in said
    assert "Type the name of a move, or a number from 1 to 3." in said
    assert said.endswith("\n0\nThe program wins.\n")
    # A win stays one with the moves that the solution has first.
    position, typed = 15, []
    while moves := solution.moves(position):
        typed.append(moves[0].label)
        position = (solution.moves(moves[0].to) or [moves[0]])[0].to
    scripted(monkeypatch, *typed)
    solution.play()
    assert capsys.readouterr().out.endswith("\n0\nYou win.\n")
    scripted(monkeypatch, "q")
    solution.play(4, first=False)
    said = capsys.readouterr().out
    assert said.startswith("4\nThe program plays take 1.\n\n3\n") and said.endswith("Your move: q\n")
    scripted(monkeypatch)
    solution.play(3)
    assert capsys.readouterr().out.endswith("Your move: ")


def test_play_where_a_move_keeps_the_turn(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    class Twice(Stones):
        """Who takes one stone moves again."""

        start: Any = (6, "left")

        def moves(self, position: Any) -> Any:
            stones, player = position
            other = "right" if player == "left" else "left"
            return [(f"take {n}", (stones - n, player if n == 1 else other)) for n in (1, 2) if n <= stones]

        def player(self, position: Any) -> str:
            return str(position[1])

        def board(self, position: Any) -> str:
            return "*" * int(position[0])

    solution = retrograde.solve(Twice())
    assert solution.side_to_move((6, "left")) == "left"
    scripted(monkeypatch, "take 1", "take 1", "take 2")
    solution.play()
    said = capsys.readouterr().out
    assert said.startswith("******\n1: take 1  2: take 2\nYour move: take 1\n*****\n1: take 1  2: take 2\n"), said


class Text(Stones):
    """Positions that Python does not write in one way, and that have texts."""

    start: Any = frozenset(range(15))

    def moves(self, stones: Any) -> Any:
        return [frozenset(sorted(stones)[n:]) for n in (1, 2, 3) if n <= len(stones)]

    def text(self, stones: Any) -> str:
        return f"{len(stones)}\nstones"


def flags(stones: int) -> Any:
    """A position that is equal to another one, and is written otherwise."""
    return (np.int64(stones), stones == 1, None, b"\xff", "a\nb\ud800")


class Plain:
    start = flags(15)

    def moves(self, position: Any) -> Any:
        return [(f"take {n}", flags(int(position[0]) - n)) for n in (1, 2, 3) if n <= position[0]]


@pytest.mark.parametrize("rules", [Stones(), Sorted(), Text(), Plain()], ids=lambda rules: type(rules).__name__)
def test_saved(rules: Any, tmp_path: pathlib.Path) -> None:
    solution = retrograde.solve(rules)
    path = tmp_path / "of.table"
    table = solution.save(path, game="mine", parameters={"stones": 15})
    assert table.header["game"] == "mine" and table.header["parameters"]["parameters"] == {"stones": 15}
    assert sorted(each.name for each in tmp_path.iterdir()) == ["of.table", "of.table.positions"]
    for opened in (table, retrograde.open(path, rules=rules)):
        with opened:
            assert len(opened) == len(solution) and opened.start == solution.start
            assert all(opened[position] == solution[position] for position in solution)
            assert list(opened) == list(solution)
            assert all(opened.moves(position) == solution.moves(position) for position in solution)
            assert opened.line(opened.start) == solution.line(solution.start)
            if not isinstance(rules, Plain):
                # Its positions have several texts.
                assert opened.texts(list(solution)) == [solution.text(position) for position in solution]
                assert opened.to_pandas(texts=True).equals(solution.to_pandas(texts=True))
            assert [each.tolist() for each in opened.moves_many([opened.start])[1:]] == [
                [move[field] for move in solution.moves(solution.start)] for field in (1, 2, 3)
            ]
            assert "<svg" in (opened._repr_html_() or "")
            assert (opened.probe_many(list(solution)).values == solution.probe_many(list(solution)).values).all()
            opened.verify()
            assert 99 not in opened and opened.counts() == solution.counts()
    with pytest.raises(WriteError, match="overwrite=True"):
        solution.save(path)
    solution.save(path, overwrite=True)
    # By number, without the rules.
    with retrograde.Table(path) as plain:
        assert plain.probe(0) == solution[solution.positions[0]]


def test_files_that_do_not_belong_together(tmp_path: pathlib.Path) -> None:
    class Other(Stones):
        start = 16

    path, other = tmp_path / "of.table", tmp_path / "other.table"
    retrograde.solve(Stones()).save(path)
    retrograde.solve(Other()).save(other)
    with pytest.raises(TableError, match="the start, 16, is not among them"):
        retrograde.open(path, Other())
    positions = tmp_path / "of.table.positions"
    positions.write_bytes((tmp_path / "other.table.positions").read_bytes())
    with pytest.raises(TableDamagedError, match="not the positions that were saved"):
        retrograde.open(path, Stones())
    positions.write_bytes(gzip.compress(b"0\n")[:-3])
    with pytest.raises(TableDamagedError):
        retrograde.open(path, Stones())
    positions.unlink()
    with pytest.raises(TableMissingError, match="positions of of.table are missing"):
        retrograde.open(path, Stones())
    retrograde.solve_graph([(0, 1)]).save(tmp_path / "graph.table", game="graph of mine")
    with pytest.raises(TableError, match="no table with positions"):
        retrograde.open(tmp_path / "graph.table", Stones())


def test_a_table_of_other_rules(tmp_path: pathlib.Path) -> None:
    class Fewer(Stones):
        def moves(self, stones: int) -> List[Tuple[str, int]]:
            return super().moves(stones)[:2] if stones == 8 else super().moves(stones)

    class Less(Stones):
        def moves(self, stones: int) -> List[Tuple[str, int]]:
            return super().moves(stones)[1:2]

    path = tmp_path / "of.table"
    retrograde.solve(Stones(), misere=True).save(path).verify()
    with pytest.raises(VerifyError, match="has Answer.*by the rules Answer") as caught:
        retrograde.open(path, Fewer()).verify()
    assert caught.value.state is not None
    with pytest.raises(VerifyError, match="the rules reach 8 positions, and the table has 16"):
        retrograde.open(path, Less()).verify()


@pytest.mark.skipif(sys.platform == "win32", reason="the signal is one of Unix")
def test_ctrl_c_stops_exploring() -> None:
    class Interrupted(Endless):
        def moves(self, position: int) -> List[int]:
            if position == 5_000:
                signal.raise_signal(signal.SIGINT)
            assert position < 6_000, "Ctrl-C stops it"
            return super().moves(position)

    with pytest.raises(KeyboardInterrupt):
        retrograde.solve(Interrupted())


def test_what_cannot_be_saved(tmp_path: pathlib.Path) -> None:
    class Sets(Text):
        text: Any = None

    class Alike(Text):
        def text(self, stones: Any) -> str:
            return "stones"

    path = tmp_path / "of.table"
    with pytest.raises(WriteError, match=r"a position has a part that is frozenset: .*text\(position\)"):
        retrograde.solve(Sets()).save(path)
    with pytest.raises(WriteError, match="a name is for one position"):
        retrograde.solve(Alike()).save(path)
    with pytest.raises(ValueError, match="'take' is a game of the program"):
        retrograde.solve(Stones()).save(path, game="take")
    with pytest.raises(ValueError, match="compression"):
        retrograde.solve(Stones()).save(path, compression="much")  # type: ignore[arg-type]
    with pytest.raises(WriteError, match=r"nowhere.of\.table\.positions: No such file or directory$"):
        retrograde.solve(Stones()).save(tmp_path / "nowhere" / "of.table")
    assert list(tmp_path.iterdir()) == []
