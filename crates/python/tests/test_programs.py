"""The program, the server and this package say the same of every game: they have one list of games, and one oracle."""

from __future__ import annotations

import json
import os
import pathlib
import subprocess
import urllib.parse
import urllib.request
from typing import Any, Dict, Iterator, List, Optional, Tuple

import pytest

import retrograde

ROOT = pathlib.Path(__file__).parents[3]
#: The folder of the programs `retrograde` and `retrograde-server`; scripts/python builds them.
PROGRAMS = pathlib.Path(os.environ["RETROGRADE_PROGRAMS"])

#: What all of them say of a state: its value and distance, and those of its moves, best first.
Said = Tuple[str, Optional[int], List[Tuple[str, Optional[int]]]]


def lines(*words: object) -> List[Any]:
    """The objects that the program prints in JSON, one a line."""
    command = [str(PROGRAMS / "retrograde"), *map(str, words), "--json"]
    ran = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    objects = [json.loads(line) for line in ran.stdout.splitlines()]
    for each in objects:
        del each["format"]
    return objects


def run(*words: object) -> Any:
    """The last of them."""
    return lines(*words)[-1]


def ask(address: str, body: Optional[Dict[str, object]] = None) -> Any:
    """The JSON that the server sends."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address, data, {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)


def said(answer: Dict[str, Any]) -> Said:
    """What an answer in JSON says."""
    return answer["value"], answer["distance"], [(move["value"], move["distance"]) for move in answer["moves"]]


def python_said(solved: Any, state: str) -> Said:
    """What an object of this package says of a state."""
    value, distance = solved.probe(state)
    return value.name.lower(), distance, [(move.value.name.lower(), move.distance) for move in solved.moves(state)]


GAMES: List[Dict[str, Any]] = run("games")["games"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """A table of the example of every game, and the tables of a family."""
    home: pathlib.Path = tmp_path_factory.mktemp("tables")
    for game in GAMES:
        run("solve", game["name"], *game["example"].split(), "--out", home / f"{game['name']}.table")
    run("build", "tapatan", "--out", home)
    return home


@pytest.fixture(scope="module")
def server(folder: pathlib.Path) -> Iterator[str]:
    """The address of a server of the folder."""
    command = [str(PROGRAMS / "retrograde"), "serve", str(folder), "--listen", "127.0.0.1:0", "--log", "error"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        assert running.stdout is not None
        yield running.stdout.readline().strip().rstrip("/")
        running.terminate()


def test_there_is_one_list_of_games(server: str) -> None:
    listed = run("games")
    assert ask(f"{server}/games") == listed
    for spec in listed["games"] + listed["families"]:
        assert run("games", spec["name"]) == spec
    parameters = {game["name"]: {one["name"]: one["help"] for one in game["parameters"]} for game in listed["games"]}
    assert {name: (game["summary"], parameters[name]) for name, game in zip(parameters, listed["games"])} == retrograde.GAMES


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game["name"])
def test_all_say_the_same_of_the_start(game: Dict[str, Any], folder: pathlib.Path, server: str) -> None:
    name, words = game["name"], game["example"].split()
    file = ROOT / words.pop(0) if game["file"] else None
    given = dict(zip((word.lstrip("-") for word in words[::2]), words[1::2]))
    kinds = {one["name"]: (one["kind"], one["words"]) for one in game["parameters"]}
    arguments: Dict[str, Any] = {}
    for option, word in given.items():
        kind, others = kinds[option]
        arguments[option] = int(word) if kind == "number" else word if others else [int(number) for number in word.split(",")]

    table = folder / f"{name}.table"
    question = {"board": file and file.read_text(), "parameters": arguments}
    solved = ask(f"{server}/solve/{name}", question)
    start = solved["start"]
    if start is None:
        states = lines("list", table)
        start = states[len(states) // 2]["state"]
        solved = ask(f"{server}/solve/{name}", {**question, "state": start})
    expected = solved["answer"]
    assert expected["state"] == start and expected["moves"]

    program = run("probe", table, start)
    region = ask(f"{server}/tables/{name}/probe?" + urllib.parse.urlencode({"state": start}))
    assert region == {key: expected[key] for key in region}
    assert program["state"] == start and said(program) == said(expected)
    # The program names moves, and the server says where they lead.
    assert [move["to"] for move in program["moves"]] == [move["to"] for move in expected["moves"]]

    solution = retrograde.solve(name, file, **arguments)
    assert python_said(solution, start) == said(expected)
    with retrograde.Table(table) as opened:
        assert python_said(opened, start) == said(expected)


def test_all_say_the_same_of_tables_of_regions(folder: pathlib.Path, server: str) -> None:
    with retrograde.TableFolder(folder) as tables:
        start = tables.start
        assert start is not None
        program, region = run("probe", folder, start), tables.region(start)
        answer = ask(f"{server}/tables/{region}/probe?" + urllib.parse.urlencode({"state": start}))
        assert program["moves"] and said(program) == said(answer) == python_said(tables, start)
