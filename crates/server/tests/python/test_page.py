"""The page in a browser: clicked, typed on, and dragged over."""

import json
import re
import subprocess

import pytest
from conftest import PROGRAMS, settle
from playwright.sync_api import expect

GAMES = ["graph", "pursuit", "chase", "take", "corner", "quixo", "l-game"]
TEXTS = ["three-mens-morris", "dao", "mu-torere", "dodgem", "hare-and-hounds", "fox-and-hounds", "pong-hau-ki", "achi", "tsoro-yematatu", "tapatan"]
VIEWS = ["home", "game/text", "tables", "chess", "table/achi", "table/KQvKR", *(f"game/{game}" for game in GAMES + ["mu-torere", "dodgem", "hare-and-hounds", "achi", "tsoro-yematatu"])]
BOARD = "P....\n.**.E\n....T\n"


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
        page.goto(f"{server}/#/{view}")
        settle(page)
        return page

    yield open_view
    for page in pages:
        page.close()
    assert complaints == []


def set_up(page, fen):
    page.get_by_role("textbox", name="State", exact=True).fill(fen)
    page.get_by_role("button", name="Show").click()


def square(page, name):
    return page.locator(f".game [data-name={name}]")


def test_chess_by_clicks_shows_what_every_move_is_worth(opened):
    page = opened("chess")
    set_up(page, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    expect(page.locator(".verdict")).to_contain_text("White to move")
    expect(page.locator(".verdict")).to_contain_text("win 31")
    moves = page.locator(".moves button")
    expect(moves.first).to_contain_text("win 31")
    square(page, "b2").click()
    expect(square(page, "c2")).to_have_attribute("aria-label", re.compile("^c2, empty, draw"))
    assert re.search(r"b8, empty, win in \d+", square(page, "b8").get_attribute("aria-label"))
    square(page, "b8").click()
    expect(page.locator(".verdict")).to_contain_text("Black to move")
    expect(square(page, "b8")).to_have_attribute("aria-label", "b8, R rook")


def test_chess_by_keys(opened):
    page = opened("chess")
    set_up(page, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    expect(page.locator(".verdict")).to_contain_text("win 31")
    square(page, "b2").focus()
    page.keyboard.press("Enter")
    for _ in range(3):
        page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.name") == "b5"
    page.keyboard.press("Enter")
    expect(square(page, "b5")).to_have_attribute("aria-label", "b5, R rook")
    expect(page.locator(".verdict")).to_contain_text("Black to move")
    expect(page.locator("#live")).to_contain_text("Black to move: White wins in")


def drag(page, start, end):
    start.scroll_into_view_if_needed()
    first, last = start.bounding_box(), end.bounding_box()
    page.mouse.move(first["x"] + first["width"] / 2, first["y"] + first["height"] / 2)
    page.mouse.down()
    page.mouse.move(last["x"] + 10, last["y"] + 12, steps=6)
    page.mouse.move(last["x"] + last["width"] / 2, last["y"] + last["height"] / 2, steps=3)
    page.mouse.up()


def test_chess_is_set_up_by_dragging_and_played_by_dragging(opened):
    page = opened("chess")
    page.get_by_role("button", name="Set up").click()
    page.get_by_role("button", name="Clear").click()
    drag(page, page.locator("[data-piece=Q]"), square(page, "d4"))
    expect(square(page, "d4")).to_have_attribute("aria-label", re.compile("Q queen"))
    drag(page, square(page, "e1"), square(page, "d6"))
    expect(square(page, "e1")).to_have_attribute("aria-label", "e1, empty")
    drag(page, square(page, "d4"), page.get_by_role("heading", name="Chess endgames"))
    expect(square(page, "d4")).to_have_attribute("aria-label", "d4, empty")
    page.locator("[data-piece=Q]").click()
    square(page, "a7").click()
    page.get_by_role("button", name="Set up").click()
    expect(page.locator(".verdict")).to_contain_text("White wins in 1 ply.")
    assert page.get_by_role("textbox", name="State", exact=True).input_value().startswith("4k3/Q7/3K4/8/8/8/8/8 w")
    drag(page, square(page, "a7"), square(page, "e7"))
    expect(page.locator(".verdict")).to_contain_text("White has won.")
    page.get_by_role("button", name="One ply back").click()
    expect(page.locator(".verdict")).to_contain_text("White to move")


def test_chess_plays_the_best_line_through_and_promotes(opened):
    page = opened("chess")
    page.get_by_label("Longest mate of").select_option("KQvKR")
    expect(page.locator(".verdict")).to_contain_text("win 69")
    page.get_by_role("button", name="Best line").click()
    expect(page.locator(".line button")).to_have_count(70)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".verdict")).to_contain_text("White has won.")
    set_up(page, "8/P7/8/8/8/2k5/8/K7 w - - 0 1")
    expect(page.locator(".verdict")).to_contain_text("White to move")
    square(page, "a7").click()
    square(page, "a8").click()
    page.get_by_role("group", name="Moves chosen").get_by_role("button").filter(has_text="=R").click()
    expect(square(page, "a8")).to_have_attribute("aria-label", re.compile("R rook"))


