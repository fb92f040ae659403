"""What people who saw only the page stumbled over: each test tells the bug that it keeps away."""

import re

import pytest
from playwright.sync_api import expect

DESKTOP, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 780}
SIZES = pytest.mark.parametrize("size", [DESKTOP, PHONE], ids=["desktop", "phone"])
VIEWS = ["chess", "table/achi", "game/quixo", "game/corner", "game/take", "game/pursuit", "game/graph", "game/dodgem"]


@pytest.fixture
def opened(browser, server):
    """Opens a view in a window of a size."""
    contexts = []

    def open_view(view, size=None, at=server):
        context = browser.new_context(viewport=size or DESKTOP)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(5000)
        page.goto(f"{at}/#/{view}")
        # The page of a table shows its counts before its position.
        shown = "table" if view in ("tables", "table/KQvKR") else ".verdict .chip"
        expect(page.locator(shown).locator("visible=true").first).to_be_visible()
        return page

    yield open_view
    for context in contexts:
        context.close()


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def letters(page):
    """What stands on the places of a board, one letter each."""
    places = page.locator(".game [data-place]")
    return "".join(label.split(", ")[1][0].replace("e", ".") for label in places.evaluate_all("all => all.map((one) => one.getAttribute('aria-label'))"))


def test_a_player_of_quixo_keeps_the_colour_along_a_line(opened):
    """The server writes `x` for who is to move, so the cubes of a player used to change their colour at each step."""
    page = opened("game/quixo")
    button(page, "Best line").click()
    names = page.locator(".line button")
    expect(names).to_have_count(8)
    assert [name for name in names.all_text_contents() if not re.fullmatch(r"start|\d+\. [abc][123]-[abc][123]", name)] == []
    boards = [letters(page)]
    for place in range(7):
        button(page, "One ply on").click()
        expect(names.nth(place + 1)).to_have_attribute("aria-current", "step")
        expect(page.locator(".verdict")).to_contain_text("o to move" if place % 2 == 0 else "x to move")
        boards.append(letters(page))
    # Each ply puts one cube of the player in; none of the other's turns.
    for place, (before, after) in enumerate(zip(boards, boards[1:])):
        own, other = ("x", "o") if place % 2 == 0 else ("o", "x")
        assert after.count(own) - before.count(own) in (0, 1) and after.count(other) == before.count(other), boards
    assert boards[-1].count("x") == 3
    expect(page.locator(".said")).to_have_text("x has won.")
    for _ in range(7):
        button(page, "One ply back").click()
    expect(page.locator(".verdict")).to_contain_text("x to move")
    assert letters(page) == boards[0]


@pytest.mark.parametrize("game", ["game/quixo", "game/l-game"])
def test_every_move_has_a_name_of_squares(opened, game):
    """A slide that changed no letter had an empty name."""
    page = opened(game)
    for plies in range(1, 5):
        names = page.locator(".move b").all_text_contents()
        assert names and all(re.fullmatch(r"[a-d][1-4]-[a-d][1-4]|([a-d][1-4]){4}( [a-d][1-4]-[a-d][1-4])?", name) for name in names), names
        page.locator(".move").last.click()
        expect(page.locator(".line button")).to_have_count(plies + 1)
        expect(page.locator(".verdict")).to_contain_text("o to move" if plies % 2 else "x to move")


def test_a_slide_of_quixo_is_made_on_the_board(opened):
    page = opened("game/quixo")
    page.locator(".game [data-name=b3]").click()
    expect(page.locator(".game .chosen")).to_have_attribute("data-name", "b3")
    page.locator(".game [data-name=a3]").click()
    expect(page.locator(".verdict")).to_contain_text("o to move")
    assert letters(page) == "x........"


@SIZES
@pytest.mark.parametrize("view", VIEWS)
def test_the_buttons_of_a_line_stand_below_the_board_and_never_move(opened, view, size):
    """They stood beside the board below the moves: below the fold, and elsewhere after each step."""
    page = opened(view, size)
    place = lambda: button(page, "One ply on").bounding_box()
    begun = place()
    board = page.locator(".game:not(.in-hand)").first.bounding_box()
    gap = begun["y"] - board["y"] - board["height"]
    assert 0 <= gap < 90, f"the buttons stand {gap} pixels below the board"
    assert begun["y"] + begun["height"] <= size["height"], "the buttons are below the fold"
    button(page, "Best line").click()
    expect(button(page, "To the end")).to_be_enabled()
    for _ in range(4):
        if button(page, "One ply on").is_disabled():
            break
        at = page.url
        button(page, "One ply on").click()
        expect(page).not_to_have_url(at)
        expect(page.locator(".verdict .chip")).to_have_count(1)
        assert place() == begun


def test_bars_have_numbers(opened):
    page = opened("game/quixo")
    drawing = page.locator(".histogram")
    assert drawing.locator("text.number").count() == drawing.locator(".bar").count() > 4
    page.get_by_text("The numbers of all bars").click()
    rows = page.get_by_role("region", name="Numbers of all bars").locator("tbody tr")
    sums = [sum(int(cell.replace(",", "")) for cell in rows.nth(row).locator("td").all_text_contents()) for row in range(rows.count())]
    counts = page.get_by_role("region", name="Counts").locator("tbody td").all_text_contents()
    wins, _, losses = (int(count.replace(",", "")) for count in counts)
    assert sum(sums) == wins + losses
    # Where bars are too many for numbers, the axis has them.
    page = opened("table/KQvKR")
    expect(page.locator(".histogram text").filter(has_text=re.compile("^100k$"))).to_have_count(1)


