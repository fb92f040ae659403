"""Exact values of games of OpenSpiel: two players, perfect information, no chance.

    >>> import retrograde.openspiel                                       # doctest: +SKIP
    >>> solution = retrograde.openspiel.solve("tic_tac_toe")              # doctest: +SKIP
    >>> state = solution.game.new_initial_state()                         # doctest: +SKIP
    >>> solution[state], solution.optimal_actions(state)                  # doctest: +SKIP

This needs the package ``open_spiel``: ``pip install open_spiel``.

A state is a node of the game's tree, and many nodes are one position. :func:`solve` merges those with the same player to move
and the same string, so the game becomes a graph, which may have cycles. Two rules of OpenSpiel go by this:

* *Move limits.* OpenSpiel ends a long game, as a draw in most games. Here play goes on. A game that could go round for ever
  is a draw if neither player can force the end.
* *Earlier positions.* A game whose rules look back, such as go with its ko, has strings that are no key. It is refused, unless
  you give a ``key`` of your own.
"""

from __future__ import annotations

import os
from array import array
from typing import Any, Callable, Dict, Hashable, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np
import numpy.typing as npt

from ._explore import Explorer, Rules
from ._memory import Ledger
from ._names import Names, kind, meant, whole
from ._picture import Picture
from ._positions import ByPosition, drawing, goodness
from ._progress import Report, reporting
from ._solve import checked_threads
from ._solved import Solution
from ._values import LOSS, WIN, Answer, Value
from .errors import InputError, RulesError, StateError

State = Any
"""A state of OpenSpiel, ``pyspiel.State``."""

Key = Tuple[int, Hashable]
"""What merges states: the player to move, and the string or what ``key`` answers."""

Policy = Any
"""A function from a state to an action, or to a probability for each action; or an object of OpenSpiel that has
``action_probabilities``."""

LOOKS_BACK = {
    "go": "its rules forbid to repeat a position, and how earlier ones looked is not in the string",
    "oware": "a repeated position ends it, and how earlier ones looked is not in the string",
}
"""Games whose strings are no key."""

PLAYOUTS = 200
"""How many random games compare states that are reached by long histories."""

ROWS = 1 << 16
"""How many states go to a file at a time."""


def solve(
    game: Any,
    *,
    key: Optional[Callable[[State], Hashable]] = None,
    distances: bool = True,
    threads: Optional[int] = None,
    memory_max: Optional[int] = None,
    progress: Report = None,
) -> OpenSpielSolution:
    """Solves a game of OpenSpiel: a ``pyspiel.Game``, or its name with parameters, ``"breakthrough(rows=4,columns=4)"``.

    ``key`` maps a state to all that matters for play from there on, as anything that can be a key of a dictionary; by default
    its string. The player to move is added. States with equal strings must have equal actions, children and returns. With a
    key of your own, actions may differ, so it can merge states that are equal up to symmetry. This is tested where play reaches
    a key for the second time, and in 200 random games. A difference is a :class:`~retrograde.errors.RulesError` that has the
    state and both histories.

    The other arguments are those of :func:`retrograde.solve`. ``memory_max`` does not count the objects of OpenSpiel: one for each
    state that is found and has not been explored yet.
    """
    loaded = load(game)
    count = checked_threads(threads)
    graph = StateGraph(loaded, key)
    ledger = Ledger(memory_max)
    with reporting(progress, "explored") as report:
        explorer = Explorer(Rules(graph), ledger, report)
        graph.numbers = explorer.numbers
        explorer.explore()
    graph.check_limit()
    graph.check_playouts()
    ledger.keep(graph.bytes(), "the parents of states")
    found = explorer.found()
    with reporting(progress, "settled") as report:
        held = found.lists.solve(False, distances, count, report)
    return OpenSpielSolution(held, graph)