def test_what_cannot_be_answered_is_said(opened):
    page = opened("chess")
    set_up(page, "8/8/8/8/8/3k4/8/KRR5 w - - 0 1")
    expect(page.get_by_role("alert")).to_contain_text("there is no table")
    set_up(page, "8/8/8/8/8/2k5/1R6/K7 w - - 0 1")
    expect(page.get_by_role("alert")).to_have_count(0)


def test_pursuit_is_pasted_drawn_and_played(opened):
    page = opened("game/pursuit")
    expect(page.locator(".verdict")).to_contain_text("win 13")
    page.get_by_label("The board").fill(BOARD)
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".game [data-place]")).to_have_count(15)
    expect(page.locator(".verdict")).to_contain_text("Police to move")
    verdict = page.locator(".verdict").text_content().strip()
    page.get_by_role("button", name="Wall", exact=True).click()
    place(page, "2,3").click()
    expect(place(page, "2,3")).to_have_attribute("aria-label", re.compile("wall"))
    place(page, "2,3").click()
    expect(place(page, "2,3")).to_have_attribute("aria-label", re.compile("2,3, empty"))
    page.get_by_role("button", name="Play", exact=True).click()
    expect(page.locator(".verdict")).to_have_text(verdict)
    # Each square has the value of the thief there, but for those that the police may go to.
    assert page.locator(".game .shade").count() + page.locator(".game .aim").count() == 13
    place(page, "0,1").click()
    expect(page.locator(".verdict")).to_contain_text("Thief to move")
    expect(place(page, "0,1")).to_have_attribute("aria-label", re.compile("P police"))
    page.get_by_role("button", name="Police", exact=True).click()
    place(page, "2,0").click()
    expect(place(page, "2,0")).to_have_attribute("aria-label", re.compile("P police"))
    expect(place(page, "0,1")).to_have_attribute("aria-label", re.compile("^0,1, empty"))


def test_pursuit_watched_comes_to_its_end_in_as_many_plies_as_said(opened):
    page = opened("game/pursuit")
    expect(page.locator(".verdict")).to_contain_text("win 13")
    page.get_by_role("button", name="Best line").click()
    expect(page.locator(".line button")).to_have_count(14)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".verdict")).to_contain_text("Police have won")


def test_graph_is_drawn_and_walked(opened):
    page = opened("game/graph")
    page.get_by_role("textbox", name="The graph").fill("a b\nb c\nb a\n")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".game [data-place]")).to_have_count(3)
    expect(page.locator(".verdict")).to_contain_text("loss 2")
    expect(place(page, "c")).to_have_attribute("aria-label", "c, empty, loss in 0")
    place(page, "b").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("win 1")
    page.get_by_role("textbox", name="The graph").fill("= a sometimes")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("alert")).to_contain_text("Line 1")


def place(page, name):
    return page.locator(f".game [data-name='{name}']")


def test_heaps_are_taken_from(opened):
    page = opened("game/take")
    expect(page.locator(".verdict")).to_contain_text("3,5,7")
    place(page, "0,2").click()
    expect(page.locator(".verdict")).to_contain_text("2,5,7")
    expect(page.locator(".verdict")).to_contain_text("loss 14")
    page.get_by_label("heaps:").fill("4")
    page.get_by_label("take:").fill("1,2,3")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".verdict")).to_contain_text("loss 2")


