"""Games whose texts, names and signs are noise, in the browser. They play like any other, because the page uses points and moves
alone. The page used to find out what a move does by comparing two drawings."""

import hashlib
import json

import pytest
from playwright.sync_api import expect

GAMES = ["take", "corner", "chase", "quixo", "l-game", "achi", "dodgem", "hare-and-hounds", "mu-torere", "pong-hau-ki", "tsoro-yematatu"]


class Noise:
    """Stands between the page and the server. Every text of a game becomes noise, and every text of the page is translated back."""

    def __init__(self):
        self.texts = {}
        self.view = None

    def hide(self, text, signs="|-/\\.#*x o:~"):
        digest = hashlib.sha256(text.encode()).digest()
        noise = "".join(signs[byte % len(signs)] for byte in digest[:9]).strip() + digest.hex()[:6]
        assert self.texts.setdefault(noise, text) == text
        return noise

    def hide_board(self, board):
        for point in board["points"]:
            point["name"] = self.hide(point["name"])
        for man in board["men"] + board["hands"]:
            # One sign looks like a line, another like a free point.
            man["sign"] = ".-|:"[sum(man["sign"].encode()) % 4]
            man["kind"] = self.hide(man["kind"])
        if board["edge"]:
            board["edge"] = [[self.hide(name) for name in names] for names in board["edge"]]

    def hide_answer(self, answer):
        answer["state"] = self.hide(answer["state"])
        answer["passed"] = answer["passed"] and self.hide(answer["passed"])
        self.hide_board(answer["board"])
        for move in answer["moves"]:
            move["to"], move["move"] = self.hide(move["to"]), self.hide(move["move"])
        self.view = answer

    def __call__(self, route):
        asked = route.request.post_data_json
        if asked.get("state"):
            asked["state"] = self.texts[asked["state"]]
        answered = route.fetch(post_data=json.dumps(asked))
        said = answered.json()
        assert answered.ok, said
        said["remark"] = None
        for one in said["longest_states"]:
            one["state"] = self.hide(one["state"])
        for stop in (said.get("line") or {}).get("states", []):
            stop["state"] = self.hide(stop["state"])
            stop["move"] = stop.get("move") and self.hide(stop["move"])
        if said.get("answer"):
            self.hide_answer(said["answer"])
        route.fulfill(response=answered, json=said)


def shared(moves):
    """How many points all moves have in common. The page chooses these by itself."""
    first = moves[0]["points"]
    count = 0
    while count + 1 < len(first) and all(move["points"][: count + 1] == first[: count + 1] and len(move["points"]) > count + 1 for move in moves):
        count += 1
    return count


@pytest.mark.parametrize("game", GAMES)
def test_a_game_of_noise_is_played_to_its_end(browser, server, game):
    """Clicks on points make the best moves. The page says what the server says of each position, and shows each man."""
    # A click goes to the middle of a point with its men, and a man that still walks would move that.
    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(10000)
    complaints = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    noise = Noise()
    page.route("**/solve/*", noise)
    page.goto(f"{server}/#/game/{game}")
    if game == "chase":
        page.get_by_role("button", name="Solve").click()
    state = page.get_by_role("textbox", name="State", exact=True)
    expect(page.locator(".verdict .chip")).to_have_count(1)
    seen = set()
    for _ in range(30):
        view = noise.view
        expect(state).to_have_value(view["state"])
        chip = view["value"] if view["distance"] is None else f"{view['value']} {view['distance']}"
        expect(page.locator(".verdict .chip")).to_contain_text(chip)
        expect(page.locator(".place .man")).to_have_count(len(view["board"]["men"]))
        shown = page.locator(".game [data-place]").evaluate_all("all => all.map((one) => one.querySelectorAll('.man').length)")
        assert shown == [sum(man["point"] == number for man in view["board"]["men"]) for number in range(len(shown))]
        # In a drawn game, the best moves lead round in a circle.
        if not view["moves"] or view["state"] in seen:
            break
        seen.add(view["state"])
        move = view["moves"][0]
        if not move["points"]:
            page.locator(".moves button").first.click()
        pointed = [each for each in view["moves"] if each["points"]]
        for point in move["points"][shared(pointed) if pointed else 0 :]:
            # The squares of a long move can be chosen in any order, and each once.
            again = len(move["points"]) > 3 and page.locator(f".game [data-place='{point}'].chosen").count()
            if noise.view is view and not again:
                page.locator(f".game [data-place='{point}']").click(force=True)
        named = page.get_by_role("group", name="Moves chosen").get_by_role("button", name=move["move"], exact=True)
        if noise.view is view and named.count():
            named.click()
        expect(state).to_have_value(move["to"])
    assert complaints == []
    page.close()
