"""Games of OpenSpiel, with the real package: against the naive solver and against a search that merges nothing.

    python test_openspiel.py        # the larger games as well, in minutes
"""

from __future__ import annotations

import os
import pathlib
import re
import subprocess
import sys
from typing import Any, Dict, List

import naive
import numpy as np
import pytest
import test_documents

import retrograde
from retrograde import DRAW, LOSS, WIN
from retrograde.errors import InputError, RulesError, StateError

try:
    import pyspiel
except ImportError:
    # The tests install open_spiel where there are wheels of it.
    if os.environ.get("CI") and sys.version_info >= (3, 11) and sys.platform == "linux":
        raise
    pytest.skip("NOT TESTED: retrograde.openspiel, without the package open_spiel", allow_module_level=True)

import retrograde.openspiel as openspiel

GAMES = [
    "tic_tac_toe",
    "nim",
    "nim(pile_sizes=2;3;4,is_misere=False)",
    "hex(board_size=3)",
    "breakthrough(rows=4,columns=3)",
    "connect_four(rows=4,columns=3,x_in_row=3)",
    "clobber(rows=3,columns=3)",
    "mnk(m=4,n=2,k=2)",
    "dots_and_boxes(num_rows=2,num_cols=2)",
    "quoridor(board_size=3)",
]
LARGE = ["breakthrough(rows=4,columns=4)", "connect_four(rows=4,columns=4)", "clobber(rows=4,columns=4)", "mnk(m=3,n=3,k=3)"]

NODES_MAX = 3_000


class TooLong(Exception):
    pass


class Search:
    """Alpha-beta over histories: the return of player 0."""

    def __init__(self) -> None:
        self.nodes = 0

    def of(self, state: Any, alpha: float = -2, beta: float = 2) -> float:
        self.nodes += 1
        if self.nodes > NODES_MAX:
            raise TooLong
        if state.is_terminal():
            found: float = state.returns()[0]
            return found
        first = state.current_player() == 0
        for action in state.legal_actions():
            worth = self.of(state.child(action), alpha, beta)
            alpha, beta = (max(alpha, worth), beta) if first else (alpha, min(beta, worth))
            if alpha >= beta:
                break
        return alpha if first else beta


def check_late_states(solution: openspiel.OpenSpielSolution, games: int) -> int:
    """Compares random states that are late enough for the search. Returns how many."""
    random, checked = np.random.default_rng(3), 0
    for _ in range(games):
        past = [solution.game.new_initial_state()]
        while not past[-1].is_terminal():
            past.append(past[-1].child(int(random.choice(past[-1].legal_actions()))))
        for state in reversed(past[:-1]):
            try:
                worth = Search().of(state)
            except TooLong:
                break
            assert solution.value(state) == (worth if state.current_player() == 0 else -worth), str(state)
            checked += 1
    return checked


def judged(game: Any) -> Dict[Any, naive.Known]:
    """What the naive solver says of all states, by player and string."""
    moves: Dict[Any, List[Any]] = {}
    decided: Dict[Any, naive.Known] = {}
    todo = [game.new_initial_state()]
    seen = {(0, str(todo[0]))}
    for state in todo:
        key = (state.current_player(), str(state))
        if state.is_terminal():
            worth = int(state.returns()[0])
            decided[key] = (worth, 0 if worth else None)
            moves[key] = []
            continue
        children = [state.child(action) for action in state.legal_actions()]
        moves[key] = [(child.current_player(), str(child)) for child in children]
        for to, child in zip(moves[key], children):
            if to not in seen:
                seen.add(to)
                todo.append(child)
    return naive.solve(moves, moves.__getitem__, decided, keeps_turn=lambda a, b: a[0] == max(b[0], 0))


@pytest.mark.parametrize("name", GAMES)
def test_games(name: str) -> None:
    solution = openspiel.solve(name)
    # A game of open_spiel ends at its limit of moves; the shortest histories do not reach that.
    expected = judged(solution.game)
    assert {key: tuple(solution[key]) for key in solution.keys} == expected
    solution.verify()
    if "quoridor" not in name:
        assert check_late_states(solution, 10) > 20


@pytest.fixture(scope="module")
def tic_tac_toe() -> openspiel.OpenSpielSolution:
    return openspiel.solve(pyspiel.load_game("tic_tac_toe"))