def load(game: Any) -> Any:
    """The game, if it is of the kind that can be solved."""
    try:
        import pyspiel
    except ImportError as error:
        raise ImportError("retrograde.openspiel takes open_spiel: pip install open_spiel") from error
    if isinstance(game, str):
        try:
            game = pyspiel.load_game(game)
        except pyspiel.SpielError as error:
            hint = meant(game.partition("(")[0], pyspiel.registered_names())
            # OpenSpiel lists all of its games, a line for each.
            problem = str(error).partition(" Available games are")[0].rstrip(".")
            raise InputError(f"OpenSpiel does not load {game!r}: {problem}{hint or '; pyspiel.registered_names() has all names'}") from None
    elif not isinstance(game, pyspiel.Game):
        raise TypeError(f"a game is a pyspiel.Game or its name, and this is {kind(game)}: {game!r}")
    kinds, has = pyspiel.GameType, game.get_type()
    wanted = [
        (game.num_players() == 2, f"{game.num_players()} players", "2 players"),
        (has.dynamics == kinds.Dynamics.SEQUENTIAL, "moves at the same time", "players who move in turn"),
        (has.chance_mode == kinds.ChanceMode.DETERMINISTIC, "chance", "no chance"),
        (has.information == kinds.Information.PERFECT_INFORMATION, "hidden information", "perfect information"),
        (has.utility == kinds.Utility.ZERO_SUM, "returns that do not sum to zero", "a sum of zero"),
        (has.reward_model == kinds.RewardModel.TERMINAL, "rewards before the end", "returns at the end alone"),
    ]
    for fits, found, needed in wanted:
        if not fits:
            raise RulesError(f"{has.short_name} has {found}: a game that can be solved has {needed}")
    return game


class StateGraph:
    """A game of OpenSpiel as positions, which are keys. It keeps the states that wait to be explored, and how each key was
    reached first, so that a state can be made of it again."""

    def __init__(self, game: Any, key: Optional[Callable[[State], Hashable]]) -> None:
        name = game.get_type().short_name
        if key is None and name in LOOKS_BACK:
            raise RulesError(f"{name} cannot be solved by its strings: {LOOKS_BACK[name]}; give key=, a function of a state")
        self.game = game
        self.own_key = str if key is None else key
        self.by_string = key is None
        self.limit: int = game.max_game_length()
        self.numbers: Mapping[Key, int] = {}
        """The numbers of the keys so far, by the explorer."""
        begin = game.new_initial_state()
        self.start = self.key(begin)
        self.waiting: Dict[Key, State] = {self.start: begin}
        self.again: Dict[Key, State] = {}
        """For some that wait, a state with the same key and another history."""
        self.parents, self.actions, self.depths = array("I", [0]), array("i", [-1]), array("I", [0])
        self.signatures = array("q")
        self.compared = bytearray()
        self.goes_back = False
        self.cut: Optional[Key] = None

    def key(self, state: State) -> Key:
        return state.current_player(), self.own_key(state)

    def value(self, key: Key) -> Optional[Value]:
        state = self.waiting[key]
        if not state.is_terminal():
            return None
        del self.waiting[key]
        self.sign(key, state)
        if self.depths[self.numbers[key]] >= self.limit:
            self.cut = key
        return outcome(state)

    def player(self, key: Key) -> int:
        # The value of an ended game is that of player 0.
        return max(key[0], 0)

    def moves(self, key: Key) -> List[Key]:
        state, number = self.waiting.pop(key), self.numbers[key]
        found, depth = [], self.depths[number] + 1
        for action in state.legal_actions():
            child = state.child(action)
            to = self.key(child)
            found.append(to)
            known = self.numbers.get(to)
            if known is None:
                if to not in self.waiting:
                    self.waiting[to] = child
                    self.parents.append(number)
                    self.actions.append(action)
                    self.depths.append(depth)
                continue
            self.goes_back = self.goes_back or self.depths[known] < depth
            if known >= len(self.compared):
                self.compared.extend(bytes(len(self.numbers) - len(self.compared)))
            if not self.compared[known]:
                self.compared[known] = 1
                if to in self.waiting:
                    self.again[to] = child
                else:
                    self.compare(to, child)
        self.sign(key, state, found)
        return found

    def sign(self, key: Key, state: State, found: Optional[List[Key]] = None) -> None:
        """Remembers what follows a state, and compares it with one that has another history."""
        number = self.numbers[key]
        if number >= len(self.signatures):
            self.signatures.extend([0] * (len(self.numbers) - len(self.signatures)))
        self.signatures[number] = self.signature(state, found)
        if key in self.again:
            self.compare(key, self.again.pop(key))

    def signature(self, state: State, found: Optional[List[Key]] = None) -> int:
        """A number that two states share if what follows them is the same."""
        if state.is_terminal():
            return hash(tuple(state.returns()))
        actions = state.legal_actions()
        children = map(self.key, map(state.child, actions)) if found is None else found
        return hash((tuple(actions), tuple(children)) if self.by_string else frozenset(children))

    def compare(self, key: Key, state: State) -> None:
        """Refuses a state that has a key with others, and goes on differently."""
        if self.signature(state) == self.signatures[self.numbers[key]]:
            return
        first = self.state(self.numbers[key])
        what, one, other = "children", "some", "others"
        for name, of in (("returns", "returns"), ("actions", "legal_actions")):
            if (self.by_string or state.is_terminal()) and getattr(first, of)() != getattr(state, of)():
                what, one, other = name, str(getattr(first, of)()), str(getattr(state, of)())
                break
        raise RulesError(
            f"the key is not all that matters in {self.game}: one state has two histories and different {what}, {one} after"
            f" {first.history()} and {other} after {state.history()}; give another key=. The state:\n{state}"
        )

    def check_limit(self) -> None:
        """Refuses a game that its limit of moves cuts."""
        if self.goes_back and self.cut is not None:
            raise RulesError(
                f"{self.game} ends after {self.limit} moves, before all states are reached; load it with a higher limit. A"
                f" state at the end:\n{self.cut[1]}"
            )

    def check_playouts(self) -> None:
        """Compares states on random games, which reach them by long histories."""
        random = np.random.default_rng(1)
        for _ in range(PLAYOUTS):
            state = self.game.new_initial_state()
            for _ in range(self.limit - 1):
                key = self.key(state)
                if key not in self.numbers:
                    raise RulesError(f"the key is not all that matters in {self.game}: only the history {state.history()} reaches\n{state}")
                self.compare(key, state)
                if state.is_terminal():
                    break
                state.apply_action(int(random.choice(state.legal_actions())))

    def state(self, number: int) -> State:
        """A state with a key, by the shortest history."""
        actions = []
        while number:
            actions.append(self.actions[number])
            number = self.parents[number]
        state = self.game.new_initial_state()
        for action in reversed(actions):
            state.apply_action(action)
        return state

    def with_time(self, state: State) -> State:
        """The same state, before the limit of moves ends all of its children."""
        late = state.move_number() + 1 >= self.limit and self.by_string and not state.is_terminal()
        number = self.numbers.get(self.key(state)) if late else None
        return state if number is None else self.state(number)

    def bytes(self) -> int:
        """How many bytes the parents take, without what is dropped after exploring."""
        self.signatures, self.compared = array("q"), bytearray()
        return 12 * len(self.parents)


