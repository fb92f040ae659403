"""The page without a server opens tables: files of this machine, and folders of web servers, of which it reads the parts that it needs."""

import contextlib
import http.server
import json
import mimetypes
import os
import pathlib
import re
import shutil
import subprocess
import threading

import pytest
from conftest import PROGRAMS, ROOT
from playwright.sync_api import expect
from test_site import opened  # noqa: F401: a fixture

WHOLE_BYTES = 512 << 10
FEN = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1"


class Ranges(http.server.BaseHTTPRequestHandler):
    """A web server of a folder that answers ranges. Its faults are set by a test."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        faults, path = self.server.faults, self.server.home / self.path.lstrip("/")
        if self.path == "/page/icon.svg":
            # The browser asks for the icon at each new address. It counts no request of the page.
            return self.send(404, b"", {})
        self.server.asked.append((self.path, self.headers.get("range")))
        if self.path.endswith("/") or not path.is_file():
            if self.path.endswith("/") and "listing" in faults:
                links = "".join(f'<a href="{one.name}">{one.name}</a>' for one in sorted(self.server.home.iterdir()))
                return self.send(200, links.encode(), {})
            return self.send(404, b"", {})
        content = path.read_bytes()
        headers = {"ETag": '"%s"' % faults.get("etag", "one")}
        wanted = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range") or "")
        if wanted and "whole" not in faults:
            begin, end = int(wanted[1]), min(int(wanted[2]) + 1, len(content))
            headers["Content-Range"] = f"bytes {begin}-{end - 1}/{len(content)}"
            return self.send(206, content[begin:end], headers)
        return self.send(200, content, headers)

    def send(self, status, content, headers):
        self.send_response(status)
        for name, value in {
            "Content-Type": mimetypes.guess_type(self.path)[0] or "application/octet-stream",
            "Access-Control-Allow-Origin": "*", "Access-Control-Expose-Headers": "Content-Range, ETag", **headers,
        }.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):
            self.wfile.write(content)
        self.server.sent += len(content)


@pytest.fixture(scope="session")
def endgames(tmp_path_factory):
    """Endgames of three and four pieces, some of them longer than what is fetched as a whole."""
    home = tmp_path_factory.mktemp("endgames")
    subprocess.run([PROGRAMS / "retrograde", "build", "chess", "KQvKR", "KRvKP", "--out", home], check=True, stdout=subprocess.DEVNULL)
    assert any(table.stat().st_size > WHOLE_BYTES for table in home.glob("*.table"))
    return home


def one_manifest(home):
    """Writes the manifest that names all tables, as scripts/site does."""
    manifest = json.loads((home / "manifest.json").read_text())
    regions = {}
    for note in home.glob("*.table.json"):
        entry = json.loads(note.read_text())
        regions[entry["region"]] = {key: entry[key] for key in ("states", "bytes", "checksum", "needs")}
        note.unlink()
    manifest = {**{key: value for key, value in manifest.items() if key != "sum"}, "version": 1, "regions": regions}
    (home / "manifest.json").write_text(json.dumps(manifest))


@pytest.fixture
def web(endgames, tmp_path):
    """A web server of these endgames, in a folder that the test may change."""
    home = tmp_path / "tables"
    shutil.copytree(endgames, home)
    one_manifest(home)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges) as running:
        running.home, running.faults, running.asked, running.sent = home, {}, [], 0
        running.address = f"http://127.0.0.1:{running.server_port}/"
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield running
        running.shutdown()


@pytest.fixture
def page(browser, site, web):
    """The view of tables."""
    context = browser.new_context()
    page = context.new_page()
    page.set_default_timeout(20000)
    page.goto(f"{site}#/tables")
    yield page
    context.close()


def open_address(page, address):
    page.get_by_label("The address of a table").fill(address)
    page.get_by_role("button", name="Open", exact=True).click()


def open_folder(page, address):
    """Opens a folder, and waits until it is open."""
    open_address(page, address)
    expect(page.get_by_role("row", name=re.compile("^KQvKR"))).to_be_visible()


def look(page, fen):
    page.goto(page.url.split("#")[0] + "#/chess/" + fen.replace(" ", "_"))


def verdict(page):
    return page.locator(".verdict")


def test_a_folder_of_a_web_server_is_read_in_parts(page, web):
    open_address(page, web.address)
    expect(page.get_by_role("row", name=re.compile("^KQvKR"))).to_be_visible()
    assert [path for path, _ in web.asked] == ["/manifest.json"], "the list of tables needs no table"
    look(page, "8/8/8/3k4/8/8/3K1Q2/7r w - - 0 1")
    expect(verdict(page)).to_contain_text("White to move")
    expect(page.locator(".move").first).to_be_visible()
    assert len(web.asked) <= 12 and web.sent <= 1_500_000, (web.asked, web.sent)
    long = [path for path, part in web.asked if part is not None]
    assert long == [] or all((web.home / path.lstrip("/")).stat().st_size > WHOLE_BYTES for path in long if path != "/manifest.json")
    # The same position again asks for nothing.
    before = len(web.asked)
    page.locator(".move").first.click()
    expect(verdict(page)).to_contain_text("Black to move")
    page.get_by_role("button", name="One ply back").click()
    expect(verdict(page)).to_contain_text("White to move")
    assert len(web.asked) - before <= 3
    page.get_by_role("button", name="Best line").click()
    expect(page.locator(".line button").nth(19)).to_be_visible()
    page.get_by_role("button", name="To the end").click()
    expect(verdict(page)).to_contain_text("White has won.")


def test_a_host_that_the_owner_has_not_named_is_not_asked(page, web):
    """The policy of the page did not hold for its worker, which asks."""
    asked = web.address.replace("127.0.0.1", "localhost")
    open_address(page, asked)
    expect(page.get_by_role("alert")).to_have_text(f"This page may not ask {asked[7:-1]}. Who builds the page allows that: scripts/site --hosts {asked[:-1]}")
    assert web.asked == []


def test_the_values_are_those_of_the_program(page, web, endgames):
    open_folder(page, web.address)
    for fen in [FEN, "8/8/8/8/8/2k5/4P3/K7 b - - 0 1", "8/8/8/3k4/8/3p4/8/K6R w - - 0 1", "8/8/8/3k4/8/8/3K1Q2/7r b - - 0 1"]:
        look(page, fen)
        expect(page.locator(".move").first).to_be_visible()
        told = subprocess.run([PROGRAMS / "retrograde", "probe", endgames, fen, "--json"], check=True, capture_output=True, text=True).stdout
        # The program tells the value for the player who moves next.
        value = {"win": "loss", "loss": "win", "draw": "draw"}
        moves = [(value[move["category"]], move["dtm"]) for move in json.loads(told)["moves"]]
        words = [word if plies is None else f"{word} in {abs(plies) + 1}" for word, plies in moves]
        expect(page.locator(".move")).to_have_count(len(words))
        assert [label.split(", ")[1] for label in page.locator(".move .hidden").all_text_contents()] == words


def test_a_folder_without_the_names_of_its_tables_is_found_by_its_list(page, web, endgames):
    shutil.rmtree(web.home)
    shutil.copytree(endgames, web.home)
    open_address(page, web.address)
    expect(page.get_by_role("alert")).to_contain_text("the server does not list its files")
    web.faults["listing"] = True
    open_address(page, web.address)
    expect(page.get_by_role("row", name=re.compile("^KRvKP"))).to_be_visible()


def test_a_server_that_ignores_ranges_is_named(page, web):
    web.faults["whole"] = True
    open_folder(page, web.address)
    # Short tables come whole, so they need no ranges.
    look(page, FEN)
    expect(verdict(page)).to_contain_text("win 31")
    look(page, "8/8/8/3k4/8/3p4/8/K6R w - - 0 1")
    expect(page.get_by_role("alert")).to_contain_text("sends all of KRvKP.table when it is asked for a part")


def fen_of(own, other, rook, pawn):
    """Black to move, with these men on the board."""
    board = [["1"] * 8 for _ in range(8)]
    for letter, square in (("K", own), ("k", other), ("R", rook), ("p", pawn)):
        board[8 - int(square[1])]["abcdefgh".index(square[0])] = letter
    rows = "/".join("".join(row) for row in board)
    return re.sub("1+", lambda ones: str(len(ones[0])), rows) + " b - - 0 1"


def test_a_table_that_changes_is_noticed(page, web):
    open_folder(page, web.address)
    look(page, "8/8/8/3k4/8/3p4/8/K6R w - - 0 1")
    expect(page.locator(".move").first).to_be_visible()
    web.faults["etag"] = "two"
    # Sooner or later, a position needs a part that has not been read.
    kings = [("a1", "h8"), ("h1", "a8"), ("d4", "d8"), ("g6", "b2"), ("e1", "e8"), ("b7", "g3")]
    squares = [(own, other, rook, pawn) for own, other in kings for rook, pawn in [("h5", "a7"), ("a3", "f2"), ("c6", "g5")]]
    for men in squares:
        fen = fen_of(*men)
        look(page, fen)
        expect(page.get_by_role("textbox", name="State", exact=True)).to_have_value(fen)
        expect(page.locator(".verdict:not([aria-busy])")).to_have_count(1)
        if page.get_by_role("alert").filter(has_text="changed").count():
            break
    expect(page.get_by_role("alert")).to_contain_text("KRvKP.table has changed on 127.0.0.1")
    # Opened again, it is read anew.
    page.goto(page.url.split("#")[0] + "#/tables")
    open_folder(page, web.address)
    expect(page.get_by_role("row", name=re.compile("^KRvKP"))).to_be_visible()
    look(page, FEN)
    expect(verdict(page)).to_contain_text("win 31")


def test_a_table_of_another_length_is_noticed(page, web):
    table = web.home / "KRvK.table"
    table.write_bytes(table.read_bytes() + b"x")
    open_folder(page, web.address)
    look(page, FEN)
    expect(page.get_by_role("alert")).to_contain_text("KRvK.table: it has")


def test_a_missing_table_of_an_exit_is_named(page, web):
    (web.home / "KRvK.table").unlink()
    open_folder(page, web.address)
    look(page, "8/8/8/3k4/8/8/3K1Q2/7r w - - 0 1")
    expect(page.get_by_role("alert")).to_contain_text("KRvK")


def test_a_host_that_does_not_answer_is_named(page, web):
    open_folder(page, web.address)
    page.context.set_offline(True)
    look(page, FEN)
    expect(page.get_by_role("alert")).to_contain_text("does not answer")
    page.context.set_offline(False)
    look(page, "8/8/8/8/8/2k5/2R5/K7 b - - 0 1")
    expect(verdict(page)).to_contain_text("Black to move")
    page.goto(page.url.split("#")[0] + "#/tables")
    open_address(page, "nowhere")
    expect(page.get_by_role("alert")).to_contain_text("is no address")


def choose(page, button, files):
    with page.expect_file_chooser() as choosing:
        page.get_by_role("button", name=button).click()
    choosing.value.set_files(files)


def test_chosen_files_are_opened(opened, folder):
    page = opened("tables")
    expect(page.get_by_text("No table is open.")).to_be_visible()
    choose(page, "Choose files", [folder / "achi.table", folder / "board.table"])
    page.get_by_role("main").get_by_role("link", name="achi").click()
    expect(verdict(page)).to_contain_text("win 9")
    page.locator(".move").first.click()
    expect(verdict(page)).to_contain_text("loss 8")
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("main").get_by_role("link", name="board").click()
    expect(page.locator(".verdict .chip")).to_have_count(1)
    # An endgame alone lacks the tables that its captures lead to.
    page.get_by_role("link", name="Tables").click()
    choose(page, "Choose files", [folder / "KQvK.table"])
    expect(page.get_by_role("alert")).to_contain_text("a whole folder of `retrograde build`")


def test_a_chosen_folder_is_opened_and_survives_a_stopped_solve(opened, folder):
    page = opened("tables")
    choose(page, "Choose a folder", str(folder))
    expect(page.get_by_role("row", name=re.compile("^KQvKR"))).to_be_visible()
    look(page, FEN)
    expect(verdict(page)).to_contain_text("win 31")
    page.goto(page.url.split("#")[0] + "#/game/quixo?size=4")
    expect(page.locator("#busy")).to_contain_text("Solving")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".error")).to_contain_text("stopped")
    look(page, "8/8/8/8/8/2k5/2R5/K7 b - - 0 1")
    expect(verdict(page)).to_contain_text("Black to move")


def test_a_chosen_file_that_is_no_table_is_refused(opened, tmp_path):
    page = opened("tables")
    wrong = pathlib.Path(tmp_path) / "wrong.table"
    wrong.write_text("not a table")
    choose(page, "Choose files", [wrong])
    expect(page.get_by_role("alert")).to_contain_text("wrong.table")


def test_the_server_serves_a_site_with_its_tables_in_ranges(browser, site, endgames, tmp_path):  # noqa: F811
    """`serve --site` needs no server of another kind, also for tables that are longer than what is fetched as a whole."""
    home = tmp_path / "site"
    built = os.environ.get("RETROGRADE_SITE")
    if not built:
        pytest.fail("RETROGRADE_SITE names no site: scripts/server builds one")
    shutil.copytree(built, home)
    shutil.copytree(endgames, home / "tables")
    one_manifest(home / "tables")
    index = (home / "index.html").read_text()
    (home / "index.html").write_text(index.replace("<title>", '<meta name="retrograde-tables" content="tables/"><title>'))
    command = [PROGRAMS / "retrograde", "serve", endgames, "--site", home, "--listen", "127.0.0.1:0", "--log", "error"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        address = running.stdout.readline().strip().rstrip("/")
        page = browser.new_page()
        parts = []
        page.on("response", lambda answer: answer.status == 206 and parts.append(answer.url))
        page.goto(f"{address}/site/#/chess/8/8/8/3k4/8/3p4/8/K6R_w_-_-_0_1")
        expect(page.locator(".move").first).to_be_visible(timeout=20000)
        expect(page.get_by_role("link", name="Tables")).to_be_visible()
        assert parts and all("/site/tables/KRvKP.table" in url for url in parts if not url.endswith("manifest.json")), parts
        page.close()
        # The witness reads the same ranges.
        proof = [PROGRAMS / "retrograde-witness", f"{address}/site/tables/KPvK.table"]
        assert ", every value proved" in subprocess.run(proof, check=True, capture_output=True, text=True).stdout
        running.terminate()
        assert running.wait(timeout=20) == 0


def test_chess_is_played_against_the_program(opened, folder):  # noqa: F811
    page = opened("tables")
    choose(page, "Choose a folder", str(folder))
    expect(page.get_by_role("row", name=re.compile("^KQvKR"))).to_be_visible()
    look(page, "7k/8/5K2/8/8/8/8/R7 w - - 0 1")
    expect(verdict(page)).to_contain_text("win 3")
    page.get_by_label("You play").select_option("white")
    page.get_by_label("Show values").uncheck()
    expect(page.locator(".verdict .chip, .moves .chip")).to_have_count(0)
    page.get_by_role("button", name="Kg6", exact=True).click()
    # Black has one move.
    expect(page.locator(".line button").nth(2)).to_have_text(re.compile("Kg8"))
    expect(verdict(page)).to_contain_text("White to move")
    page.locator(".game [data-name=a1]").click()
    expect(page.locator(".game [data-name=a8]")).to_have_attribute("aria-label", "a8, empty, can be chosen")
    page.locator(".game [data-name=a8]").click()
    expect(verdict(page)).to_contain_text("White has won.")
    expect(page.locator(".said").first).to_contain_text("You have won. White has won.")
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".line button")).to_have_count(3)
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".line button")).to_have_count(0)
    expect(page.get_by_role("textbox", name="State", exact=True)).to_have_value(re.compile("^7k/8/5K2"))
    page.get_by_label("Show values").check()
    expect(verdict(page)).to_contain_text("win 3")


def test_a_plain_web_server_is_enough(browser, site, endgames, tmp_path):
    """The page and its tables as files: it solves the sample board, a typed game is played, and an endgame is played to mate.
    RETROGRADE_ENDGAMES=DIR:NAME:FEN plays another one, such as KRBvKR, for which no test has the time."""
    del site
    home, name, fen = os.environ.get("RETROGRADE_ENDGAMES", f"{endgames}:KRvKP:8/8/8/8/8/2k4p/8/K6R w - - 0 1").split(":")
    shutil.copytree(os.environ["RETROGRADE_SITE"], tmp_path / "web")
    shutil.copytree(home, tmp_path / "web/tables")
    one_manifest(tmp_path / "web/tables")
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Ranges) as running:
        running.home, running.faults, running.asked, running.sent = tmp_path / "web", {}, [], 0
        threading.Thread(target=running.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{running.server_port}/"
        page = browser.new_page()
        page.set_default_timeout(60000)
        asked = []
        page.on("request", lambda request: request.url.startswith((address, "blob:")) or asked.append(request.url))
        begun = lambda: (len(running.asked), running.sent)
        since = lambda before: (len(running.asked) - before[0], running.sent - before[1])

        page.goto(f"{address}index.html#/game/pursuit")
        expect(page.locator(".said")).to_have_text("Police win in 13 plies.")
        print("the page, and the sample board solved:", *begun())

        before = begun()
        page.goto(f"{address}index.html#/game/text")
        expect(page.locator(".verdict .chip")).to_have_count(1)
        page.get_by_label("The text").fill((ROOT / "examples/games/dao.game").read_text())
        page.get_by_role("button", name="Solve").click()
        expect(page.locator(".game [data-name=a1]")).to_have_attribute("aria-label", re.compile("stone"))
        expect(page.locator(".said")).to_have_text("A draw, if both sides play well.")
        page.get_by_label("You play").select_option("first")
        page.locator(".move").first.click()
        expect(page.locator(".line button")).to_have_count(3)
        assert since(before) == (0, 0), running.asked[before[0]:]

        before = begun()
        page.goto(f"{address}index.html#/tables")
        open_address(page, f"{address}tables/{name}.table")
        expect(page.get_by_role("main").get_by_role("link", name=name, exact=True)).to_be_visible()
        assert since(before)[0] == 1, "the list of tables"
        before = begun()
        look(page, fen)
        expect(page.locator(".move").first).to_be_visible()
        requests, sent = since(before)
        print("the first view of", name, "by its address:", requests, sent)
        assert requests <= 12 and sent <= 1_500_000, running.asked[before[0]:]
        page.get_by_label("You play").select_option("white")
        moves = []
        while True:
            before, stops = begun(), page.locator(".line button").count()
            page.locator(".move").first.click()
            expect(page.locator(".line button").nth(max(2, stops + 1)).or_(page.get_by_text("No move is left.")).first).to_be_visible()
            expect(page.locator(".verdict:not([aria-busy])")).to_have_count(1)
            moves.append(since(before))
            if page.get_by_text("No move is left.").count():
                break
        expect(page.locator(".said").first).to_contain_text("You have won. White has won.")
        # A move, and the answer of the program: two positions are looked at.
        few = sum(requests <= 6 for requests, _ in moves)
        print(len(moves), "moves to mate:", sum(requests for requests, _ in moves), sum(sent for _, sent in moves), moves)
        assert few >= 0.9 * len(moves), moves
        assert asked == []
        page.close()
        running.shutdown()