def test_the_walk_to_the_corner(opened):
    page = opened("game/corner")
    page.get_by_label("rows:").fill("4")
    page.get_by_label("columns:").fill("6")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".game [data-place]")).to_have_count(24)
    expect(page.locator(".verdict")).to_contain_text("loss 4")
    place(page, "0,0").click()
    expect(place(page, "0,1")).to_have_attribute("aria-label", re.compile("win|loss"))
    place(page, "0,1").click()
    expect(page.locator(".verdict")).to_contain_text("0,1")


@pytest.mark.parametrize("game", ["achi", "dodgem", "graph", "hare-and-hounds", "mu-torere", "pursuit", "quixo", "l-game", "tsoro-yematatu", "corner", "take"])
def test_every_game_is_played_on_its_board(opened, game):
    """Any move can be made by clicks on the board alone, and the board shows it."""
    page = opened(f"game/{game}")
    expect(page.locator(".verdict .chip")).to_have_count(1)
    letters = "[...document.querySelectorAll('.game .letter, .game .place')].map((one) => one.getAttribute('aria-label') ?? one.textContent).join()"
    hash_ = lambda: page.evaluate("location.hash")
    for _ in range(3):
        at, before = hash_(), page.evaluate(letters)
        for _ in range(12):
            page.locator(".game .place.may:not(.chosen)").first.click()
            named = page.get_by_role("group", name="Moves chosen").get_by_role("button")
            if hash_() == at and named.count():
                named.first.click()
            if hash_() != at:
                break
        assert hash_() != at, f"{game}: twelve clicks made no move"
        page.wait_for_function(f"before => !document.querySelector('.game .chosen') && {letters} !== before", arg=before)
        if page.locator(".moves button").count() == 0:
            break


def test_quixo_is_the_same_on_the_page_in_its_address_and_in_the_program(opened):
    """The page turned the board between moves, because a state of quixo stands for all its mirror images."""
    page = opened("game/quixo?size=3")
    expect(page.locator(".verdict")).to_contain_text("x to move")
    place(page, "a3").click()
    place(page, "c3").click()
    state = page.get_by_role("textbox", name="State", exact=True)
    rows = lambda: "/".join("".join({"e": ".", "x": "x", "o": "o"}[place(page, f"{column}{row}").get_attribute("aria-label").split(", ")[1][0]] for column in "abc") for row in "321")
    for _ in range(2):
        expect(page.locator(".verdict")).to_contain_text("o to move")
        expect(state).to_have_value("o ..x/.../...")
        assert rows() == "..x/.../..."
        page.reload()
    line = subprocess.run([PROGRAMS / "retrograde", "line", "quixo", "--size", "3", "--from", "o ..x/.../...", "--json"], check=True, capture_output=True)
    states = [stop["state"] for stop in json.loads(line.stdout)["states"]]
    page.get_by_role("button", name="Best line").click()
    # The move before the reload is still there.
    expect(page.locator(".line button").last).to_contain_text("7. ")
    for at, text in enumerate(states):
        expect(state).to_have_value(text)
        assert rows() == text.split()[1]
        if at + 1 < len(states):
            page.get_by_role("button", name="One ply on").click()


def test_a_board_is_played_on_by_keys_alone(opened):
    page = opened("game/achi")
    expect(page.locator(".verdict")).to_contain_text("First to move")
    page.locator(".game [data-place][tabindex='0']").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.name") == "e"
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Second to move")
    expect(place(page, "e")).to_have_attribute("aria-label", re.compile("^e, M man"))


def test_boards_are_flipped_and_mirrored(opened):
    page = opened("game/hare-and-hounds")
    where = lambda name: place(page, name).locator("circle").first.bounding_box()["x"]
    assert where("d") < where("h")
    page.get_by_role("button", name="Mirror").click()
    assert where("d") > where("h")
    page.get_by_role("button", name="Flip").click()
    assert where("d") < where("h")
    page.goto(page.url.split("#")[0] + "#/chess/8/8/8/8/8/2k5/8/KQ6_w_-_-_0_1")
    expect(page.locator(".verdict")).to_contain_text("White to move")
    page.get_by_role("button", name="Flip").click()
    assert square(page, "a1").bounding_box()["y"] < square(page, "a8").bounding_box()["y"]
    page.get_by_role("button", name="Other side to move").click()
    expect(page.locator(".verdict")).to_contain_text("Black to move")


