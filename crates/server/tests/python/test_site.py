"""The page without a server: the module solves inside the browser, and files lie on a plain web server."""

import re

import pytest
from playwright.sync_api import expect

@pytest.fixture
def opened(browser, site):
    """Opens a view; complaints of the page, and requests to others, are failures. A failed request is said in the console, too."""
    pages, complaints = [], []

    def open_view(view, **options):
        page = browser.new_page(**options)
        page.set_default_timeout(20000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: said.type == "error" and "Failed to load resource" not in said.text and complaints.append(said.text))
        page.on("request", lambda asked: asked.url.startswith((site, "data:", "blob:")) or complaints.append(asked.url))
        pages.append(page)
        page.goto(f"{site}#/{view}")
        return page

    yield open_view
    for page in pages:
        page.close()
    assert complaints == []


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


def verdict(page):
    return page.locator(".verdict")


def line(page):
    return page.locator(".line button")


def test_the_user_has_a_side_and_learns_who_has_won(opened):
    """The program only answered moves: no side was the user's own, and nothing said `you have lost`."""
    page = opened("game/take?heaps=3,4&take=any")
    expect(page.locator(".verdict .chip")).to_have_count(1)
    page.get_by_label("You play").select_option("the second player")
    # The program begins, and makes no mistake.
    expect(line(page)).to_have_count(2)
    for stops in (4, 6, 8, 10):
        if page.get_by_text("No move is left.").count():
            break
        page.locator(".move").last.click()
        expect(line(page).nth(stops - 1).or_(page.get_by_text("No move is left.")).first).to_be_visible()
    expect(page.locator(".said").first).to_contain_text("You have lost.")
    page.get_by_role("button", name="New game").click()
    expect(line(page)).to_have_count(2)
    page.get_by_label("You play").select_option("the first player")
    page.get_by_role("button", name="New game").click()
    expect(verdict(page)).to_contain_text("win")
    for stops in (3, 5, 7, 9):
        page.locator(".move").first.click()
        expect(line(page).nth(stops - 1).or_(page.get_by_text("No move is left.")).first).to_be_visible()
        if page.get_by_text("No move is left.").count():
            break
    expect(page.locator(".said").first).to_contain_text("You have won.")


def test_a_move_is_taken_back_and_sides_stay(opened):
    """After one step back, the user moved for the program, and the program for the user."""
    page = opened("game/hare-and-hounds")
    page.get_by_label("You play").select_option("hounds")
    page.locator(".move").first.click()
    expect(line(page)).to_have_count(3)
    page.get_by_role("button", name="One ply back").click()
    expect(verdict(page)).to_contain_text("Hare to move")
    # The user makes a move of the program. The next one is the user's own again.
    page.locator(".move").last.click()
    expect(verdict(page)).to_contain_text("Hounds to move")
    expect(line(page)).to_have_count(3)
    page.locator(".move").first.click()
    expect(line(page)).to_have_count(5)
    page.get_by_role("button", name="Take back").click()
    expect(line(page)).to_have_count(3)
    expect(verdict(page)).to_contain_text("Hounds to move")


CORNERS = "game corners\nboard grid 3 3\nmen both man 1\nstart first man a1\nstart second man c3\nmove man step all\nwin own a3\n"


def test_a_repetition_is_said(opened):
    page = opened("game/text")
    expect(page.locator(".verdict .chip")).to_have_count(1)
    page.get_by_label("The text").fill(CORNERS)
    page.get_by_role("button", name="Solve").click()
    expect(verdict(page)).to_contain_text("win 3")
    for stops, move in enumerate(("a1-b1", "c3-c2", "b1-a1", "c2-c3"), start=2):
        assert page.locator(".note").count() == 0
        page.get_by_role("button", name=re.compile(f"^{move}, ")).click()
        expect(line(page)).to_have_count(stops)
        expect(page.locator(".verdict:not([aria-busy])")).to_have_count(1)
    expect(page.locator(".note")).to_contain_text("This position was there at the start.")