def after(solution: openspiel.OpenSpielSolution, *actions: int) -> Any:
    state = solution.game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def test_actions_and_regret(tic_tac_toe: openspiel.OpenSpielSolution) -> None:
    start = tic_tac_toe.start
    assert tic_tac_toe[start] == (DRAW, None) and len(tic_tac_toe) == 5478
    assert tic_tac_toe.optimal_actions(start) == list(range(9))
    # A corner is answered in the middle, or lost.
    corner = after(tic_tac_toe, 0)
    assert tic_tac_toe.optimal_actions(corner) == [4]
    assert tic_tac_toe.action_values(corner)[8] == (LOSS, 6)
    assert [tic_tac_toe.regret(corner, action) for action in (4, 8)] == [0, 1]
    assert tic_tac_toe.regret(corner, {4: 0.5, 8: 0.25, 1: 0.25}) == 0.5
    with pytest.raises(InputError, match="action 0 is not legal: there are 1, 2"):
        tic_tac_toe.regret(corner, 0)
    # Three in a row win, and threats win later.
    fork = after(tic_tac_toe, 0, 1, 4, 2)
    assert {3, 6, 8} <= set(tic_tac_toe.optimal_actions(fork)) and tic_tac_toe.optimal_actions(fork, fastest=True) == [8]
    assert tic_tac_toe.moves(fork)[0].label == "x(2,2)"
    over = after(tic_tac_toe, 0, 1, 4, 2, 8)
    assert tic_tac_toe.optimal_actions(over) == [] and tic_tac_toe.moves(over) == []
    assert tic_tac_toe.line(fork).end == "terminal"
    # Another history, the same state.
    assert tic_tac_toe[after(tic_tac_toe, 4, 2, 0, 1)] == tic_tac_toe[fork]
    picture = tic_tac_toe.picture(fork)
    assert picture == str(fork) and "x(2,2) wins in 1" in picture.svg
    assert tic_tac_toe.texts([fork]) == [str(fork)]
    with pytest.raises(StateError, match="no play from the start reaches it"):
        tic_tac_toe.value((0, "xxx"))


def test_regrets_of_policies(tic_tac_toe: openspiel.OpenSpielSolution) -> None:
    from open_spiel.python import policy as policies
    from open_spiel.python.algorithms import expected_game_score

    states = tic_tac_toe.sample(300, seed=1)
    first = tic_tac_toe.regrets(lambda state: state.legal_actions()[0], states)
    assert set(first.tolist()) == {0.0, 1.0, 2.0}
    uniform = tic_tac_toe.regrets(policies.UniformRandomPolicy(tic_tac_toe.game), states)
    assert 0 < uniform.mean() < 2 and (uniform[first > 0] > 0).all()
    perfect = tic_tac_toe.policy()
    assert isinstance(perfect, policies.TabularPolicy)
    assert not tic_tac_toe.regrets(perfect, states).any()
    assert tic_tac_toe.regrets(perfect, [after(tic_tac_toe, 0, 1, 4, 2, 8)]).tolist() == [0.0]
    scores = expected_game_score.policy_value(tic_tac_toe.start, [perfect, perfect])
    assert np.allclose(scores, 0)
    scores = expected_game_score.policy_value(tic_tac_toe.start, [perfect, policies.UniformRandomPolicy(tic_tac_toe.game)])
    assert scores[0] > 0.5


def test_what_is_no_policy_and_no_state(tic_tac_toe: openspiel.OpenSpielSolution) -> None:
    start, uniform = tic_tac_toe.start, {action: 1 / 9 for action in range(9)}
    assert tic_tac_toe.regret(start, uniform) == 0
    with pytest.raises(InputError, match="the probabilities of a policy sum to 1, and these to 0.3"):
        tic_tac_toe.regrets(lambda state: {0: 0.3}, [start])
    with pytest.raises(TypeError, match="chooses an action or a dictionary of probabilities, and this is NoneType"):
        tic_tac_toe.regrets(lambda state: None, [start])
    with pytest.raises(TypeError, match="put it in a list"):
        tic_tac_toe.regrets(lambda state: 0, start)
    with pytest.raises(TypeError, match="a policy is a function from a state, .*this is list"):
        tic_tac_toe.regrets([0], [start])
    with pytest.raises(TypeError, match="a state is a pyspiel.State, and this is str"):
        tic_tac_toe["..."]
    with pytest.raises(InputError, match="value is WIN, LOSS or DRAW, and this is 'win'"):
        tic_tac_toe.sample(1, value="win")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="retrograde.openspiel.solve takes games of OpenSpiel"):
        retrograde.solve(tic_tac_toe.game)