def test_the_address_is_the_position(opened):
    """Reloading loses nothing, and Back and Forward go through the positions."""
    page = opened("chess/8/8/8/8/8/2k5/1R6/K7_w_-_-_0_1")
    expect(page.locator(".verdict")).to_contain_text("win 31")
    page.locator(".moves button").first.click()
    expect(page.locator(".verdict")).to_contain_text("loss 30")
    after = page.url
    page.reload()
    expect(page.locator(".verdict")).to_contain_text("loss 30")
    page.go_back()
    expect(page.locator(".verdict")).to_contain_text("win 31")
    page.go_forward()
    expect(page.locator(".verdict")).to_contain_text("loss 30")
    assert page.url == after
    page = opened("game/take/2,5,7?heaps=3,5,7&take=any")
    expect(page.locator(".verdict")).to_contain_text("loss 14")
    page = opened("table/achi/second+.../.M./...+MMmmm")
    expect(page.locator(".verdict")).to_contain_text("loss 8")
    page.locator(".moves button").first.click()
    expect(page.locator(".verdict")).to_contain_text("win 7")
    page.go_back()
    expect(page.locator(".verdict")).to_contain_text("loss 8")
    page = opened("game/pursuit/thief+0,0+2,4?board=.....%0A.**.E%0A.....")
    expect(page.locator(".verdict")).to_contain_text("Thief to move")
    expect(page.locator(".game [data-place]")).to_have_count(15)


def test_a_line_is_stepped_by_arrow_keys(opened):
    page = opened("table/achi")
    page.get_by_role("button", name="Best line").click()
    expect(page.locator(".line button")).to_have_count(10)
    length = page.evaluate("history.length")
    page.locator("h2").click()
    for _ in range(9):
        page.keyboard.press("ArrowRight")
    expect(page.locator(".verdict")).to_contain_text("loss 0")
    page.keyboard.press("ArrowLeft")
    expect(page.locator(".verdict")).to_contain_text("win 1")
    page.keyboard.press("Home")
    expect(page.locator(".verdict")).to_contain_text("win 9")
    assert page.evaluate("history.length") == length, "stepping fills the history"


def test_moves_stand_in_groups(opened):
    page = opened("game/achi")
    groups = page.locator(".group h3")
    expect(groups).to_have_text(["Winning moves 1", "Drawing moves 4", "Losing moves 4"])
    expect(page.locator(".group").first.locator("button")).to_have_accessible_name("M*e, win in 9, best")


def test_a_table_is_explored(opened):
    page = opened("tables")
    page.get_by_role("searchbox").fill("board")
    page.get_by_role("link", name="board", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("Police to move")
    expect(page.locator(".verdict")).to_contain_text("win 13")
    expect(page.locator(".histogram .bar.win")).not_to_have_count(0)
    expect(page.get_by_role("region", name="Counts").locator("tbody tr")).to_have_count(2)
    page.get_by_role("tab", name="Longest").click()
    page.locator(".longest a").first.click()
    expect(page.locator(".verdict")).to_contain_text("win 23")
    begun = page.url
    page.get_by_role("button", name="Random position").click()
    expect(page).not_to_have_url(begun)
    page.go_back()
    expect(page.locator(".verdict")).to_contain_text("win 23")


def test_every_game_of_the_registry_is_on_the_first_view(opened, server):
    page = opened("")
    expect(page.locator("nav a", has_text="Your game")).to_have_count(1)
    names = page.evaluate("fetch('/games').then((said) => said.json()).then(({ games }) => games.map(({ name }) => name))")
    assert names == [*GAMES, "text", *TEXTS]
    for name in GAMES + TEXTS:
        expect(page.locator(f".entries a[href='#/game/{name}']")).to_have_count(1)


def test_a_wall_changes_the_board_of_the_first_view_and_the_slider_shows_the_solve(opened):
    page = opened("")
    cell = lambda row, column: page.locator(f".hero [data-name='{row},{column}']")
    values = lambda: page.locator(".hero [data-place]").evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))")
    expect(cell(4, 4)).to_have_attribute("aria-label", re.compile("loss in"))
    before = values()
    cell(4, 4).click()
    expect(cell(4, 4)).to_have_attribute("aria-label", "4,4, wall")
    page.wait_for_function("before => [...document.querySelectorAll('.hero [data-place]')].filter((cell, at) => cell.getAttribute('aria-label') !== before[at]).length > 3", arg=before)
    slider = page.get_by_label("Plies from the end")
    slider.fill("1")
    shown = [text for text in values() if re.search("(win|loss) in", text)]
    assert shown and all(re.search("(win|loss) in [01]$", text) for text in shown)
    slider.fill("4")
    assert len(shown) < sum(bool(re.search("(win|loss) in", text)) for text in values())
    # Walls are painted by dragging, too.
    drag(page, cell(11, 5), cell(11, 8))
    for column in range(5, 9):
        expect(cell(11, column)).to_have_attribute("aria-label", f"11,{column}, wall")


