"""What the documents show is run: the notebook, every piece of Python in the README and in the book, and the examples of
the documentation in the code."""

from __future__ import annotations

import doctest
import importlib
import pathlib
import pkgutil
import re
from typing import Any, Dict, List

import nbclient
import nbformat
import numpy as np
import pytest

import retrograde
import retrograde.chess

PACKAGE = pathlib.Path(__file__).parents[1]
ROOT = PACKAGE.parents[1]


def run_notebook(name: str) -> List[Any]:
    """What the cells of a notebook show. None of it is an error or a warning."""
    notebook: Any = nbformat.read(PACKAGE / "examples" / name, as_version=4)
    nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not [output for output in outputs if output.output_type in ("error", "stream") and output.get("name") == "stderr"]
    return outputs


@pytest.mark.filterwarnings("default")
def test_the_notebook_runs() -> None:
    outputs = run_notebook("pursuit.ipynb")
    pictures = [output for output in outputs if "image/png" in output.get("data", {})]
    assert len(pictures) == 2
    texts = [output.data["text/plain"] for output in outputs if "text/plain" in output.get("data", {})]
    assert any("Answer(value=<Value." in text for text in texts)
    assert any("Move(to=" in text for text in texts)
    assert any("<svg" in output.get("data", {}).get("text/html", "") for output in outputs)
    # The position that the police are to move from, and the longest wins.
    drawn = [output.data["image/svg+xml"] for output in outputs if "image/svg+xml" in output.get("data", {})]
    assert any("for police, who is to move." in svg for svg in drawn)
    assert any("police" in output.get("data", {}).get("text/html", "") and "dataframe" in output.data["text/html"] for output in outputs)
    said = "".join(output.get("text", "") for output in outputs)
    assert "are wins, of" in said and "plies to mate: 1." in said


@pytest.mark.parametrize("page", [PACKAGE / "README.md", ROOT / "docs" / "python.md", ROOT / "docs" / "positions.md"])
def test_the_pages_tell_the_truth(page: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check_page(page, tmp_path, monkeypatch)


def check_page(page: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs the Python of a page, and compares what it says."""
    text = page.read_text(encoding="utf-8")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    known: Dict[str, Any] = {}
    promises: List[str] = []
    for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL):
        exec(block, known)
        for line in block.splitlines():
            code, _, said = line.partition("  # ")
            # What a comment shows in the form of a value is what comes of the line.
            if re.match(r"[(A-Z].*[)]$", said):
                assert repr(eval(code, known)) == said, line
                promises.append(line)
    assert len(promises) >= 2


def test_everything_public_is_documented() -> None:
    for name in retrograde.__all__:
        thing = getattr(retrograde, name)
        # The text of a type alias stands below it.
        assert thing.__doc__ or name == "GameName", name
        if isinstance(thing, type) and thing.__module__.startswith("retrograde"):
            for each, member in vars(thing).items():
                if not each.startswith("_") and (callable(member) or isinstance(member, property)):
                    assert member.__doc__, f"{name}.{each}"


def test_the_examples_of_the_documentation_run(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    solution = retrograde.solve("pursuit", pathlib.Path("examples/board.txt"))
    known: Dict[str, Any] = {
        "np": np,
        "pathlib": pathlib,
        "retrograde": retrograde,
        "solution": solution,
        "table": solution.save("board.table"),
        "tables": retrograde.chess.build("endgames", ["KRvK", "KQvK"]),
    }
    runner = doctest.DocTestRunner()
    for name in sorted(each.name for each in pkgutil.iter_modules(retrograde.__path__, "retrograde.")):
        for example in doctest.DocTestFinder().find(importlib.import_module(name), globs=known):
            runner.run(example)
    for example in doctest.DocTestFinder().find(retrograde, globs=known):
        runner.run(example)
    failed, attempted = runner.summarize()
    assert failed == 0 and attempted >= 30