def test_all_states_of_a_solution() -> None:
    solution = openspiel.solve("nim")
    states = list(solution)
    assert len(states) == len(solution) and [solution.number(state) for state in states] == list(range(len(states)))


def test_samples(tic_tac_toe: openspiel.OpenSpielSolution) -> None:
    wins = tic_tac_toe.sample(50, value=WIN, distance=range(3, 10), seed=2)
    assert len({str(state) for state in wins}) == 50
    assert all(tic_tac_toe.value(state) == WIN and (tic_tac_toe.distance(state) or 0) >= 3 for state in wins)
    assert [str(each) for each in tic_tac_toe.sample(50, value=WIN, distance=range(3, 10), seed=2)] == [str(each) for each in wins]
    assert not any(state.is_terminal() for state in tic_tac_toe.sample(100, seed=3))
    assert tic_tac_toe.sample(5, value=LOSS, distance=1) == []
    lost = tic_tac_toe.sample(10_000, value=LOSS, distance=2)
    assert 0 < len(lost) < 948 and all(tic_tac_toe[state] == (LOSS, 2) for state in lost)
    without = openspiel.solve("nim", distances=False)
    with pytest.raises(InputError, match="distances=False"):
        without.sample(1, distance=1)
    with pytest.raises(InputError, match="distances=False"):
        without.optimal_actions(without.start, fastest=True)