def test_the_front_board_is_played_on(opened):
    """The link left the players out, so that no move could be made."""
    page = opened("")
    expect(page.locator(".hero .shade.loss").first).to_be_visible()
    page.get_by_role("link", name="Play this board").click()
    expect(page.locator(".verdict")).to_contain_text("Police to move")
    # A square that can be moved to has the value of the move, as the list says.
    for side in range(2):
        name, worth = page.locator(".move .hidden").first.text_content().split(", ")[:2]
        expect(place(page, name)).to_have_attribute("aria-label", re.compile(f"^{name}, .*{worth}$"))
        place(page, name).click()
        expect(page.locator(".line button")).to_have_count(side + 2)
        expect(page.locator(".move").first).to_be_visible()


def test_a_game_is_written_on_the_first_view(opened):
    page = opened("")
    editor = page.get_by_role("region", name="A game on a page of text")
    expect(editor.locator(".said")).to_have_text("A draw, if both sides play well.")
    text = editor.get_by_label("A game is a page of text")
    text.fill("game corners\nboard grid 3 3\nmen both man 1\nmove man step aslant\n")
    editor.get_by_role("button", name="Solve").click()
    expect(editor.get_by_role("alert")).to_have_text(re.compile("^Line 4, column 15: "))
    editor.get_by_role("button", name="Show line 4").click()
    assert text.evaluate("(one) => one.value.slice(one.selectionStart, one.selectionEnd)") == "move man step aslant"
    text.fill("game corners\nboard grid 3 3\nmen both man 1\nstart first man a1\nstart second man c3\nmove man step all\nwin own a3\n")
    editor.get_by_role("button", name="Solve").click()
    expect(editor.get_by_role("alert")).to_have_count(0)
    expect(editor.locator(".said")).to_have_text("First wins in 3 plies.")
    editor.locator("[data-name=a1]").click()
    editor.locator("[data-name=a2]").click()
    # A move leads to the view of the game.
    expect(page.locator(".verdict")).to_contain_text("Second to move")
    assert "game+corners" in page.url


def test_a_card_leads_to_play_and_to_the_explorer(opened):
    page = opened("")
    page.get_by_role("link", name="Explore Quixo").click()
    expect(page.locator(".histogram")).to_be_in_viewport()
    page.go_back()
    page.get_by_role("link", name="Play Quixo").click()
    expect(page.locator(".verdict .chip")).to_be_in_viewport()


def test_a_choice_of_colours_stays(opened):
    page = opened("", color_scheme="light")
    ground = lambda: page.evaluate("getComputedStyle(document.body).backgroundColor")
    thumb = lambda: page.locator(".entry img").first.screenshot()
    light, drawn = ground(), thumb()
    page.get_by_role("button", name="Dark colours").click()
    dark = ground()
    assert dark != light and thumb() != drawn
    page.reload()
    settle(page)
    assert ground() == dark
    page.get_by_role("button", name="Dark colours").click()
    assert ground() == light


@pytest.mark.parametrize("width", [1280, 390])
def test_discs_have_24_pixels_on_every_board(opened, width):
    """They shrank and grew with the board."""
    page = opened("game/achi", viewport={"width": width, "height": 900})
    for view in ("game/corner", "game/pursuit", "game/quixo", "game/achi"):
        page.evaluate("(hash) => { location.hash = hash; }", f"#/{view}")
        settle(page)
        if not page.locator(".game .aim").count():
            page.locator(".game .may").first.click()
        sizes = page.locator(".game .aim").evaluate_all("all => all.map((one) => one.getBBox().width * one.getScreenCTM().a)")
        assert sizes and all(abs(size - 24) < 0.5 for size in sizes), (view, sizes)


