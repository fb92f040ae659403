"""How long a game of positions takes: exploring and solving apart, beside a plain loop in Python over the same game.

    python positions_speed.py [POSITIONS] [tuples] [alone]

``tuples`` makes a position a tuple of two numbers. ``alone`` leaves the plain loop out.
"""

import resource
import sys
import time
from collections import deque
from typing import Any, Dict, List

import retrograde


class Leaps:
    """From each position to three that lie all over. A tenth are lost."""

    start: Any = 1

    def __init__(self, count: int) -> None:
        self.count = count

    def moves(self, at: int) -> List[int]:
        count = self.count
        return [(7 * at + 1) % count, (131 * at + 3) % count, (1009 * at + 8) % count]

    def value(self, at: int) -> Any:
        return None if at % 10 else retrograde.LOSS


class Tuples(Leaps):
    """The same with tuples."""

    start = (0, 1)

    def moves(self, at: Any) -> Any:
        return [divmod(each, 3000) for each in super().moves(3000 * at[0] + at[1])]

    def value(self, at: Any) -> Any:
        return None if at[1] % 10 else retrograde.LOSS


def plain(game: Any) -> Any:
    """Explores and solves a game as one writes it without a library. Returns values, distances and the seconds of both."""
    begun = time.perf_counter()
    moves: Dict[Any, List[Any]] = {}
    values: Dict[Any, int] = {}
    todo = deque([game.start])
    while todo:
        at = todo.popleft()
        if at in moves:
            continue
        value = game.value(at)
        if value is not None:
            values[at] = int(value)
            moves[at] = []
        else:
            moves[at] = game.moves(at)
            todo.extend(moves[at])
    explored = time.perf_counter()
    before: Dict[Any, List[Any]] = {at: [] for at in moves}
    for at, to in moves.items():
        for each in to:
            before[each].append(at)
    left = {at: len(to) for at, to in moves.items()}
    for at, count in left.items():
        if count == 0 and at not in values:
            values[at] = -1
    distances = {at: 0 for at in values}
    queue = deque(values)
    while queue:
        at = queue.popleft()
        for each in before[at]:
            if each not in values:
                left[each] -= 1
                if values[at] == -1 or left[each] == 0:
                    values[each] = -values[at]
                    distances[each] = distances[at] + 1
                    queue.append(each)
    return values, distances, explored - begun, time.perf_counter() - explored


def main() -> None:
    numbers = [int(each) for each in sys.argv[1:] if each.isdecimal()]
    game: Any = (Tuples if "tuples" in sys.argv else Leaps)(numbers[0] if numbers else 1_000_000)
    at: List[float] = [time.perf_counter()]
    explored: List[float] = []

    def told(progress: retrograde.Progress) -> None:
        if progress.done == progress.total and not explored:
            explored.append(time.perf_counter())

    solution = retrograde.solve(game, progress=told)
    done = time.perf_counter()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
    print(f"{len(solution):,} positions, {solution.counts()['player']}")
    print(f"explored in {explored[0] - at[0]:.2f} s, packed and solved in {done - explored[0]:.2f} s")
    print(f"{peak / len(solution):.0f} bytes a position at the peak of the process, {peak / 1e9:.2f} GB")
    if "alone" in sys.argv:
        return
    values, distances, exploring, solving = plain(game)
    for position, answer in ((each, solution[each]) for each in solution.positions[:10_000]):
        assert answer.value == values.get(position, 0) and answer.distance == distances.get(position), position
    print(f"the plain loop: explored in {exploring:.2f} s, solved in {solving:.2f} s")
    print(f"solving {solving / (done - explored[0]):.0f} times as fast, all {(exploring + solving) / (done - at[0]):.1f} times")


if __name__ == "__main__":
    main()
