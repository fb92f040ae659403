"""Folders by URL: a server of the test sends files in parts, or fails to."""

from __future__ import annotations

import functools
import http.server
import os
import pathlib
import random
import re
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Iterator, List, Type

import chess
import pytest

import retrograde.chess
from retrograde import _remote, errors
from test_chess import random_board


class Whole(http.server.SimpleHTTPRequestHandler):
    """The server of Python: it lists a folder, and sends only whole files."""

    sent: List[int] = []

    def log_message(self, format: str, *args: object) -> None:
        pass


class Parts(Whole):
    """The same with parts of files."""

    def do_GET(self) -> None:
        path = self.translate_path(self.path)
        part = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("Range", ""))
        if part is None or not os.path.isfile(path):
            return super().do_GET()
        first, last = int(part[1]), int(part[2])
        whole = pathlib.Path(path).read_bytes()
        body = whole[first : last + 1]
        self.sent.append(len(body))
        self.send_response(206 if body else 416)
        self.send_header("Content-Range", f"bytes {first}-{first + len(body) - 1}/{len(whole)}")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)


class Failing(Parts):
    """The same until a table is read."""

    def do_GET(self) -> None:
        if self.path.endswith(".table"):
            return self.send_error(503)
        super().do_GET()


class Short(Parts):
    """A server that says more than it sends."""

    def send_header(self, keyword: str, value: str) -> None:
        if keyword == "Content-Range":
            value = value.partition("/")[0] + "/1000000"
        super().send_header(keyword, value)


@contextmanager
def served(folder: pathlib.Path, kind: Type[Whole]) -> Iterator[str]:
    """The URL of a folder."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(kind, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/endgames"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    top = tmp_path_factory.mktemp("server")
    retrograde.chess.build(top / "endgames", ["KQvKR", "KPvK"])
    return top


def boards(count: int) -> List[chess.Board]:
    chance = random.Random(7)
    return [random_board(chance, ["KQvKR", "KPvK", "KRvK"]) for _ in range(count)]


def test_a_folder_by_url_answers_as_the_folder_does(folder: pathlib.Path) -> None:
    local = retrograde.chess.open_tablebase(folder / "endgames")
    with served(folder, Parts) as url, retrograde.chess.open_tablebase(url + "/") as tables:
        assert tables.materials == local.materials and tables.has_distances
        assert [path.name for path in tables.paths] == ["endgames"]
        asked = boards(500)
        expected = [(local.probe_wdl(board), local.probe_dtm(board)) for board in asked]
        assert [(tables.probe_wdl(board), tables.probe_dtm(board)) for board in asked] == expected
        assert tables.probe_moves(asked[0]) == local.probe_moves(asked[0])
        assert tables.line(asked[0]) == local.line(asked[0])
        tables.check()
        # The limit of men is the same, and so is a missing table. Its command builds it here.
        assert tables.get_dtm(chess.Board()) is None
        with pytest.raises(retrograde.chess.MissingTableError, match="KBNvK in http://.* --out FOLDER") as caught:
            tables.probe_dtm("8/8/8/8/8/2k5/8/KBN5 w - - 0 1")
        assert caught.value.command == "retrograde build chess KBNvK --out FOLDER"


def test_only_parts_are_read(folder: pathlib.Path) -> None:
    size = (folder / "endgames" / "KQvKR.table").stat().st_size
    assert size > 4 * _remote.PIECE_BYTES
    with served(folder, Parts) as url, retrograde.chess.open_tablebase(url) as tables:
        Whole.sent.clear()
        board = chess.Board("8/8/8/8/8/2k5/1r6/K6Q w - - 0 1")
        local = retrograde.chess.open_tablebase(folder / "endgames")
        assert tables.probe_dtm(board) == local.probe_dtm(board)
        first = sum(Whole.sent)
        assert 0 < first < size
        assert tables.probe_dtm(board) == local.probe_dtm(board) and sum(Whole.sent) == first


def test_many_threads_read_the_same_tables(folder: pathlib.Path) -> None:
    local = retrograde.chess.open_tablebase(folder / "endgames")
    asked = boards(200)
    expected = local.probe_many(asked)
    for _ in range(3):
        with served(folder, Parts) as url, retrograde.chess.open_tablebase(url) as tables:
            with ThreadPoolExecutor(4) as threads:
                many = [threads.submit(tables.probe_many, asked) for _ in range(2)]
                each = [threads.submit(tables.probe_dtm, board) for board in asked]
                for found in many:
                    assert (found.result().distances == expected.distances).all()
                assert [found.result() for found in each] == [local.probe_dtm(board) for board in asked]


def test_servers_that_cannot_serve_tables(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    board = chess.Board("8/8/8/8/8/2k5/1r6/K6Q w - - 0 1")
    for kind, said in [(Whole, "no parts of files"), (Failing, "503"), (Short, "ended early")]:
        with served(folder, kind) as url:
            with pytest.raises(errors.TableError, match=f"http://.*{said}"):
                retrograde.chess.open_tablebase(url).get_dtm(board)
    with served(tmp_path, Parts) as url:
        with pytest.raises(errors.TableMissingError, match="endgames: .*no manifest.json"):
            retrograde.chess.open_tablebase(url)
    with pytest.raises(errors.TableReadError, match="endgames: the server does not answer"):
        retrograde.chess.open_tablebase(url)


def test_a_page_with_links_lists_the_files(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "endgames").mkdir()
    for file in (folder / "endgames").iterdir():
        if not file.is_dir():
            (tmp_path / "endgames" / file.name).write_bytes(file.read_bytes())
    page = tmp_path / "endgames" / "index.html"
    with served(tmp_path, Parts) as url:
        page.write_text("<p>nothing here")
        with pytest.raises(errors.RetrogradeError, match="http.*lists no tables"):
            retrograde.chess.open_tablebase(url)
        page.write_text('<p><a href="/endgames/KRvK%2Etable.json?x=1">one</a><a name="here">')
        with retrograde.chess.open_tablebase(url) as tables:
            assert tables.materials == ["KRvK"] and tables.probe_dtm("8/8/8/8/8/2k5/1R6/K7 w - - 0 1") == 31


def test_a_folder_that_changes_is_read_anew(folder: pathlib.Path, tmp_path: pathlib.Path) -> None:
    with served(tmp_path, Parts) as url:
        retrograde.chess.build(tmp_path / "endgames", ["KRvK"])
        with retrograde.chess.open_tablebase(url) as tables:
            assert tables.materials == ["KRvK"]
            assert tables.probe_dtm("8/8/8/8/8/2k5/1R6/K7 w - - 0 1") == 31
        retrograde.chess.build(tmp_path / "endgames", ["KQvK"])
        with retrograde.chess.open_tablebase(url) as tables:
            assert set(tables.materials) == {"KRvK", "KQvK"}
            assert tables.probe_dtm("8/8/8/8/8/2k5/8/KQ6 w - - 0 1") == 11
        file = tmp_path / "endgames" / "KQvK.table"
        file.write_bytes(bytes(byte ^ 1 for byte in file.read_bytes()))
        with pytest.raises(errors.TableError, match="KQvK.table"):
            retrograde.chess.open_tablebase(url).probe_dtm("8/8/8/8/8/2k5/8/KQ6 w - - 0 1")