def test_a_board_that_belongs_to_another_address_takes_no_clicks(opened):
    """After an error, the board of the game before stayed, and clicks on it asked about the new one."""
    page = opened("game/take")
    expect(page.locator(".verdict .chip")).to_have_count(1)
    page.get_by_label("heaps: ").fill("1,x")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".error")).to_have_count(1)
    expect(page.locator("[inert] .game")).to_have_count(1)
    expect(page.locator(".histogram")).to_have_count(0)
    page.get_by_label("heaps: ").fill("1,2")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".histogram")).to_have_count(1)
    expect(page.locator("[inert]")).to_have_count(0)


def test_a_game_opens_at_its_top(opened):
    """On a phone it opened where the list of games was scrolled to."""
    page = opened("", viewport={"width": 390, "height": 844})
    page.locator(".entry", has=page.get_by_text("Tsoro yematatu", exact=True)).click()
    expect(page.locator(".verdict .chip")).to_have_count(1)
    assert page.evaluate("scrollY") == 0


def test_the_program_answers_moves(opened):
    page = opened("game/achi")
    page.get_by_label("You play").select_option("first")
    page.locator(".move").first.click()
    expect(page.locator(".line button")).to_have_count(3)
    page.get_by_role("button", name="Let the program move").click()
    # The program moves for the user, and then for itself.
    expect(page.locator(".line button")).to_have_count(5)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_pieces_stand_out_from_both_squares(opened, scheme):
    """Either the body of a piece or its outline has a contrast of 3 to 1 with the square, as WCAG wants of pictures."""
    page = opened("chess", color_scheme=scheme)
    expect(page.locator(".game .piece").first).to_be_visible()
    contrasts = page.evaluate("""() => {
        const probe = document.body.appendChild(document.createElement("p"));
        const colour = (name) => { probe.style.color = `var(${name})`; return rgb(getComputedStyle(probe).color); };
        const rgb = (text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number);
        const part = (value) => (value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
        const light = ([red, green, blue]) => 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
        const contrast = (a, b) => { const [x, y] = [light(a), light(b)].sort((p, q) => q - p); return (x + 0.05) / (y + 0.05); };
        const squares = ["--floor", "--chequer"].map(colour);
        return ["piece-w", "piece-b"].flatMap((kind) => {
            const style = getComputedStyle(document.querySelector(`.game .${kind}`));
            return squares.map((square) => Math.max(contrast(rgb(style.fill), square), contrast(rgb(style.stroke), square)));
        });
    }""")
    assert len(contrasts) == 4 and min(contrasts) >= 3, contrasts


def test_turning_a_board_round_twice_changes_no_pixel(opened):
    page = opened("game/hare-and-hounds")
    board = page.locator(".game")
    expect(page.locator(".verdict")).to_contain_text("Hounds to move")
    before = board.screenshot()
    page.get_by_role("button", name="Flip").click()
    assert board.screenshot() != before
    page.get_by_role("button", name="Flip").click()
    assert board.screenshot() == before


def test_a_finger_that_scrolls_neither_paints_nor_moves(opened):
    page = opened("home", viewport={"width": 390, "height": 780}, has_touch=True)
    touch = page.context.new_cdp_session(page)

    def touched(*ways):
        for kind, points in ways:
            touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    def swipe(locator):
        locator.scroll_into_view_if_needed()
        box = locator.bounding_box()
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        touched(("touchStart", [(x, y)]), *(("touchMove", [(x, y - 8 * step)]) for step in range(1, 12)), ("touchEnd", []))

    labels = lambda: page.locator("[data-place]").evaluate_all("all => all.map(one => one.ariaLabel.split(',', 3).join())")
    expect(page.locator(".hero .shade").first).to_be_attached()
    before = labels()
    swipe(page.locator(".hero [data-place='133']"))
    assert labels() == before
    page.locator(".hero [data-place='133']").tap()
    expect(page.locator(".hero [data-place='133']")).to_have_attribute("aria-label", re.compile("wall"))
    page.evaluate("location.hash = '#/game/take'")
    expect(page.locator(".held").first).to_be_attached()
    address = page.url
    swipe(page.locator(".held").last)
    assert page.url == address
    page.locator(".held").last.tap()
    expect(page).not_to_have_url(address)


