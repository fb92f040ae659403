"""Ten tasks as a user does them who sees only the page: by the names of what can be clicked, from the first page on."""

import re

import pytest
from playwright.sync_api import expect


@pytest.fixture(params=[(1280, 900), (360, 780)], ids=["desktop", "phone"])
def page(browser, server, request):
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    page = context.new_page()
    page.set_default_timeout(5000)
    page.goto(server)
    yield page
    context.close()


def game(page, name):
    links = page.get_by_role("navigation").get_by_role("link", name=name, exact=True)
    links.or_(page.locator(".entry", has=page.get_by_text(name, exact=True))).click()


def verdict(page):
    return page.locator(".verdict")


def button(page, name):
    return page.get_by_role("button", name=name, exact=True)


def test_find_the_longest_win_of_a_queen_against_a_rook_and_play_it_out(page):
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("searchbox", name="Find a table").fill("KQvKR")
    page.get_by_role("link", name="KQvKR").click()
    page.get_by_role("tab", name="Longest").click()
    page.get_by_role("tabpanel", name="Longest").get_by_role("link").first.click()
    expect(verdict(page)).to_contain_text("White wins in 69 plies.")
    button(page, "Best line").click()
    expect(page.get_by_role("list", name="Line", exact=True).get_by_role("button")).to_have_count(70)
    button(page, "To the end").click()
    expect(verdict(page)).to_contain_text("White has won.")


def test_share_a_position(page, browser):
    game(page, "Achi")
    page.get_by_role("button", name=re.compile(r"^M\*e, win in 9")).click()
    expect(verdict(page)).to_contain_text("Second to move")
    button(page, "Share").click()
    expect(page.get_by_role("button", name=re.compile("Cop"))).to_be_visible()
    other = browser.new_page()
    other.goto(page.url)
    expect(verdict(other)).to_contain_text("Second to move")
    expect(verdict(other)).to_contain_text("loss 8")
    other.close()


def test_make_a_winning_move_of_the_hounds_on_the_board(page):
    game(page, "Hare and hounds")
    expect(verdict(page)).to_contain_text("Hounds to move")
    best = page.get_by_role("list", name="Winning moves, best first").get_by_role("button").first.text_content()
    start, end = re.match(r"([a-k])-([a-k])", best).groups()
    board = page.get_by_role("group", name=re.compile("^Board\\."))
    board.get_by_role("button", name=re.compile(f"^{start},")).click()
    board.get_by_role("button", name=re.compile(f"^{end},")).click()
    expect(verdict(page)).to_contain_text("Hare to move")
    expect(verdict(page)).to_contain_text("loss 22")


def test_who_wins_with_heaps_of_4_5_and_6(page):
    game(page, "Take")
    page.get_by_label(re.compile("^heaps")).fill("4,5,6")
    button(page, "Solve").click()
    expect(verdict(page)).to_contain_text("4,5,6")
    expect(verdict(page)).to_contain_text("win")
    page.get_by_role("list", name="Winning moves, best first").get_by_role("button").first.click()
    expect(verdict(page)).to_contain_text("loss")


def test_look_at_a_position_at_random_and_come_back(page):
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("main").get_by_role("link", name="achi").click()
    expect(verdict(page)).to_contain_text("win 9")
    # Now and then the position at random is the start.
    for _ in range(3):
        button(page, "Random position").click()
        page.wait_for_timeout(200)
    assert "achi/" in page.url
    button(page, "New game").click()
    expect(verdict(page)).to_contain_text("win 9")


def test_set_up_a_chess_position_by_clicks(page):
    game(page, "Chess")
    button(page, "Set up").click()
    button(page, "Clear").click()
    page.get_by_role("button", name="white queen", exact=True).click()
    page.get_by_role("button", name="d7, empty").click()
    expect(page.get_by_role("textbox", name="State", exact=True)).to_have_value(re.compile("^4k3/3Q4/8/8/8/8/8/4K3 w"))
    page.get_by_label("To move").select_option("Black")
    button(page, "Set up").click()
    expect(verdict(page)).to_contain_text("draw")


def test_promote_a_pawn_to_a_rook(page):
    game(page, "Chess")
    page.get_by_role("textbox", name="State", exact=True).fill("8/P7/8/8/8/2k5/8/K7 w - - 0 1")
    button(page, "Show").click()
    expect(verdict(page)).to_contain_text("White wins in")
    page.get_by_role("button", name="a7, P pawn").click()
    page.get_by_role("button", name=re.compile("^a8, empty")).click()
    page.get_by_role("group", name="Moves chosen").get_by_role("button", name=re.compile("=R")).click()
    expect(page.get_by_role("button", name=re.compile("^a8, R rook"))).to_be_visible()


def test_draw_a_wall_that_changes_who_wins(page):
    game(page, "Pursuit")
    expect(verdict(page)).to_contain_text("win 13")
    button(page, "Wall").click()
    for cell in ("2,0", "2,1", "3,1", "4,0", "4,1"):
        page.locator(f".game [data-name='{cell}']").click()
    expect(verdict(page)).to_contain_text("loss")
    page.reload()
    expect(verdict(page)).to_contain_text("loss")


def test_walk_a_graph_to_its_end_by_keys(page):
    game(page, "Graph")
    page.get_by_role("textbox", name="The graph").fill("a b\nb c\n")
    button(page, "Solve").click()
    node = page.get_by_role("button", name=re.compile("^b, empty"))
    node.focus()
    page.keyboard.press("Enter")
    expect(verdict(page)).to_contain_text("win 1")
    page.go_back()
    expect(verdict(page)).to_contain_text("loss 2")


def test_how_many_draws_black_has(page):
    page.get_by_role("link", name="Tables").click()
    page.get_by_role("link", name="KQvKR").click()
    row = page.get_by_role("region", name="Counts").get_by_role("row", name=re.compile("^black"))
    expect(row.get_by_role("cell").nth(1)).to_have_text("80,430")
