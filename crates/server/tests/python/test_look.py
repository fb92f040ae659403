"""The page looks as it did: pictures of it are compared with those in ../look, at desktop and phone width, light and dark.

Machines have other fonts and other builds of Chromium, so three things are done about that. All text is set in a font that is made
here, of bars as wide as letters: whatever a machine has installed, lines break at the same words. Menus and boxes that the browser
draws its own way are drawn plain. And pictures are compared a quarter as large: an edge that is smoothed otherwise, or a pixel
away, then changes little, while a word or a board elsewhere changes much. RETROGRADE_LOOK=write stores the pictures anew."""

import base64
import io
import os
import pathlib

import pytest
from conftest import settle
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from PIL import Image, ImageChops
from playwright.sync_api import expect

LOOK = pathlib.Path(__file__).parents[1] / "look"
VIEWS = {
    "home": "home",
    "text": "game/text",
    "tables": "tables",
    "chess": "chess/8/8/8/8/2r5/8/2k5/K6Q_w_-_-_0_1",
    "table": "table/KQvKR",
    "achi": "table/achi/second+.../.M./...+MMmmm",
    "quixo": "game/quixo",
    "corner": "game/corner",
    "pursuit": "game/pursuit",
    "graph": "game/graph",
}
SIZES = {"desktop": (1280, 900), "phone": (360, 780)}
#: A picture is stored so many times smaller.
SHRINK = 4
#: A channel of a small pixel may be so far off: a hard edge that is a pixel away changes it by 64.
CHANNEL_MAX = 70
#: So many small pixels may be further off than that.
PIXELS_MAX = 25


def bars():
    """A font in which each letter is a bar, and a blank is a blank."""
    pen = TTGlyphPen(None)
    for step, corner in enumerate([(40, 0), (40, 520), (480, 520), (480, 0)]):
        (pen.lineTo if step else pen.moveTo)(corner)
    pen.closePath()
    bar, blank = pen.glyph(), TTGlyphPen(None).glyph()
    font = FontBuilder(1000, isTTF=True)
    font.setupGlyphOrder([".notdef", "blank", "bar"])
    blanks = {0x20, 0xA0}
    font.setupCharacterMap({letter: "blank" if letter in blanks else "bar" for letter in range(0x20, 0x3000)})
    font.setupGlyf({".notdef": bar, "blank": blank, "bar": bar})
    font.setupHorizontalMetrics({".notdef": (520, 40), "blank": (300, 0), "bar": (520, 40)})
    font.setupHorizontalHeader(ascent=900, descent=-250)
    font.setupNameTable({"familyName": "Bars", "styleName": "Regular"})
    font.setupOS2(sTypoAscender=900, sTypoDescender=-250, usWinAscent=900, usWinDescent=250)
    font.setupPost()
    out = io.BytesIO()
    font.save(out)
    return base64.b64encode(out.getvalue()).decode()


@pytest.fixture(scope="module")
def style():
    return f"""
        @font-face {{ font-family: Bars; src: url(data:font/ttf;base64,{bars()}); }}
        * {{ font-family: Bars !important; font-synthesis: none !important; caret-color: transparent !important; text-rendering: geometricPrecision !important; }}
        select, input, textarea, summary {{ appearance: none !important; list-style: none !important; resize: none !important; }}
        ::-webkit-scrollbar {{ display: none; }}
        /* A new game is listed there, and must not change all pictures. */
        #tabs li:not(:has([aria-current])) {{ display: none !important; }}
    """


def far_off(one, other):
    """How many pixels differ by more than a smoothed edge does."""
    channels = ImageChops.difference(one, other).split()
    most = ImageChops.lighter(ImageChops.lighter(channels[0], channels[1]), channels[2])
    return sum(most.histogram()[CHANNEL_MAX + 1:])


@pytest.mark.parametrize("name", VIEWS)
def test_the_page_looks_as_it_did(browser, server, style, name):
    # The font comes as an address of data, which the policy of the page forbids.
    context = browser.new_context(viewport=dict(zip(("width", "height"), SIZES["desktop"])), bypass_csp=True)
    page = context.new_page()
    changed = []
    page.goto(f"{server}/#/{VIEWS[name]}")
    settle(page)
    expect(page.locator(".histogram, .verdict .chip, main table, .hero .shade.win").first).to_be_visible()
    page.add_style_tag(content=style)
    page.evaluate("document.fonts.ready.then(() => document.fonts.load('16px Bars'))")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        # The page has scrolled to what matters while it had another font.
        page.evaluate("[document.scrollingElement, ...document.querySelectorAll('nav ul, ol')].forEach((one) => one.scrollTo(0, 0))")
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            shot = Image.open(io.BytesIO(page.screenshot(animations="disabled"))).convert("RGB")
            shot = shot.resize((width // SHRINK, height // SHRINK), Image.Resampling.BOX)
            file = LOOK / f"{name}-{size}-{scheme}.png"
            if os.environ.get("RETROGRADE_LOOK") == "write":
                shot.quantize(256).save(file, optimize=True)
            known = Image.open(file).convert("RGB")
            off = far_off(known, shot) if known.size == shot.size else known.width * known.height
            if off > PIXELS_MAX:
                changed.append(f"{file.name}: {off} pixels")
                pictures = os.environ.get("RETROGRADE_PICTURES")
                if pictures:
                    shot.save(pathlib.Path(pictures) / f"look-{file.name}")
    context.close()
    assert changed == [], "the page looks otherwise; if that is wanted: RETROGRADE_LOOK=write scripts/server -k look"


def test_a_change_is_seen():
    """The comparison tells a moved word from an edge that is smoothed otherwise."""
    before = Image.new("RGB", (100, 100), "white")
    moved, smoothed = before.copy(), before.copy()
    for x in range(30):
        for y in range(3):
            moved.putpixel((20 + x, 40 + y), (29, 35, 40))
            smoothed.putpixel((20 + x, 40 + y), (200, 200, 200))
    assert far_off(before, before) == 0
    assert far_off(before, moved) == 90
    assert far_off(before, smoothed) == 0