@pytest.mark.parametrize("width", [1280, 390])
def test_names_of_rows_and_columns_are_whole(opened, width):
    page = opened("chess", viewport={"width": width, "height": 900})
    outside = """() => {
        const all = document.querySelector(".game").getBoundingClientRect();
        const isOutside = ({ left, right, top, bottom }) => left < all.left || right > all.right || top < all.top || bottom > all.bottom;
        return [...document.querySelectorAll(".game .name")].filter((one) => isOutside(one.getBoundingClientRect())).map((one) => one.textContent);
    }"""
    expect(page.locator(".game .name")).to_have_count(16)
    assert page.evaluate(outside) == []
    page.evaluate("location.hash = '#/game/pursuit'")
    page.get_by_label("The board").fill("\n".join(["." * 12] * 12))
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".game .name")).to_have_count(24)
    assert page.evaluate(outside) == []
    # No player stands on this board.
    expect(page.locator(".note")).to_have_text("The board names no start, so this is a longest win.")


def test_a_text_travels_packed_in_its_link(opened):
    page = opened("game/text")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    text = page.get_by_label("The text").input_value().replace("game three", "game my-three") + "\n# Ünd + more: a&b=c"
    page.get_by_label("The text").fill(text)
    page.get_by_role("button", name="Solve").click()
    expect(page).to_have_url(re.compile("board="))
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")
    assert "z=" in link and "board=" not in link
    assert len(link) < 0.85 * len(page.url)
    other = opened(link.split("#/")[1])
    expect(other.get_by_label("The text")).to_have_value(text)
    expect(other.locator(".verdict .said")).to_have_text(page.locator(".verdict .said").text_content())
    for torn in [link[:-9], link.split("z=")[0] + "z=", link.split("z=")[0] + "z=a%20b"]:
        other.goto("about:blank")
        other.goto(torn)
        expect(other.get_by_role("alert")).to_contain_text("copy the whole link")


def test_a_line_is_in_the_address(opened):
    page = opened("chess")
    page.get_by_role("button", name="Best line").click()
    expect(page.locator(".line button")).to_have_count(12)
    page.get_by_role("button", name="One ply on").click()
    expect(page.locator(".verdict")).to_contain_text("Black to move")
    line = page.locator(".line button").all_text_contents()
    other = opened(page.url.split("#/")[1])
    expect(other.locator(".verdict")).to_contain_text("Black to move")
    expect(other.locator(".line button")).to_have_text(line)
    expect(other.locator(".line [aria-current]")).to_have_text(line[1])
    other.get_by_role("button", name="One ply back").click()
    expect(other.locator(".verdict")).to_contain_text("White to move")
    assert other.get_by_label("You play").locator("option").all_text_contents()[1] == "white"
    # A line that is none leaves the position.
    broken = opened(page.url.split("#/")[1].replace("line=1%7E", "line=1~").replace("~", "~x", 1))
    expect(broken.locator(".verdict")).to_contain_text("Black to move")
    expect(broken.locator(".line button")).to_have_count(0)


def test_a_reload_keeps_the_line_and_the_side_of_the_user(opened):
    page = opened("game/achi")
    page.get_by_label("You play").select_option("first")
    page.get_by_label("The program plays").select_option("weak")
    page.locator(".move").first.click()
    expect(page.locator(".line button")).to_have_count(3)
    before = page.locator(".line button").all_text_contents()
    page.reload()
    expect(page.locator(".line button")).to_have_text(before)
    expect(page.get_by_label("You play")).to_have_value("0")
    expect(page.get_by_label("The program plays")).to_have_value("weak")
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_text("No move is made yet.")).to_be_visible()


def test_hidden_values_are_said_and_shown_again_in_every_view(opened):
    page = opened("game/achi")
    page.get_by_label("Show values").uncheck()
    page.evaluate("location.hash = '#/chess'")
    expect(page.locator(".verdict")).to_contain_text("Values are hidden.")
    page.get_by_role("button", name="Show them").click()
    expect(page.locator(".verdict")).to_contain_text("win")
    expect(page.get_by_label("Show values")).to_be_checked()


def test_a_solve_from_below_brings_its_verdict_into_sight(opened):
    page = opened("game/pursuit", viewport={"width": 1280, "height": 600})
    page.get_by_label("The board").fill("P..\n.*.\n..T")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".verdict .said")).to_be_in_viewport()
    page.get_by_label("The board").fill("?")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("alert")).to_be_in_viewport()