def test_parquet(tic_tac_toe: openspiel.OpenSpielSolution, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow.parquet

    monkeypatch.setattr(openspiel, "ROWS", 1000)
    tic_tac_toe.to_parquet(tmp_path / "states.parquet")
    rows = pyarrow.parquet.read_table(tmp_path / "states.parquet").to_pylist()
    assert len(rows) == len(tic_tac_toe)
    assert {(row["player"], row["position"]): (row["value"], row["distance"]) for row in rows} == {
        key: tic_tac_toe[key] for key in tic_tac_toe.keys
    }


def test_a_player_moves_twice() -> None:
    """Who completes a box moves again."""
    solution = openspiel.solve("dots_and_boxes(num_rows=1,num_cols=2)")
    twice = [state for state in solution.sample(1000) if any(
        state.child(action).current_player() == state.current_player() for action in state.legal_actions()
    )]
    assert twice
    for state in twice:
        best = max(answer.value for answer in solution.action_values(state).values())
        assert solution.value(state) == best == max(move.value for move in solution.moves(state))


def test_games_without_end() -> None:
    solution = openspiel.solve("quoridor(board_size=3)")
    limit, random = solution.game.max_game_length(), np.random.default_rng(5)
    # Two pawns walk to and fro, until the limit of moves.
    past = [solution.start]
    while len(past) <= limit:
        quiet = [a for a in past[-1].legal_actions() if len(past) == limit or not past[-1].child(a).is_terminal()]
        past = [*past, past[-1].child(int(random.choice(quiet)))] if quiet else past[:1]
    assert past[-1].move_number() == solution.game.max_game_length() and past[-1].returns() == [0, 0]
    for each in past[:-1]:
        best = max(answer.value for answer in solution.action_values(each).values())
        assert solution.value(each) == best == solution.moves(each)[0].value != DRAW
    with pytest.raises(StateError, match="OpenSpiel ended it after 36 moves, and here play goes on"):
        solution.value(past[-1])

    graph = openspiel.StateGraph(solution.game, None)
    graph.limit, graph.goes_back, graph.cut = 5, True, solution.keys[0]
    with pytest.raises(RulesError, match="ends after 5 moves, before all states are reached"):
        graph.check_limit()


@pytest.mark.parametrize("name", ["go(board_size=2)", "oware"])
def test_games_whose_strings_are_no_key(name: str) -> None:
    with pytest.raises(RulesError, match=f"^{name[:2]}.* cannot be solved by its strings: .*; give key="):
        openspiel.solve(name)


def stones(state: Any) -> str:
    """The stones of a position of go, without how it came about."""
    return str(state).split("\n", 1)[1]


def test_keys_that_are_not_all_that_matters() -> None:
    """OpenSpiel's value iteration merges states by their strings, whatever follows them, and answers."""
    with pytest.raises(RulesError, match=r"one state has two histories and different .* after \[.*\] and .* after \[") as caught:
        openspiel.solve("oware(num_houses_per_player=2,num_seeds_per_house=2)", key=str)
    assert "Player 1 score" in str(caught.value)
    with pytest.raises(RulesError, match="one state has two histories and different"):
        openspiel.solve("go(board_size=2)", key=stones)
    with pytest.raises(RulesError, match="one state has two histories and different children"):
        openspiel.solve("tic_tac_toe", key=lambda state: state.move_number())
    # Who has won at the end is in the string, and not in this key.
    with pytest.raises(RulesError, match="one state has two histories and different returns"):
        openspiel.solve("nim(pile_sizes=2;3;4)", key=lambda state: str(state).split(": ")[1])


def test_a_key_that_merges_more() -> None:
    folded = openspiel.solve("nim(pile_sizes=2;3;4)", key=lambda state: (str(state)[:3], tuple(sorted(str(state)[5:].split()))))
    plain = openspiel.solve("nim(pile_sizes=2;3;4)")
    assert len(folded) < len(plain)
    assert all(folded[plain.state(number)] == plain[plain.state(number)] for number in range(len(plain)))
    with pytest.raises(InputError, match="solve without it"):
        folded.policy()


@pytest.mark.parametrize(
    "name, problem",
    [
        ("kuhn_poker", "chance: a game that can be solved has no chance"),
        ("backgammon", "chance: a game"),
        ("goofspiel(imp_info=False,points_order=descending)", "moves at the same time"),
        ("tic_tac_toe(", "OpenSpiel does not load"),
        ("tictactoe", "did you mean 'tic_tac_toe'"),
        ("chinese_checkers(players=3)", "3 players"),
        ("phantom_ttt", "hidden information"),
    ],
)
def test_games_of_other_kinds(name: str, problem: str) -> None:
    with pytest.raises(retrograde.RetrogradeError, match=problem):
        openspiel.solve(name)


def test_what_is_no_game() -> None:
    with pytest.raises(TypeError, match="a game is a pyspiel.Game or its name, and this is int"):
        openspiel.solve(3)
    with pytest.raises(InputError, match="^OpenSpiel does not load 'tictactoe': Unknown game 'tictactoe'; did you mean 'tic_tac_toe'[?]$"):
        openspiel.solve("tictactoe")
    with pytest.raises(RulesError, match=r"returns of \[.*\]: they are -1, 0 or 1"):
        openspiel.solve("dots_and_boxes(num_rows=1,num_cols=2,utility_margin=true)")


def test_the_page_tells_the_truth(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    test_documents.check_page(pathlib.Path(__file__).parents[3] / "docs" / "openspiel.md", tmp_path, monkeypatch)


@pytest.mark.filterwarnings("default")
def test_the_notebook_runs() -> None:
    outputs = test_documents.run_notebook("mcts.ipynb")
    assert sum("image/png" in output.get("data", {}) for output in outputs) == 2
    said = "".join(output.get("text", "") for output in outputs)
    assert "perfect play: 0\n" in said and "'LOSS': 3594, 'DRAW': 0, 'WIN': 7095" in said
    random, few, many = map(float, re.findall(r"(?:: |, )(\d\.\d+) (?:at|with)", said))
    assert many < few < random


def test_without_open_spiel_the_error_says_what_to_install() -> None:
    program = 'import sys; sys.modules["pyspiel"] = None\nimport retrograde.openspiel\nretrograde.openspiel.solve("nim")'
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert "ImportError: retrograde.openspiel takes open_spiel: pip install open_spiel" in ran.stderr


def main() -> None:
    for name in [*GAMES, *LARGE]:
        solution = openspiel.solve(name)
        solution.verify()
        checked = check_late_states(solution, 100) if "quoridor" not in name else 0
        print(f"{name}: {len(solution):,} states, the start {solution[solution.start]}; {checked} late states searched", flush=True)


if __name__ == "__main__":
    main()
