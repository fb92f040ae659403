"""A server that all tests ask, started once: the programs that scripts/server has built, on a port that is free."""

import contextlib
import functools
import http.server
import os
import pathlib
import shutil
import subprocess
import threading

import pytest
from playwright.sync_api import sync_playwright

ROOT = pathlib.Path(__file__).resolve().parents[4]
PROGRAMS = pathlib.Path(os.environ["RETROGRADE_PROGRAMS"])


#: The view of the address is there, and nothing on it waits for an answer.
SETTLED = """() => document.querySelector("main h2") && document.getElementById("busy").hidden
    && !document.querySelector("main [aria-busy=true], main .hero:not(:has(.shade)), main .editor:not(:has(.game))")
    && [...document.querySelectorAll("main .play, main table, main .hero, main [role=alert], main .empty")].some((one) => one.checkVisibility())"""


def settle(page, timeout=None):
    """Waits until a view is complete. That the network is idle says less, and costs half a second more."""
    page.wait_for_function(SETTLED, timeout=timeout)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Tables of every game, and endgames of three and four pieces."""
    home = tmp_path_factory.mktemp("tables")
    retrograde = PROGRAMS / "retrograde"
    examples = ROOT / "examples"
    for arguments in (
        ["build", "chess", "KQvKR", "KPvK", "--out", home],
        ["solve", "pursuit", examples / "board.txt", "--out", home / "board.table"],
        ["solve", "graph", examples / "graph.txt", "--out", home / "graph.table"],
        ["solve", "take", "--heaps", "3,5", "--take", "any", "--out", home / "take.table"],
        ["solve", "achi", "--out", home / "achi.table"],
        ["solve", "corner", "--piece", "queen", "--rows", "8", "--columns", "8", "--out", home / "corner.table"],
    ):
        subprocess.run([retrograde, *arguments], check=True, stdout=subprocess.DEVNULL)
    return home


@contextlib.contextmanager
def serving(folder):
    """The address of a running server of a folder."""
    command = [PROGRAMS / "retrograde", "serve", folder, "--listen", "127.0.0.1:0", "--log", "error", "--timeout", "120"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as running:
        yield running.stdout.readline().strip().rstrip("/")
        running.terminate()
        assert running.wait(timeout=20) == 0, "the server does not stop as it should"


@pytest.fixture(scope="session")
def server(folder):
    """A server of tables of all kinds."""
    with serving(folder) as address:
        yield address


@pytest.fixture(scope="session")
def morris(tmp_path_factory):
    """A server of the tables of three men's morris."""
    home = tmp_path_factory.mktemp("morris")
    build = [PROGRAMS / "retrograde", "build", "morris", "--men", "3", "--out", home]
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    with serving(home) as address:
        yield address


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The address of a plain web server of the site, below a path of its own."""
    home = tmp_path_factory.mktemp("web")
    built = os.environ.get("RETROGRADE_SITE")
    if built:
        (home / "retrograde").symlink_to(pathlib.Path(built).resolve())
    else:
        subprocess.run([ROOT / "scripts/site", home / "retrograde"], check=True)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        def log_message(self, *_):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=home)) as running:
        threading.Thread(target=running.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{running.server_port}/retrograde/"
        running.shutdown()


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium where there is one, or else the one that playwright has installed."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--font-render-hinting=none"])
        yield browser
        browser.close()