def test_only_what_changed_is_drawn_again(opened):
    page = opened("home")
    expect(page.locator(".hero .shade").first).to_be_attached()
    squares = page.locator(".hero [data-place]").element_handles()
    wall, arrow = page.locator(".hero [data-place='49']"), page.locator(".hero .arrow").element_handle()
    before = wall.get_attribute("aria-label")
    wall.click()
    expect(wall).to_have_attribute("aria-label", re.compile("wall"))
    wall.click()
    expect(wall).to_have_attribute("aria-label", before)
    assert all(one.evaluate("one => one.isConnected") for one in [*squares, arrow])


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_man_moves_to_his_square(opened, motion):
    """Nothing else moves, and nothing for a reader who prefers less of it."""
    page = opened("chess", reduced_motion=motion)
    for view in VIEWS:
        page.evaluate(f"location.hash = '#/{view}'")
        assert page.evaluate("document.getAnimations().length") == 0, view
    page.evaluate("location.hash = '#/chess/8/8/8/8/8/2k5/8/KQ6_w_-_-_0_1'")
    expect(square(page, "b1")).to_have_attribute("aria-label", re.compile("queen"))
    page.evaluate("""() => {
        window.moved = [];
        const { animate } = Element.prototype;
        Element.prototype.animate = function (frames, options) {
            if (frames.transform) window.moved.push(options.duration, ...frames.transform);
            return animate.call(this, frames, options);
        };
    }""")
    square(page, "b1").click()
    square(page, "f1").click()
    expect(square(page, "f1")).to_have_attribute("aria-label", re.compile("queen"))
    # Squares are 60 units apart.
    moved = [120, "translate(-240px, 0px)", "none"] if motion == "no-preference" else []
    assert page.evaluate("moved") == moved
    # A man that was dragged is there already.
    drag(page, square(page, "c3"), square(page, "d4"))
    expect(square(page, "d4")).to_have_attribute("aria-label", re.compile("king"))
    assert page.evaluate("moved") == moved
    expect(page.locator(".game > g")).to_have_count(5)


def test_everything_is_reached_by_keys(opened):
    """From the first Tab on: into a table, onto its board, a move, and back."""
    page = opened("tables")
    press = page.keyboard.press
    focused = lambda: page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
    for _ in range(80):
        press("Tab")
        if focused() == "achi":
            break
    press("Enter")
    expect(page.locator(".verdict")).to_contain_text("First to move")
    for _ in range(80):
        press("Tab")
        if focused().startswith("a, empty"):
            break
    press("ArrowRight")
    press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Second to move")
    page.go_back()
    expect(page.locator(".verdict")).to_contain_text("First to move")


def test_morris_is_played_from_table_to_table(browser, morris):
    """A family has no page of its own: its boards come from the server as for all games, and a move may lead into another table."""
    page = browser.new_page()
    page.set_default_timeout(5000)
    page.goto(morris)
    page.get_by_role("navigation").get_by_role("link", name="Morris").click()
    page.get_by_role("link", name="p0-0-0", exact=True).click()
    expect(page.locator(".verdict")).to_contain_text("White to move")
    expect(page.locator(".verdict")).to_contain_text("win 9")
    expect(page.locator(".game [data-place]")).to_have_count(9)
    place(page, "b2").click()
    expect(page.locator(".verdict")).to_contain_text("Black to move")
    expect(page.locator(".verdict")).to_contain_text("loss 8")
    expect(place(page, "b2")).to_have_attribute("aria-label", re.compile("^b2, O"))
    page.get_by_role("button", name="Best line").click()
    expect(page.locator(".line button")).to_have_count(10)
    page.get_by_role("button", name="To the end").click()
    expect(page.locator(".verdict")).to_contain_text("loss 0")
    page.reload()
    expect(page.locator(".verdict")).to_contain_text("loss 0")
    page.goto(f"{morris}/#/table/3-3")
    expect(page.locator(".verdict .chip")).to_have_count(1)
    before = page.url
    page.get_by_role("button", name="Random position").click()
    expect(page).not_to_have_url(before)
    expect(page.locator(".verdict .chip")).to_have_count(1)
    page.close()
