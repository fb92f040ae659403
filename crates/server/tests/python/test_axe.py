"""What axe finds wrong for users of screen readers, keyboards and voices: nothing, in any view of either page."""

import pathlib

import axe_playwright_python
import pytest
from playwright.sync_api import expect

SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 390, "height": 844}}
#: axe-core itself, which this package brings along.
AXE = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()

GAMES = ["graph", "pursuit", "take", "corner", "quixo?size=3", "achi", "hare-and-hounds", "text"]
SERVED = ["home", "tables", "table/achi", "table/KQvKR", "chess", *(f"game/{game}" for game in GAMES)]
ALONE = ["home", "tables", "nowhere", *(f"game/{game}" for game in GAMES)]


#: Each size and each scheme once: colours do not depend on sizes.
LOOKS = pytest.mark.parametrize("size, scheme", [("desktop", "dark"), ("phone", "light")])


def findings(browser, home, views, size, scheme):
    """What axe finds, by view; with rules that are not in force by default, such as for names that differ from what is seen."""
    context = browser.new_context(viewport=SIZES[size], color_scheme=scheme, bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(20000)
    found = []
    for view in views:
        page.goto("about:blank")
        page.goto(f"{home}#/{view}")
        expect(page.locator("h2")).to_have_count(1)
        if view.startswith(("game", "chess", "table/achi")):
            expect(page.locator(".verdict:not([aria-busy]) .chip")).to_have_count(1)
        page.wait_for_timeout(300)
        page.evaluate(AXE)
        result = page.evaluate("""axe.run(document, { rules: { "label-content-name-mismatch": { enabled: true }, "target-size": { enabled: true } } })""")
        for violation in result["violations"]:
            nodes = [node["html"][:150] for node in violation["nodes"][:4]]
            found.append((view, violation["id"], violation["impact"], len(violation["nodes"]), nodes))
    context.close()
    for one in found:
        print(*one)
    return [one[:2] for one in found]


@LOOKS
def test_axe_finds_nothing_on_the_page_of_the_server(browser, server, size, scheme):
    assert findings(browser, f"{server}/", SERVED, size, scheme) == []


@LOOKS
def test_axe_finds_nothing_on_the_page_alone(browser, site, size, scheme):  # noqa: F811
    assert findings(browser, site, ALONE, size, scheme) == []
