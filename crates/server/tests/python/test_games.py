"""Every game of the registry, with a server and without one, on a desktop and a phone: whatever a view of a game has, all have."""

import json
import os
import pathlib
import re

import pytest
from playwright.sync_api import expect

CARDS = pathlib.Path(__file__).parents[2] / "src/page/cards.js"
THUMBS = CARDS.with_name("cards.svg")
THUMB_SIDE = 160
#: A board as the page draws it, without what only screen readers and clicks need.
DRAWN = """async (board) => {
    const { Board } = await import(new URL("page/board.js", location.href.split("#")[0]).href);
    const drawn = new Board({});
    drawn.show({ board, moves: [] });
    const picture = drawn.element.firstElementChild;
    picture.querySelectorAll(".mark, .name, .arrow").forEach((one) => one.remove());
    for (const one of [picture, ...picture.querySelectorAll("*")])
        for (const { name } of [...one.attributes]) if (/^(aria|data)-|^(role|tabindex|style)$/.test(name)) one.removeAttribute(name);
    return [picture.getAttribute("viewBox"), picture.innerHTML];
}"""
SIZES = {"desktop": (1280, 900), "phone": (390, 844)}


def card_of(said):
    """What the card of a game says: who wins, and how many positions it has."""
    counts = said["sides"].values()
    positions = sum(side[value] for side in counts for value in ("win", "draw", "loss"))
    return {key: said["answer"][key] for key in ("value", "distance", "side", "opponent")} | {"positions": positions}


def stored_cards():
    """The cards of the first view. They are data, so that it need not solve all games."""
    return json.loads(CARDS.read_text().split("export default ", 1)[1].rstrip().rstrip(";"))


def thumbs_of(boards):
    """One picture with a view for each game, in the colours of the page: light or dark as the page is."""
    style = re.sub(r"/\*.*?\*/", "", CARDS.with_name("style.css").read_text(), flags=re.S)
    rules = [rule.strip() for rule in re.findall(r"[^{}]+\{[^{}]*\}", style)]
    # What stands on a card: no values, no names, nothing to press.
    rules = [rule for rule in rules if re.match(r":root \{|\.game \.(cell|wall|exit|spot|way|frame|man|letter|ground)|\.game text|(svg)?\.piece", rule)]
    parts = []
    for at, (name, (box, inside)) in enumerate(boards.items()):
        parts.append(f'<view id="{name}" viewBox="0 {at * THUMB_SIDE} {THUMB_SIDE} {THUMB_SIDE}"/>')
        parts.append(f'<svg class="game" y="{at * THUMB_SIDE}" width="{THUMB_SIDE}" height="{THUMB_SIDE}" viewBox="{box}">{inside}</svg>')
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {THUMB_SIDE} {THUMB_SIDE * len(boards)}">'
    return "\n".join([head, "<style>", *rules, "</style>", *parts, "</svg>", ""])


def settled(page):
    expect(page.locator(".verdict:not([aria-busy]) .turn")).to_have_count(1, timeout=60000)


def parts_of(page, name, hash_of):
    """Goes through the parts of a game's view, and yields the name of each before it is tried."""
    yield "board"
    settled(page)
    expect(page.locator(".game [data-place]").first).to_be_visible()
    # Several police move at once, so their moves are chosen in the list.
    assert page.locator(".game [data-place].may").count() > 0 or name == "chase"
    yield "values"
    expect(page.locator(".verdict .chip")).to_have_count(1)
    moves = page.locator(".move")
    count = moves.count()
    assert count > 0
    expect(page.locator(".moves .chip:not(.invalid)")).to_have_count(count)
    yield "the best answers"
    page.get_by_role("tab", name="Why").click()
    expect(page.get_by_role("list", name="The best answer to each move").locator("li b:first-child")).to_have_count(count, timeout=60000)
    page.get_by_role("tab", name="Rules").click()
    expect(page.get_by_role("tabpanel", name="Rules")).not_to_be_empty()
    page.get_by_role("tab", name="Line").click()
    yield "hidden values"
    page.get_by_label("Show values").uncheck()
    expect(page.locator(".verdict .chip, .moves .chip, .game .worth:visible, .game .shade")).to_have_count(0)
    expect(moves).to_have_count(count)
    yield "hint"
    page.get_by_role("button", name="Hint").click()
    expect(page.locator(".note")).to_contain_text("The best move is ")
    assert page.locator(".game .arrow").get_attribute("d") or name == "chase"
    best = re.search("The best move is (.*)\\.$", page.locator(".note").inner_text())[1]
    page.get_by_label("Show values").check()
    assert page.locator(".move b").first.inner_text() == best
    yield "a move, and its address"
    before, verdict = hash_of(), page.locator(".verdict").inner_text()
    moves.first.click()
    expect(page.locator(".line button")).to_have_count(2)
    settled(page)
    after, answer = hash_of(), page.locator(".verdict").inner_text()
    assert after != before
    yield "undo"
    page.get_by_role("button", name="Take back").click()
    expect(page.locator(".verdict")).to_have_text(verdict, use_inner_text=True)
    expect(page.locator(".line button")).to_have_count(0)
    yield "opponent"
    sides = page.get_by_label("You play")
    to_move = page.locator(".turn").inner_text().partition(" to move")[0].lower()
    names = [side.lower() for side in sides.locator("option").all_inner_texts()]
    sides.select_option(index=names.index(to_move) if to_move in names else 1)
    moves.first.click()
    # The walk to the corner may be over with one move.
    expect(page.locator(".line li:nth-child(3)").or_(page.get_by_text("No move is left.")).first).to_be_visible()
    yield "new game"
    page.get_by_role("button", name="New game").click()
    expect(page.locator(".verdict")).to_have_text(verdict, use_inner_text=True)
    yield "the width"
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    return after, answer