def test_one_piece_of_the_tray_is_put_down_once_and_a_side_has_one_king(opened):
    page = opened("chess")
    button(page, "Set up").click()
    button(page, "Clear").click()
    queen, king = button(page, "white queen"), button(page, "white king")
    queen.click()
    expect(queen).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="d7, empty").click()
    expect(queen).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="d6, empty").click()
    expect(page.locator("[aria-label='d6, empty']")).to_have_count(1)
    king.click()
    page.get_by_role("button", name="b2, empty").click()
    expect(page.locator(".game [aria-label*='K king']")).to_have_attribute("data-name", "b2")
    expect(page.get_by_role("textbox", name="State", exact=True)).to_have_value("4k3/3Q4/8/8/8/8/1K6/8 w - - 0 1")


SENTENCES = {
    "chess/8/8/8/8/8/2k5/1R6/K7_w_-_-_0_1": "White wins in 31 plies.",
    "chess/8/8/8/8/8/2k5/1R6/K7_b_-_-_0_1": "White wins in 32 plies.",
    "table/board": "Police win in 13 plies.",
    "game/hare-and-hounds": "Hounds win in 23 plies.",
    "game/achi": "First wins in 9 plies.",
    "game/take": "The player to move wins in 15 plies.",
    "game/take/2,5,7?heaps=3,5,7&take=any": "The player to move loses in 14 plies.",
    "game/corner/7,7": "The player to move has lost.",
    "game/pursuit": "Police win in 13 plies.",
    "game/graph": "A draw, if both sides play well.",
}


@pytest.mark.parametrize("view", SENTENCES)
def test_the_verdict_is_a_sentence(opened, view):
    page = opened(view)
    expect(page.locator(".said")).to_have_text(SENTENCES[view])


def test_men_in_hand_of_morris_are_drawn_and_its_tables_have_words(opened, morris):
    page = opened("tables", at=morris)
    row = page.get_by_role("row", name=re.compile("^p1-0-1"))
    expect(row).to_contain_text("one man placed")
    expect(page.get_by_role("row", name=re.compile("^3-3"))).to_contain_text("all men placed: 3 against 3")
    page.get_by_role("searchbox").fill("empty board")
    page.get_by_role("link", name="p0-0-0", exact=True).click()
    hand = lambda letter: page.get_by_role("img", name=re.compile(f"^{letter}: "))
    expect(hand("O").locator("circle")).to_have_count(3)
    expect(page.locator("main .lead").first).to_contain_text("the empty board: 1 state in")
    page.locator(".game [data-name=b2]").click()
    expect(hand("O").locator("circle")).to_have_count(2)
    expect(hand("X")).to_have_attribute("aria-label", "X: 3 men in hand")


def test_boards_of_cells_have_the_numbers_that_moves_are_named_by(opened):
    page = opened("table/corner")
    assert page.locator(".game .name").all_text_contents().count("7") == 2
    page = opened("game/dodgem")
    assert set("".join(page.locator(".move b").all_text_contents())) - set("-of") <= set("".join(page.locator(".game .name").all_text_contents()))


@pytest.mark.parametrize("view, words", [
    ("table/achi", "win line 3 all"), ("table/board", "The police win if one of them stands on the cell of the thief"), ("chess", "without castling"),
    ("table/KQvKR", "stalemate is a draw"), ("game/dodgem", "stuck wins"), ("game/quixo", "takes a cube from the rim"), ("game/graph", "one token along the edges"),
    ("game/pursuit", "thief wins on an exit"),
])
def test_the_rules_stand_on_the_page(opened, view, words):
    page = opened(view)
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_role("tabpanel", name="Rules")).to_contain_text(words)


@pytest.mark.parametrize("view", VIEWS)
def test_the_best_line_is_a_few_keys_away(opened, view):
    """It took 32 Tabs."""
    page = opened(view)
    page.evaluate("document.activeElement.blur()")
    press = page.keyboard.press
    focused = lambda: page.evaluate("document.activeElement.textContent")
    for keys in range(1, 5):
        press("Tab")
        if focused() == "Skip to the line":
            break
    expect(page.locator(".skip:focus")).to_be_in_viewport()
    press("Enter")
    assert keys <= 3 and focused() == "Best line"
    press("Shift+Tab")
    assert page.evaluate("document.activeElement.matches('[data-place]')")
    # A board, a line and all moves are one stop each.
    stops = page.evaluate("""() => [...document.querySelectorAll("main button, main a, main [tabindex], main summary, main input, main select, main textarea")]
        .filter((one) => one.tabIndex >= 0 && !one.disabled && one.checkVisibility() && !one.closest(".longest, .scroll")).length""")
    assert stops < 30, stops


def test_arrows_walk_over_the_moves(opened):
    page = opened("game/achi")
    page.locator(".move[tabindex='0']").focus()
    names = page.locator(".move b").all_text_contents()
    for name in names[1:]:
        page.keyboard.press("ArrowDown")
        assert page.evaluate("document.activeElement.querySelector('b').textContent") == name
    page.keyboard.press("Enter")
    expect(page.locator(".verdict")).to_contain_text("Second to move")


def test_a_graph_has_its_best_line_too(opened):
    page = opened("game/graph/a?board=a+b%0Ab+c%0A")
    expect(page.locator(".said")).to_have_text("The player to move loses in 2 plies.")
    button(page, "Best line").click()
    expect(page.locator(".line button")).to_have_text(["start", "1. b", "2. c"])
    button(page, "To the end").click()
    expect(page.locator(".said")).to_have_text("The player to move has lost.")
