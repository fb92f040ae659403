"""Tables: written, opened, asked, damaged."""

from __future__ import annotations

import copy
import pathlib
import pickle
import random
import subprocess
import sys
import threading
from typing import Any, List

import numpy as np
import pytest

import retrograde
from retrograde import INVALID, errors

BOARD = "\n".join(["....E...", ".**.....", "P..*.*..", ".*...*T.", "......*.", "E.*....."])


@pytest.fixture(scope="module")
def solution() -> retrograde.Solution:
    return retrograde.solve("pursuit", BOARD)


@pytest.fixture(scope="module", params=["standard", "none", "fast", "best", "half"])
def table(request: Any, solution: retrograde.Solution, tmp_path_factory: pytest.TempPathFactory) -> retrograde.Table:
    path = tmp_path_factory.mktemp("tables") / f"{request.param}.table"
    if request.param == "half":
        return solution.save(path, half=True)
    return solution.save(path, compression=request.param)


def test_a_table_answers_as_its_solution(solution: retrograde.Solution, table: retrograde.Table) -> None:
    assert len(table) == len(solution)
    assert table.start == solution.start
    assert table.counts() == solution.counts()
    assert table.levels() == solution.levels()
    values = table.probe_many(range(len(table))).values
    for state in range(0, len(table), 7):
        if values[state] == INVALID:
            for each in (table, solution):
                with pytest.raises(retrograde.StateError, match="invalid"):
                    each.probe(state)
        else:
            assert table.probe(state) == solution.probe(state)
            assert table.moves(state) == solution.moves(state)
            assert table.line(state) == solution.line(state)
            assert table.number(table.text(state)) == state
    table.verify()
    table.check()


def test_many_states_at_once(solution: retrograde.Solution, table: retrograde.Table) -> None:
    asked = np.array(random.Random(5).choices(range(len(table)), k=30_000))
    for each in (table, solution):
        values, distances = each.probe_many(asked)
        assert (values.dtype, distances.dtype) == (np.int8, np.int64)
        for state, value, distance in zip(asked[:3000], values, distances):
            if value != INVALID:
                assert each.probe(state) == (value, None if distance < 0 else distance)
        # Any integers, any shape, any order in memory.
        for shaped in (asked.astype(np.int32), asked.astype(np.uint16), list(map(int, asked)), asked[::-1][::-1]):
            assert (each.probe_many(shaped).values == values).all()
        square = each.probe_many(asked.reshape(100, 300).T)
        assert (square.values == values.reshape(100, 300).T).all()
        assert (square.distances == distances.reshape(100, 300).T).all()
        assert each.probe_many([]).values.shape == (0,)


def test_a_value_is_a_win_a_loss_or_a_draw(table: retrograde.Table) -> None:
    """``Value`` had ``INVALID`` and ``OPEN``, though the one is no value and no answer was ever the other: a program that
    took each member into account took two too many, and one that did not negated an invalid value."""
    assert list(retrograde.Value) == [retrograde.LOSS, retrograde.DRAW, retrograde.WIN]
    assert list(retrograde.Status) == [retrograde.INVALID, retrograde.OPEN]
    values = table.probe_many(range(len(table))).values
    assert set(values.tolist()) == {retrograde.INVALID, *retrograde.Value}
    for state in range(0, len(table), 11):
        if values[state] != INVALID:
            assert type(table.value(state)) is retrograde.Value


def test_blocks_are_all_states_in_order(solution: retrograde.Solution, table: retrograde.Table) -> None:
    every = solution.probe_many(np.arange(len(table)))
    for each in (table, solution):
        for first, stop, size in [(0, None, 1000), (0, None, 1 << 20), (777, 5000, 64), (3, 3, 1)]:
            blocks = list(each.blocks(first, stop, size))
            assert [block.first for block in blocks] == list(range(first, len(table) if stop is None else stop, size))
            for kind in ("values", "distances"):
                found = np.concatenate([getattr(block, kind) for block in blocks] or [np.empty(0)])
                assert (found == getattr(every, kind)[first:stop]).all()
    for first, stop, size in [(-1, None, 5), (0, len(table) + 1, 5), (len(table) + 1, None, 5)]:
        with pytest.raises(retrograde.StateError):
            table.blocks(first, stop, size)
    with pytest.raises(ValueError):
        table.blocks(size=0)