def outcome(state: State) -> Value:
    """The value of an ended game for player 0."""
    returns = state.returns()
    if returns[0] not in (-1, 0, 1) or returns[1] != -returns[0]:
        raise RulesError(
            f"a game ends with returns of {returns}: they are -1, 0 or 1, since wins, losses and draws are solved. It ends in\n{state}"
        )
    return Value(int(returns[0]))


class States:
    """The rules by states instead of keys."""

    def __init__(self, graph: StateGraph) -> None:
        self.graph = graph
        self.start = graph.game.new_initial_state()

    def moves(self, state: State) -> List[Tuple[str, State]]:
        state = self.graph.with_time(state)
        return [(state.action_to_string(state.current_player(), each), state.child(each)) for each in state.legal_actions()]

    def value(self, state: State) -> Optional[Value]:
        return outcome(state) if state.is_terminal() else None

    def player(self, state: State) -> int:
        player: int = state.current_player()
        return max(player, 0)

    def board(self, state: State) -> str:
        return str(state)


class StateNames(Names):
    """The names of the states of a solution: states of OpenSpiel, or their keys."""

    def __init__(self, graph: StateGraph) -> None:
        self._graph, self.count = graph, len(graph.numbers)

    def number(self, state: State) -> int:
        """The number of a state."""
        if not isinstance(state, tuple) and not hasattr(state, "current_player"):
            raise TypeError(f"a state is a pyspiel.State, and this is {kind(state)}: {state!r}")
        key = state if isinstance(state, tuple) else self._graph.key(state)
        try:
            return self._graph.numbers[key]
        except (KeyError, TypeError):
            limit = self._graph.limit
            ended = not isinstance(state, tuple) and state.is_terminal() and state.move_number() >= limit
            why = f"OpenSpiel ended it after {limit} moves, and here play goes on" if ended else "no play from the start reaches it"
            raise StateError(f"{why}:\n{key[1]}") from None

    def name(self, number: Optional[int]) -> State:
        """A state."""
        return None if number is None else self._graph.state(number)

    def _of_array(self, array: Any) -> Any:
        return self._one_by_one(array.tolist())

    def _of_list(self, states: List[Any]) -> Any:
        return self._one_by_one(states)