def test_texts_to_begin_with_have_cards_and_an_own_text_stays(opened):
    page = opened("home")
    page.locator(".entry", has=page.get_by_text("Fox and hounds", exact=True)).click()
    expect(verdict(page)).to_contain_text("Hounds to move", timeout=20000)
    page.get_by_role("tab", name="Rules").click()
    page.get_by_role("link", name="Change this text").click()
    expect(page.get_by_label("The text")).to_have_value(re.compile("game fox-and-hounds"))
    expect(page.get_by_label("Begin with")).to_have_value("fox-and-hounds")
    expect(verdict(page)).to_contain_text("Hounds to move", timeout=20000)
    text = page.get_by_label("The text")
    text.fill("game corners\nboard grid 3 3\nmen both man 1\nstart first man a1\nstart second man c3\nmove man step all\nwin own a3\n")
    page.get_by_label("Begin with").select_option("Achi")
    expect(verdict(page)).to_contain_text("win 9")
    page.get_by_label("Begin with").select_option("Your own text")
    expect(text).to_have_value(re.compile("game corners"))
    expect(verdict(page)).to_contain_text("win 3")


def test_share_copies_the_game_as_it_is_written(opened, browser):
    """It copied the address of the game before the edit."""
    page = opened("game/text?example=achi")
    expect(verdict(page)).to_contain_text("win 9")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_label("The text").fill("game corners\nboard grid 3 3\nmen both man 1\nstart first man a1\nstart second man c3\nmove man step all\nwin own a3\n")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(copied)
    expect(verdict(page)).to_contain_text("win 3")
    expect(page.get_by_label("The text")).to_have_value(re.compile("^game corners"))


def test_an_error_of_a_text_leads_to_its_line(opened):
    page = opened("game/text")
    expect(page.locator(".verdict .chip")).to_have_count(1)
    page.get_by_label("The text").fill("game corners\nboard grid 3 3\nmen both man 1\nmove man step aslant\n")
    page.get_by_role("button", name="Solve").click()
    expect(page.get_by_role("alert")).to_have_text(re.compile("^Line 4, column 15: "))
    page.get_by_role("button", name="Show line 4").click()
    chosen = page.get_by_label("The text").evaluate("(one) => one.value.slice(one.selectionStart, one.selectionEnd)")
    assert chosen == "move man step aslant"


def test_the_words_of_a_text_are_all_there(opened):
    page = opened("game/text")
    page.get_by_text("Words of a text").click()
    for word in ("stuck loses", "held wins", "both loses", "orthogonal", "knight", "column-a", "any"):
        expect(page.get_by_role("row", name=re.compile(f"^{word} ")).first).to_be_visible()


def test_an_unknown_address_says_so(opened):
    """It showed the first view in silence."""
    page = opened("nowhere/at/all")
    expect(page.get_by_role("alert")).to_contain_text("#/nowhere/at/all")
    page.goto(page.url.split("#")[0] + "#/game/go")
    expect(page.get_by_role("alert")).to_contain_text("There is no game “go”.")
    page.get_by_role("link", name="All games").click()
    expect(page.locator(".hero")).to_be_visible()


def test_why_lists_the_best_answer_to_each_move(opened):
    page = opened("game/hare-and-hounds")
    moves = page.locator(".move")
    expect(moves).to_have_count(7)
    page.get_by_role("tab", name="Why").click()
    reasons = page.get_by_role("list", name="The best answer to each move").get_by_role("listitem")
    expect(reasons).to_have_count(7)
    first, answer = re.match(r"([a-k]-[a-k]), then ([a-k]-[a-k]): ▲ win 23", reasons.first.inner_text()).groups()
    moves.first.click()
    expect(line(page).last).to_contain_text(first)
    expect(page.locator(".move b").first).to_have_text(answer)


def test_long_names_of_moves_are_not_cut(opened):
    page = opened("game/take?heaps=10,11,12,13&take=1")
    expect(page.locator(".move").first).to_be_visible()
    assert page.locator(".move, .move b").evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 1).length") == 0
    assert page.locator(".moves").first.evaluate("(one) => getComputedStyle(one).gridTemplateColumns.split(' ').length") == 1
