"""Every view, with a server and without one: it fits each width, its texts stand out and stay in their boxes, each thing has a name
and a whole frame when it has the focus, and axe finds nothing. Pictures go to $RETROGRADE_PICTURES, if it is set.

A view is opened once. A window of another size or scheme then shows the same view: nothing is loaded or solved again."""

import os
import pathlib

import axe_playwright_python
import pytest
from conftest import settle

GAMES = [
    "graph", "pursuit", "chase", "take", "corner", "quixo", "quixo?size=3", "l-game",
    "mu-torere", "dodgem", "hare-and-hounds", "achi", "tsoro-yematatu", "text",
]
CHESS = "chess/8/8/8/8/2r5/8/2k5/K6Q_w_-_-_0_1"
VIEWS = {
    "server": ["home", "tables", "chess", CHESS, "table/achi", "table/KQvKR", *(f"game/{game}" for game in GAMES)],
    "site": ["home", "tables", "nowhere", *(f"game/{game}" for game in GAMES)],
}
SIZES = {"desktop": {"width": 1280, "height": 900}, "phone": {"width": 360, "height": 780}}
SCHEMES = ["dark", "light"]
#: Each size and each scheme once: colours do not depend on sizes.
AXE_LOOKS = [("desktop", "dark"), ("phone", "light")]

#: axe-core itself, which this package brings along.
AXE = pathlib.Path(axe_playwright_python.__file__).with_name("axe.min.js").read_text()
#: With rules that are not in force by default, such as for names that differ from what is seen.
FINDINGS = """axe.run(document, { resultTypes: ["violations"], rules: { "label-content-name-mismatch": { enabled: true }, "target-size": { enabled: true } } })
    .then(({ violations }) => violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 150)).slice(0, 4).join(" ")}`))"""

UNNAMED = """[...document.querySelectorAll('button, input, select, textarea, [role=button]')].filter((one) =>
    one.checkVisibility() && !one.getAttribute('aria-label') && !one.innerText?.trim() && !one.labels?.length).map((one) => one.outerHTML.slice(0, 90))"""

#: The contrast of each text with what is behind it, where that is less than the 4.5 of WCAG AA, or 3 for large text.
FAINT = pathlib.Path(__file__).with_name("contrast.js").read_text()

#: Badges like `win 69` stuck out of their buttons on a phone.
OUTSIDE = """[...document.querySelectorAll("main button, main .chip, main td, main th, main summary, main label")].filter((one) => {
    const box = one.getBoundingClientRect();
    const inside = [...one.children].filter((child) => !child.matches(".word, .label, .rank, .file, .worth") && child.getClientRects().length);
    const out = inside.some((child) => { const at = child.getBoundingClientRect(); return at.right > box.right + 1 || at.left < box.left - 1; });
    return box.width > 0 && (out || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline");
}).map((one) => one.textContent)"""

#: Lists that scroll cut off the frame of the focus at their edges.
CUT = """[...document.querySelectorAll("a, button, input, select, textarea, summary, [tabindex='0']")].filter((one) => {
    if (one.closest("svg, .skip") || !one.checkVisibility() || one.disabled) return false;
    one.focus({ focusVisible: true });
    if (document.activeElement !== one) return false;
    const style = getComputedStyle(one);
    if (style.outlineStyle === "none") return true;
    const around = parseFloat(style.outlineWidth) + parseFloat(style.outlineOffset);
    const box = one.getBoundingClientRect();
    for (let at = one.parentElement; at && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflow === "visible") continue;
        const clip = at.getBoundingClientRect();
        const [left, top] = [clip.left + at.clientLeft, clip.top + at.clientTop];
        const out = [left - (box.left - around), box.right + around - left - at.clientWidth, top - (box.top - around), box.bottom + around - top - at.clientHeight];
        if (Math.max(...out) > 0.6) return true;
    }
    return false;
}).map((one) => one.outerHTML.slice(0, 90))"""

#: For each size and scheme: what must be an empty list.
LOOKS = {"out of the window": "document.documentElement.scrollWidth <= document.documentElement.clientWidth ? [] : ['the page']", "faint": FAINT}
#: For each size: colours change nothing there. The focus moves, so its frames come last.
BOXES = {"without a name": UNNAMED, "out of its box": OUTSIDE, "frame of the focus cut off": CUT}


def check_view(page, view):
    """Complaints of one view, in all sizes and schemes."""
    pictures = os.environ.get("RETROGRADE_PICTURES")
    for size, window in SIZES.items():
        page.set_viewport_size(window)
        for scheme in SCHEMES:
            page.emulate_media(color_scheme=scheme)
            checks = dict(LOOKS)
            if (size, scheme) in AXE_LOOKS:
                checks["axe"] = FINDINGS
            if scheme == SCHEMES[-1]:
                checks |= BOXES
            for name, check in checks.items():
                yield from (f"{view}, {size}, {scheme}: {name}: {one}" for one in page.evaluate(check))
            if pictures:
                file = f"{view.replace('/', '-')}-{window['width']}-{scheme}.png"
                page.screenshot(path=pathlib.Path(pictures) / file, full_page=True)
        page.evaluate("document.activeElement.blur()")


@pytest.mark.parametrize("home", VIEWS)
def test_every_view_is_fit_for_all(browser, request, home):
    context = browser.new_context(bypass_csp=True)
    page = context.new_page()
    page.set_default_timeout(60000)
    page.goto(request.getfixturevalue(home))
    settle(page)
    page.evaluate(AXE)
    complaints = []
    for view in VIEWS[home]:
        page.set_viewport_size(SIZES["desktop"])
        # The page stays, and with it the engine of the page alone.
        page.evaluate("(hash) => { location.hash = hash; }", f"#/{view}")
        settle(page)
        complaints += check_view(page, view)
    context.close()
    assert complaints == [], "\n".join(complaints)


def test_each_check_can_fail(browser, server):
    """A page with one fault of each kind: all of them are found."""
    context = browser.new_context(bypass_csp=True, viewport=SIZES["desktop"])
    page = context.new_page()
    page.goto(f"{server}/#/tables")
    settle(page)
    page.evaluate(AXE)
    page.evaluate("""document.querySelector("main").innerHTML = `<img src="page/icon.svg"><div>
        <div id="wide"></div><p id="faint">faint</p><button id="bare"></button><button id="long">longer than its box</button><div id="clip"><a href="#/">link</a></div></div>`""")
    for rule in ("#wide { width: 3000px; height: 1px; }", "#faint { color: #777; background: #888; }", "#long { width: 40px; white-space: nowrap; }", "#clip { overflow: hidden; width: 40px; }"):
        page.evaluate("(rule) => document.styleSheets[0].insertRule(rule, document.styleSheets[0].cssRules.length)", rule)
    for name, check in {**LOOKS, **BOXES, "axe": FINDINGS}.items():
        assert page.evaluate(check) != [], name
    context.close()