class OpenSpielSolution(ByPosition, Solution):
    """A solved game of OpenSpiel, the result of :func:`solve`. Every method takes a ``pyspiel.State`` with any history, and values
    are for the player to move there; for player 0 where the game has ended.

    Values and actions do not know the limit of moves that OpenSpiel has.
    """

    def __init__(self, held: Any, graph: StateGraph) -> None:
        super().__init__(held)
        self._graph = graph
        self._rules = Rules(States(graph))
        self._keys: List[Key] = list(graph.numbers)
        self.game = graph.game
        """The game."""

    @property
    def _names(self) -> Names:
        return StateNames(self._graph)

    def _key(self, position: State) -> Hashable:
        return self._graph.key(position)

    def _texts_of(self, numbers: npt.NDArray[np.uint64]) -> List[Optional[str]]:
        return [str(self._keys[number][1]) for number in numbers.tolist()]

    def picture(self, state: Optional[State] = None) -> Optional[Picture]:
        """The string of a state, and in a notebook also its moves with their values. Without a state, the start."""
        state = self.start if state is None else state
        return Picture(str(state), drawing(str(state).split("\n"), self.moves(state)))

    def __iter__(self) -> Iterator[State]:
        return map(self._graph.state, range(len(self)))

    @property
    def keys(self) -> Sequence[Key]:
        """The player to move and the string of each state, by numbers. The player of an ended game is negative."""
        return self._keys

    def state(self, number: int) -> State:
        """The state of a number, with a shortest history."""
        if not 0 <= whole(number, "the number of a state is a whole number") < len(self):
            raise StateError(f"there is no state {number}: they are numbered from 0 to {len(self) - 1}")
        return self._graph.state(number)

    def action_values(self, state: State) -> Dict[int, Answer]:
        """What each legal action is worth to the player who takes it."""
        state = self._graph.with_time(state)
        actions = state.legal_actions()
        children = [state.child(action) for action in actions]
        values, distances = self.probe_many(children)
        found = {}
        for action, child, value, distance in zip(actions, children, values.tolist(), distances.tolist()):
            worth = value if self._keeps_turn(state, child) else -value
            found[action] = Answer(Value(worth), None if distance < 0 else distance + 1)
        return found

    def optimal_actions(self, state: State, *, fastest: bool = False) -> List[int]:
        """The actions that keep the value of a state: they win if any action does. With ``fastest``, only those that win
        soonest or lose latest. Empty where the game has ended."""
        values = self.action_values(state)
        if not values:
            return []
        if fastest and not self.has_distances:
            raise self._no_distances()
        rank = {action: goodness(answer) if fastest else (-answer.value, 0) for action, answer in values.items()}
        best = min(rank.values())
        return [action for action, each in rank.items() if each == best]

    def regret(self, state: State, action: Union[int, Mapping[int, float]]) -> float:
        """By how much an action is worse than the best one, in returns: 0, 1 or 2. For a mapping from actions to probabilities,
        the mean."""
        if not isinstance(action, (int, np.integer, Mapping)):
            raise TypeError(f"a policy chooses an action or a dictionary of probabilities, and this is {kind(action)}: {action!r}")
        values = self.action_values(state)
        chances = action if isinstance(action, Mapping) else {action: 1.0}
        for each in chances:
            if each not in values:
                raise InputError(f"action {each} is not legal: there are {', '.join(map(str, values)) or 'none'}, in\n{state}")
        if abs(sum(chances.values()) - 1) > 1e-3:
            raise InputError(f"the probabilities of a policy sum to 1, and these to {sum(chances.values())}: {dict(chances)}, in\n{state}")
        best = max(answer.value for answer in values.values())
        return float(sum(chance * (best - values[each].value) for each, chance in chances.items()))

    def regrets(self, policy: Policy, states: Sequence[State]) -> npt.NDArray[np.float64]:
        """The regret of a policy in each of some states: 0 where it is perfect. ``policy`` is a function from a state to an action
        or to a mapping from actions to probabilities, or a policy of OpenSpiel. Ended games have no regret."""
        if not isinstance(states, Iterable):
            raise TypeError(f"states are a list of pyspiel.State, and this is {kind(states)}: put it in a list")
        if not callable(policy) and not hasattr(policy, "action_probabilities"):
            raise TypeError(f"a policy is a function from a state, or a policy of OpenSpiel, and this is {kind(policy)}")
        choose = policy.action_probabilities if hasattr(policy, "action_probabilities") else policy
        return np.array([0.0 if state.is_terminal() else self.regret(state, choose(state)) for state in states])

    def sample(
        self,
        n: int,
        *,
        value: Optional[Value] = None,
        distance: Union[None, int, range] = None,
        seed: Optional[int] = None,
    ) -> List[State]:
        """Some states that have not ended, all different, at random: all alike, or those with a value, and with a distance, a
        number or a ``range``. If there are fewer, all of them."""
        fits = np.array([player >= 0 for player, _ in self._keys])
        if value is not None or distance is not None:
            _, values, distances = next(self.blocks(size=len(self)))
            if value is not None:
                if value not in tuple(Value):
                    raise InputError(f"value is WIN, LOSS or DRAW, and this is {value!r}")
                fits &= values == Value(value)
            if distance is not None:
                if not self.has_distances:
                    raise self._no_distances()
                fits &= np.isin(distances, list(distance) if isinstance(distance, range) else [distance])
        found = np.flatnonzero(fits)
        chosen = np.random.default_rng(seed).choice(found, min(n, len(found)), replace=False)
        return [self._graph.state(number) for number in chosen.tolist()]

    def _no_distances(self) -> InputError:
        return InputError("the game was solved with distances=False: solve it with distances")

    def policy(self, *, fastest: bool = False) -> Any:
        """Perfect play as a ``TabularPolicy`` of OpenSpiel: every optimal action with the same probability. It has a row for
        each string, not for each history, so it is as large as the solution times the number of actions."""
        from open_spiel.python import policy as policies

        if not self._graph.by_string:
            raise InputError("a key= of your own may merge states with different actions: for a policy, solve without it")
        graph, states = self._graph, [self.game.new_initial_state()]
        for number in range(1, len(self)):
            states.append(states[graph.parents[number]].child(graph.actions[number]))

        class PerfectPolicy(policies.TabularPolicy):  # type: ignore[misc]
            """Its rows are those of keys."""

            def _state_key(self, state: State, player: Optional[int]) -> str:
                return repr(graph.key(state))

        perfect = PerfectPolicy(self.game, states={str(n): each for n, each in enumerate(states) if not each.is_terminal()})
        perfect.action_probability_array[:] = 0
        for row, state in zip(perfect.action_probability_array, perfect.states):
            optimal = self.optimal_actions(state, fastest=fastest)
            row[optimal] = 1 / len(optimal)
        return perfect

    def to_parquet(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes all states to a file of Parquet: ``position``, the string; ``player``, negative where the game has ended;
        ``value`` for this player, or for player 0; ``distance`` in plies, if there is one. This needs the package
        ``pyarrow``: ``pip install pyarrow``."""
        try:
            import pyarrow
            import pyarrow.parquet
        except ImportError as error:
            raise ImportError("to_parquet takes pyarrow: pip install pyarrow") from error
        fields = [("position", pyarrow.string()), ("player", pyarrow.int8()), ("value", pyarrow.int8()), ("distance", pyarrow.int32())]
        with pyarrow.parquet.ParquetWriter(os.fspath(path), pyarrow.schema(fields)) as writer:
            for first, values, distances in self.blocks(size=ROWS):
                keys = self._keys[first : first + len(values)]
                columns = [
                    pyarrow.array([str(text) for _, text in keys], pyarrow.string()),
                    pyarrow.array([player for player, _ in keys], pyarrow.int8()),
                    pyarrow.array(values),
                    pyarrow.array(distances.astype(np.int32), mask=distances < 0),
                ]
                writer.write_batch(pyarrow.record_batch(columns, schema=pyarrow.schema(fields)))

    def __repr__(self) -> str:
        return f"<retrograde.openspiel.OpenSpielSolution of {self.game}, {len(self):,} states>"