def test_the_header_says_what_it_is_of(table: retrograde.Table) -> None:
    header = table.header
    assert header["game"] == "pursuit"
    assert header["board"] == BOARD
    assert header["states"] == len(table)
    assert header["unit"] == "plies"
    assert str(table.path) in repr(table)


def test_states_that_are_none(solution: retrograde.Solution, table: retrograde.Table) -> None:
    for each in (solution, table):
        for state in (-1, len(each), 1 << 63, 1 << 70, "nowhere", "police 99,0 0,0"):
            with pytest.raises(retrograde.StateError):
                each.probe(state)
        for states in ([0, -1], [0, len(each)], np.array([1 << 63], dtype=np.uint64)):
            with pytest.raises(IndexError):
                each.probe_many(states)
        with pytest.raises(retrograde.StateError):
            each.probe_many(["a"])
        for nonsense in ([0.5], [None]):
            with pytest.raises(TypeError):
                each.probe_many(nonsense)
        with pytest.raises(TypeError):
            each.probe(0.5)


def test_many_threads_at_once(table: retrograde.Table) -> None:
    every = np.arange(len(table))
    expected = table.probe_many(every).values
    wrong: List[int] = []

    def ask(seed: int) -> None:
        states = np.random.default_rng(seed).permutation(every)
        for _ in range(5):
            wrong.extend(states[table.probe_many(states).values != expected[states]])
            some = [state for state in states[:200] if expected[state] != INVALID]
            wrong.extend(state for state in some if table.value(state) != expected[state])

    threads = [threading.Thread(target=ask, args=(seed,)) for seed in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_a_forked_process_has_threads_of_its_own(table: retrograde.Table) -> None:
    program = f"""
import os, retrograde, numpy as np
table = retrograde.Table({str(table.path)!r})
every = np.arange(len(table))
before = table.probe_many(every).values
child = os.fork()
if child == 0:
    same = (table.probe_many(every).values == before).all()
    solved = retrograde.solve("pursuit", table.header["board"])
    os._exit(0 if same and (solved.probe_many(every).values == before).all() else 1)
assert os.waitpid(child, 0)[1] == 0
assert (table.probe_many(every).values == before).all()
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True, timeout=120)


def test_a_table_may_be_closed(table: retrograde.Table) -> None:
    with retrograde.Table(table.path, cache_bytes=0) as opened:
        assert opened.value(opened.start) == table.value(table.start)
    with pytest.raises(ValueError, match="closed"):
        opened.value(0)
    assert "closed" in repr(opened)


def test_nothing_can_be_pickled(solution: retrograde.Solution, table: retrograde.Table) -> None:
    for each in (solution, table):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError, match="cannot be pickled"):
                pickle.dumps(each, protocol)
        with pytest.raises(TypeError):
            pickle.dumps(each._engine)
        with pytest.raises(TypeError):
            copy.copy(each)


def test_a_game_without_a_name_is_given_one(tmp_path: pathlib.Path) -> None:
    solution = retrograde.solve_graph([(0, 1), (1, 2), (2, 0), (1, 3)])
    with pytest.raises(errors.InputError, match="game="):
        solution.save(tmp_path / "mine.table")
    table = solution.save(tmp_path / "mine.table", game="mine", parameters={"of": [1, 2]})
    assert (table.header["game"], table.header["parameters"]) == ("mine", {"of": [1, 2]})
    assert [table.probe(state) for state in range(4)] == [solution.probe(state) for state in range(4)]
    assert (table.probe_many(range(4)).values == solution.probe_many(range(4)).values).all()
    assert table.counts() == solution.counts()
    for ask in (table.moves, table.line, table.text, table.side_to_move):
        with pytest.raises(errors.NoRulesError, match="mine"):
            ask(0)
    with pytest.raises(errors.NoRulesError, match="mine.table"):
        table.verify()


def test_no_distances_in_a_table(tmp_path: pathlib.Path) -> None:
    table = retrograde.solve("pursuit", BOARD, distances=False).save(tmp_path / "plain.table")
    assert not table.has_distances
    with pytest.raises(errors.NoDistancesError, match="plain.table"):
        table.distance(table.start)


def test_tables_that_cannot_be_written(solution: retrograde.Solution, tmp_path: pathlib.Path) -> None:
    with pytest.raises(errors.WriteError, match="nowhere") as caught:
        solution.save(tmp_path / "nowhere" / "a.table")
    assert caught.value.path == tmp_path / "nowhere" / "a.table"
    assert isinstance(caught.value, OSError)
    with pytest.raises(errors.InputError, match="standard"):
        solution.save(tmp_path / "a.table", compression="much")  # type: ignore[arg-type]
    (tmp_path / "there").write_text("mine")
    with pytest.raises(errors.WriteError, match="there: .*overwrite=True"):
        solution.save(tmp_path / "there")
    assert (tmp_path / "there").read_text() == "mine"
    solution.save(tmp_path / "there", overwrite=True).check()
    (tmp_path / "there").unlink()
    with pytest.raises(errors.InputError, match="half"):
        retrograde.solve("take", heaps=[3], take="any").save(tmp_path / "a.table", half=True)
    assert list(tmp_path.iterdir()) == []


def damaged(table: retrograde.Table, path: pathlib.Path, at: int) -> pathlib.Path:
    data = bytearray(table.path.read_bytes())
    data[at] ^= 0x55
    path.write_bytes(data)
    return path


def test_broken_files_name_themselves_and_what_is_broken(table: retrograde.Table, tmp_path: pathlib.Path) -> None:
    whole, path = table.path.read_bytes(), tmp_path / "broken.table"
    kinds: List[Any] = [
        (None, errors.TableMissingError, FileNotFoundError),
        (b"", errors.TableError, retrograde.RetrogradeError),
        (b"no table at all, but long enough to be one" * 10, errors.TableForeignError, ValueError),
        (whole[:-1], errors.TableDamagedError, ValueError),
        (whole + b"x", errors.TableDamagedError, ValueError),
    ]
    for data, kind, builtin in kinds:
        if data is not None:
            path.write_bytes(data)
        with pytest.raises(kind, match="broken.table") as caught:
            retrograde.Table(path)
        assert isinstance(caught.value, builtin)
        assert caught.value.path == path
        assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args
    with pytest.raises(errors.TableReadError):
        retrograde.Table(tmp_path)


def test_a_flipped_byte_is_never_a_wrong_value(
    solution: retrograde.Solution, table: retrograde.Table, tmp_path: pathlib.Path
) -> None:
    every = np.arange(len(table))
    truth = solution.probe_many(every)
    size = table.path.stat().st_size
    refused = 0
    for at in random.Random(1).sample(range(size), 100):
        path = damaged(table, tmp_path / "flipped.table", at)
        try:
            opened = retrograde.Table(path)
            values, distances = opened.probe_many(every)
            assert (values == truth.values).all() and (distances == truth.distances).all()
            opened.check()
        except retrograde.TableError as error:
            assert error.path == path and "flipped.table" in str(error)
            refused += 1
    assert refused == 100


def test_a_table_of_other_rules_is_refused(tmp_path: pathlib.Path) -> None:
    solution = retrograde.solve_graph([(0, 1)])
    sizes = {"piece": "king", "rows": 2, "columns": 2}
    with pytest.raises(errors.TableGameError, match="liar.table"):
        solution.save(tmp_path / "liar.table", game="corner", parameters=sizes)
    with pytest.raises(errors.TableDamagedError, match="pawn"):
        solution.save(tmp_path / "pawn.table", game="corner", parameters={**sizes, "piece": "pawn"})


def test_verify_finds_a_wrong_value(tmp_path: pathlib.Path) -> None:
    # The values of a bishop's walk, said to be those of a king's.
    bishop = retrograde.solve("corner", piece="bishop", rows=4, columns=4)
    values, distances = bishop.probe_many(range(16))
    said = {state: (values[state], distances[state]) for state in range(16)}
    liar = retrograde.solve_graph([], said).save(
        tmp_path / "liar.table", game="corner", parameters={"piece": "king", "rows": 4, "columns": 4}
    )
    with pytest.raises(errors.VerifyError) as caught:
        liar.verify()
    king = retrograde.solve("corner", piece="king", rows=4, columns=4)
    assert caught.value.state == next(state for state in range(16) if king.probe(state) != bishop.probe(state))
