"""The page in a browser: clicked, typed on, dragged over, and looked at in three widths. Pictures go to $RETROGRADE_PICTURES."""

import os
import pathlib
import re
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

VIEWS = ["chess", "pursuit", "graph", "take", "corner", "tables"]
BOARD = "P....\n.**.E\n....T\n"


@pytest.fixture(scope="session")
def browser():
    """The system's Chromium where there is one, or else the one that playwright has installed."""
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def opened(browser, server):
    """Opens a view; what the page complains of, and what it asks of others, are failures."""
    pages, complaints = [], []

    def open_view(view, **options):
        page = browser.new_page(**options)
        page.set_default_timeout(5000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        # An answer of 4xx is said in the console as well, and on the page by ourselves.
        page.on("console", lambda said: said.type == "error" and "status of 4" not in said.text and complaints.append(said.text))
        page.on("request", lambda asked: asked.url.startswith((server, "data:")) or complaints.append(asked.url))
        pages.append(page)
        page.goto(f"{server}/#{view}")
        page.wait_for_load_state("networkidle")
        return page

    yield open_view
    for page in pages:
        page.close()
    assert complaints == []


def set_up(page, fen):
    page.get_by_label("Position (FEN)").fill(fen)
    page.get_by_role("button", name="Show").click()


def square(page, name):
    return page.locator(f"[data-square={name}]")


def test_chess_by_clicks_shows_what_every_move_is_worth(opened):
    page = opened("chess")
    set_up(page, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    expect(page.locator(".verdict")).to_contain_text("White to move")
    expect(page.locator(".verdict")).to_contain_text("win 31")
    moves = page.locator(".moves button")
    expect(moves.first).to_contain_text("win 31")
    square(page, "b2").click()
    assert "win" in square(page, "b8").get_attribute("class")
    assert "draw" in square(page, "c2").get_attribute("class")
    assert re.search(r"b8, empty, win in \d+", square(page, "b8").get_attribute("aria-label"))
    square(page, "b8").click()
    expect(page.locator(".verdict")).to_contain_text("Black to move")
    expect(square(page, "b8")).to_have_attribute("aria-label", "b8, white rook")


def test_chess_by_keys(opened):
    page = opened("chess")
    set_up(page, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    expect(page.locator(".verdict")).to_contain_text("win 31")
    square(page, "b2").focus()
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.square") == "b5"
    page.keyboard.press("Enter")
    expect(square(page, "b5")).to_have_attribute("aria-label", "b5, white rook")
    expect(page.locator(".verdict")).to_contain_text("Black to move")
    expect(page.locator("#live")).to_contain_text("loss in")


def drag(page, start, end):
    first, last = start.bounding_box(), end.bounding_box()
    page.mouse.move(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + 10, last["y"] + 12, steps=6)
    page.mouse.move(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2, steps=3)
    page.mouse.up()


def test_chess_is_set_up_by_dragging_and_played_by_dragging(opened):
    page = opened("chess")
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Clear the board").click()
    drag(page, page.locator("[data-piece=Q]"), square(page, "d4"))
    expect(square(page, "d4")).to_have_attribute("aria-label", re.compile("white queen"))
    drag(page, square(page, "e1"), square(page, "d6"))
    expect(square(page, "e1")).to_have_attribute("aria-label", "e1, empty")
    drag(page, square(page, "d4"), page.get_by_role("heading", name="Chess endgames"))
    expect(square(page, "d4")).to_have_attribute("aria-label", "d4, empty")
    page.locator("[data-piece=Q]").click()
    square(page, "a7").click()
    page.get_by_role("button", name="Set up").click()
    assert page.get_by_label("Position (FEN)").input_value().startswith("4k3/Q7/3K4/8/8/8/8/8 w")
    expect(page.locator(".verdict")).to_contain_text("mate in 1")
    drag(page, square(page, "a7"), square(page, "e7"))
    expect(page.locator(".verdict")).to_contain_text("Black is mated")
    page.get_by_role("button", name="One ply back").click()
    expect(page.locator(".verdict")).to_contain_text("White to move")


def test_chess_plays_the_best_line_through_and_promotes(opened):
    page = opened("chess")
    page.get_by_label("Longest mate of").select_option("KQvKR")
    expect(page.locator(".verdict")).to_contain_text("win 69")
    page.get_by_role("button", name="Play the best line").click()
    expect(page.locator(".line button")).to_have_count(70)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".verdict")).to_contain_text("Black is mated")
    set_up(page, "8/P7/8/8/8/2k5/8/K7 w - - 0 1")
    expect(page.locator(".verdict")).to_contain_text("White to move")
    square(page, "a7").click()
    square(page, "a8").click()
    page.get_by_role("group", name="Promote to").get_by_role("button").filter(has_text="=R").click()
    expect(square(page, "a8")).to_have_attribute("aria-label", re.compile("white rook"))


def test_what_cannot_be_answered_is_said(opened):
    page = opened("chess")
    set_up(page, "8/8/8/8/8/3k4/8/KRR5 w - - 0 1")
    expect(page.get_by_role("alert")).to_contain_text("there is no table")
    set_up(page, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_pursuit_is_pasted_drawn_and_played(opened):
    page = opened("pursuit")
    expect(page.locator(".verdict")).to_contain_text("win 13")
    page.get_by_label("The board as text").fill(BOARD)
    page.get_by_role("button", name="Solve this text").click()
    expect(page.locator(".cells button")).to_have_count(15)
    expect(page.locator(".verdict")).to_contain_text("Police to move")
    verdict = page.locator(".verdict").text_content().strip()
    at = lambda row, column: page.locator(f".cells [data-row='{row}'][data-column='{column}']")
    page.get_by_role("button", name="Wall", exact=True).click()
    at(2, 3).click()
    expect(at(2, 3)).to_have_attribute("aria-label", re.compile("wall"))
    at(2, 3).click()
    expect(at(2, 3)).to_have_attribute("aria-label", re.compile("floor"))
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".verdict")).to_have_text(verdict)
    shades = page.locator(".cells button.win, .cells button.loss, .cells button.draw")
    assert shades.count() == 13
    at(0, 1).click()
    expect(page.locator(".verdict")).to_contain_text("Thief to move")
    expect(at(0, 1).locator(".police")).to_have_count(1)
    page.get_by_label("Shade").select_option("thief")
    expect(at(2, 4)).to_have_attribute("aria-label", re.compile("thief, (win|loss|draw)"))
    page.get_by_label("You play").select_option("police")
    expect(page.locator(".verdict")).to_contain_text(re.compile("Police to move|have won|has won"))


