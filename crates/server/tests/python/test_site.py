"""The page without a server: the module solves inside the browser, and files lie on a plain web server."""

import functools
import http.server
import os
import pathlib
import re
import subprocess
import threading

import pytest
from playwright.sync_api import expect

ROOT = pathlib.Path(__file__).resolve().parents[4]
#: What a game of the registry needs before it can be solved in a moment.
ADDRESSES = {"quixo": "quixo?size=3"}


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


@pytest.fixture
def opened(browser, site):
    """Opens a view; complaints of the page, and requests to others, are failures."""
    pages, complaints = [], []

    def open_view(view, **options):
        page = browser.new_page(**options)
        page.set_default_timeout(20000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
        page.on("request", lambda asked: asked.url.startswith((site, "data:")) or complaints.append(asked.url))
        pages.append(page)
        page.goto(f"{site}#/{view}")
        return page

    yield open_view
    for page in pages:
        page.close()
    assert complaints == []


def games(page):
    expect(page.locator(".entry").first).to_be_visible()
    return [href.rsplit("/", 1)[1] for href in page.locator(".entry").evaluate_all("all => all.map((one) => one.hash)")]


@pytest.mark.parametrize("width, height", [(1280, 900), (390, 844)])
def test_every_game_is_played_without_a_server(opened, width, height):
    """Each entry has values, best moves first, an answer of the program, a way back and an address that shows the same position."""
    page = opened("", viewport={"width": width, "height": height})
    expect(page.locator(".hero .cells .win").first).to_be_visible()
    names = games(page)
    assert len(names) > 10
    for name in names:
        page.goto(page.url.split("#")[0] + f"#/game/{ADDRESSES.get(name, name)}")
        expect(page.locator(".verdict .chip")).to_have_count(1)
        expect(page.locator(".place, .cells button, .graph g").first).to_be_visible()
        page.locator(".move").first.click()
        expect(page.locator(".line button")).to_have_count(2)
        expect(page.locator(".verdict .chip")).to_have_count(1)
        here = page.url
        verdict = page.locator(".verdict").inner_text()
        page.get_by_role("button", name="One ply back").click()
        expect(page).not_to_have_url(here)
        if page.get_by_label("Who answers").count():
            page.get_by_label("Who answers").select_option("perfect")
            page.locator(".move").first.click()
            # The walk to the corner may be over with one move.
            over = page.get_by_text("No move is left.")
            expect(page.locator(".line li:nth-child(3)").or_(over).first).to_be_visible()
        page.goto("about:blank")
        page.goto(here)
        expect(page.locator(".verdict")).to_have_text(verdict, use_inner_text=True)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), name


def test_a_game_is_typed_and_played_and_travels_in_its_link(opened):
    page = opened("game/text")
    expect(page.locator(".verdict .chip")).to_have_count(1)
    page.get_by_text("Words of a text").click()
    expect(page.get_by_role("row", name=re.compile("^move man step all"))).to_be_visible()
    text = page.get_by_label("The text")
    text.fill("game corners\nboard grid 3 3\nmen both man 1\nstart first man a1\nstart second man c3\nmove man step all\nwin reach a3\n")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".error")).to_contain_text("line")
    text.fill("game corners\nboard grid 3 3\nmen both man 1\nstart first man a1\nstart second man c3\nmove man step all\nwin own a3\n")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".verdict")).to_contain_text("win 3")
    page.locator(".move").first.click()
    expect(page.locator(".verdict")).to_contain_text("loss 2")
    link = page.url
    page.goto("about:blank")
    page.goto(link)
    expect(page.locator(".verdict")).to_contain_text("loss 2")
    expect(page.get_by_label("The text")).to_have_value(
        "game corners\nboard grid 3 3\nmen both man 1\nstart first man a1\nstart second man c3\nmove man step all\nwin own a3\n")


def test_a_long_solve_says_how_far_it_is_and_is_stopped(opened):
    page = opened("game/quixo?size=4")
    expect(page.locator("#busy")).to_contain_text(re.compile(r"Solving, \d+% settled: \d+ s"))
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".error")).to_contain_text("stopped")
    expect(page.locator("#busy")).to_be_hidden()
    # The next question finds a new worker.
    page.get_by_label("size: ").fill("3")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".verdict .chip")).to_have_count(1)