def open_game(page, name):
    page.evaluate("(hash) => { location.hash = hash; }", f"#/game/{name}")
    settled(page)


def all_parts(page, home, name):
    """Goes through a game's view at each size. In between, the page is loaded again at another address. Yields complaints."""
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        step = "opening"
        try:
            open_game(page, name)
            parts = parts_of(page, name, lambda: "#" + page.url.split("#")[1])
            while True:
                step = next(parts)
        except StopIteration as end:
            address, answer = end.value
        except AssertionError as error:
            yield f"{name}, {size}, {step}: {str(error)[:600]}"
            return
        if size == "desktop":
            # As in another tab, which does not know whom the user plays.
            page.evaluate("sessionStorage.clear()")
            page.goto("about:blank")
            page.goto(f"{home}/{address}")
            try:
                settled(page)
                expect(page.locator(".verdict")).to_have_text(answer, use_inner_text=True)
            except AssertionError as error:
                yield f"{name}, the address again: {str(error)[:600]}"


@pytest.mark.parametrize("transport", ["server", "site"])
def test_every_game_has_all_that_a_view_has(browser, request, transport):
    home = request.getfixturevalue(transport).rstrip("/")
    page = browser.new_page()
    page.set_default_timeout(8000)
    complaints, cards, boards, answers = [], {}, {}, []
    page.on("response", lambda answer: "/solve/" in answer.url and answers.append(answer))
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda said: said.type == "error" and complaints.append(said.text))
    page.on("request", lambda asked: asked.url.startswith((home, "blob:")) or complaints.append(asked.url))
    page.goto(f"{home}/#/home")
    expect(page.locator(".entry").first).to_be_visible()
    names = [href.rsplit("/", 1)[1] for href in page.locator(".entry a:first-child").evaluate_all("all => all.map((one) => one.hash)")]
    assert len(names) > 10
    for name in names:
        answers.clear()
        open_game(page, name)
        if transport == "server":
            # A game without a start is asked about twice. An answer about the game before may come late.
            own = [answer for answer in answers if answer.url.endswith(f"/solve/{name}")]
            said = next(said for said in (answer.json() for answer in own) if "board" in (said["answer"] or {}))
            points = said["answer"]["board"]["points"]
            assert all(point[axis] == round(point[axis], 4) for point in points for axis in "xy"), points
            cards[name], boards[name] = card_of(said), page.evaluate(DRAWN, said["answer"]["board"])
        complaints += all_parts(page, home, name)
    page.close()
    assert complaints == [], "\n".join(complaints)
    if cards and os.environ.get("RETROGRADE_LOOK") == "write":
        said = json.dumps(cards, separators=(",", ":"), ensure_ascii=False)
        CARDS.write_text(f"// The start of each game, as the engine says it. A test writes this file: RETROGRADE_LOOK=write scripts/server -k test_games\nexport default {said};\n")
        THUMBS.write_text(thumbs_of(boards))
    if cards:
        assert (stored_cards(), THUMBS.read_text()) == (cards, thumbs_of(boards)), "the cards of the first view are out of date: RETROGRADE_LOOK=write scripts/server -k test_games"