def test_pursuit_watched_comes_to_its_end_in_as_many_plies_as_said(opened):
    page = opened("pursuit")
    expect(page.locator(".verdict")).to_contain_text("win 13")
    page.get_by_role("button", name="Best line from here").click()
    expect(page.locator(".line button")).to_have_count(14)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".verdict")).to_contain_text("The police have won")
    page.get_by_label("The board as text").fill("P.x")
    page.get_by_role("button", name="Solve this text").click()
    expect(page.locator(".cells button")).to_have_count(3)


def test_graph_is_drawn_and_walked(opened):
    page = opened("graph")
    page.get_by_role("textbox", name="The graph").fill("a b\nb c\nb a\n")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".graph .node")).to_have_count(3)
    expect(page.locator(".graph .node.here")).to_have_attribute("aria-label", "a, loss in 2")
    page.locator(".graph .node").nth(1).focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("win 1")
    page.get_by_role("textbox", name="The graph").fill("= a sometimes")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("alert")).to_contain_text("line 1")


def test_heaps_are_taken_from(opened):
    page = opened("take")
    expect(page.locator(".verdict")).to_contain_text("Heaps 3,5,7")
    page.get_by_label(re.compile("take 1 from heap 1,")).click()
    expect(page.locator(".verdict")).to_contain_text("2,5,7")
    expect(page.locator(".verdict")).to_contain_text("loss 14")
    page.get_by_label("Heaps", exact=True).fill("4")
    page.get_by_label("May take").fill("1,2,3")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".verdict")).to_contain_text("loss 2")
    expect(page.locator(".heap button:disabled")).to_have_count(1)


def test_the_walk_to_the_corner(opened):
    page = opened("corner")
    page.get_by_role("spinbutton", name="Rows").fill("4")
    page.get_by_role("spinbutton", name="Columns").fill("6")
    page.get_by_role("spinbutton", name="Columns").press("Tab")
    expect(page.locator(".cells button")).to_have_count(24)
    expect(page.locator(".verdict")).to_contain_text("loss 4")
    page.locator(".cells [data-row='0'][data-column='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("queen on 0,1")


def test_tables_of_the_folder_are_asked(opened):
    page = opened("tables")
    page.get_by_label("Table", exact=True).select_option("board")
    expect(page.locator(".verdict")).to_contain_text("police 3,0 5,4")
    expect(page.locator(".verdict")).to_contain_text("win 13")
    page.locator(".moves button").first.click()
    expect(page.locator(".verdict")).to_contain_text("loss 12")
    page.get_by_role("button", name="Best line").click()
    expect(page.locator(".line button")).to_have_count(13)


@pytest.mark.parametrize("width, height, scheme", [(1280, 900, "light"), (768, 1000, "dark"), (360, 780, "light")])
def test_every_view_fits_every_width(opened, width, height, scheme):
    pictures = os.environ.get("RETROGRADE_PICTURES")
    page = opened("chess", viewport={"width": width, "height": height}, color_scheme=scheme)
    for view in VIEWS:
        page.get_by_role("link", name=view.capitalize(), exact=True).click()
        page.wait_for_load_state("networkidle")
        expect(page.locator("h2")).to_have_count(1)
        assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), view
        unnamed = page.evaluate("""[...document.querySelectorAll('button, input, select, textarea, [role=button]')].filter((one) =>
            !one.getAttribute('aria-label') && !one.innerText?.trim() && !one.labels?.length).length""")
        assert unnamed == 0, f"{view}: something that can be used has no name"
        if pictures:
            page.screenshot(path=pathlib.Path(pictures) / f"{view}-{width}-{scheme}.png", full_page=True)
