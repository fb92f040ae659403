"""Long work can be watched, and stopped."""

from __future__ import annotations

import signal
import subprocess
import sys
from typing import Any, List

import numpy as np
import numpy.typing as npt
import pytest

import retrograde


class Chain:
    """As many levels as states."""

    numbers = 3_000_000

    def status(self, states: npt.NDArray[np.int64]) -> Any:
        return np.full(len(states), retrograde.OPEN)

    def successors(self, states: npt.NDArray[np.int64]) -> Any:
        return states[:, None] - 1


def test_progress_is_told(tmp_path: Any) -> None:
    seen: List[retrograde.Progress] = []
    solution = retrograde.solve("pursuit", "P..\n..T", progress=seen.append)
    levels = solution.levels()
    assert seen[-1] == (levels[-1].distance, sum(level.wins + level.losses for level in levels), len(solution))
    seen.clear()
    solution.verify(progress=seen.append)
    assert seen[-1][1:] == (len(solution), len(solution))
    seen.clear()
    solution.save(tmp_path / "a.table", progress=seen.append)
    assert seen[-1].done == seen[-1].total > 0


def test_progress_is_told_while_seeding() -> None:
    seen: List[retrograde.Progress] = []
    retrograde.solve("pursuit", "\n".join(["." * 130 + "E"] * 130), distances=False, threads=1, progress=seen.append)
    seeds = [each for each in seen if each.level is None]
    assert seeds and seen[: len(seeds)] == seeds and all(each.done <= each.total for each in seeds)


def test_progress_on_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    retrograde.solve("pursuit", "P..\n..T", progress=True)
    assert "states settled" in capsys.readouterr().err


def test_what_progress_raises_stops_the_solve() -> None:
    def stop(progress: retrograde.Progress) -> None:
        if progress.level is not None:
            raise StopIteration(progress.done)

    with pytest.raises(StopIteration) as caught:
        retrograde.solve(Chain(), progress=stop)
    # Long before the end, and as usable as ever afterwards.
    assert caught.value.value < Chain.numbers
    assert retrograde.solve("take", heaps=[3], take="any").value(3) == retrograde.WIN


def test_what_progress_raises_stops_a_verification() -> None:
    def stop(progress: retrograde.Progress) -> None:
        raise StopIteration(progress.done)

    solution = retrograde.solve("pursuit", "\n".join(["." * 90 + "E"] * 90))
    with pytest.raises(StopIteration) as caught:
        solution.verify(progress=stop)
    assert caught.value.value < len(solution)


SOLVE = "retrograde.solve('pursuit', board(130), progress=ready)"
VERIFY = "retrograde.solve('pursuit', board(90)).verify(progress=ready)"


@pytest.mark.parametrize("work", [SOLVE, VERIFY])
def test_ctrl_c_stops_it(work: str) -> None:
    program = f"""
import retrograde
def board(rows):
    return "\\n".join(["." * rows + "E"] * rows)
def ready(progress):
    print("ready", flush=True)
try:
    while True:
        {work}
except KeyboardInterrupt:
    print("stopped", int(retrograde.solve("take", heaps=[3], take="any").value(3)), flush=True)
"""
    process = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=300)
    assert said.splitlines()[-1] == "stopped 1" and process.returncode == 0
