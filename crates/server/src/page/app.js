// The page. Each address has a view, which is built once and then shown again.

import { announce, ask, byId, catalogue, el, fill, iconButton, problem, titled } from "./common.js";
import { address, isPacked, route, unpacked } from "./route.js";
import { cancel, openTables, SERVER, TABLES } from "./transport.js";
import chess from "./chess.js";
import game from "./game.js";
import home from "./home.js";
import table from "./table.js";
import tables from "./tables.js";

const tabList = byId("tabs");
const built = new Map();
let games = [];
let shown = null;

/** The key and the view of an address. @returns {[string, { build: Function }]} */
function viewOf({ view, name }) {
  if (view === "chess") return ["chess", chess];
  if (view === "table" && name) return [`table ${name}`, table];
  if (view === "tables") return ["tables", tables];
  if (view === "home" || view === "") return ["home", home];
  if (view === "game" && games.some((spec) => spec.name === name)) return [`game ${name}`, game];
  return ["nothing", nothing];
}

/** What an unknown address shows. */
const nothing = {
  build() {
    const place = el("p", { class: "error", role: "alert" });
    const element = el("div", {}, el("h2", {}, "Nothing is here"), place, el("p", {}, el("a", { href: "#/home" }, "All games")));
    return {
      title: "Nothing is here",
      element,
      open({ view, name }) {
        fill(place, view === "game" ? `There is no game “${name}”.` : `There is no view of this address: ${location.hash}`);
      },
    };
  },
};

/** The link at the top that leads to a view; nothing if none does. */
function linkOf(key, at) {
  if (key === "nothing") return null;
  if (key === "chess") return "#/chess";
  if (key === "home") return "#/home";
  if (key.startsWith("game ")) return at.name === "text" ? address("game", "text") : "#/home";
  return at.view === "tables" && at.name ? address("tables", at.name) : "#/tables";
}

/** Makes the address of a link, which has its text packed, the plain one. */
async function unpack(to) {
  try {
    const plain = await unpacked(to);
    if (location.hash !== to) return;
    history.replaceState(null, "", plain);
    show();
  } catch {
    shown = null;
    fill(byId("main"), problem(new Error("the text in this link cannot be read: copy the whole link")));
  }
}

function show() {
  if (isPacked(location.hash)) {
    unpack(location.hash);
    return;
  }
  const at = route();
  const [key, view] = viewOf(at);
  if (!built.has(key))
    built.set(
      key,
      view.build(
        at.name,
        games.find((spec) => spec.name === at.name),
        games,
      ),
    );
  const { element, title, open } = built.get(key);
  for (const link of document.querySelectorAll("#tabs a")) {
    const current = linkOf(key, at);
    if (/** @type {HTMLAnchorElement} */ (link).hash === current) {
      link.setAttribute("aria-current", "page");
      tabList.scrollLeft = /** @type {HTMLElement} */ (link).offsetLeft - tabList.offsetLeft - 40;
    } else link.removeAttribute("aria-current");
  }
  document.title = `${title} · Retrograde`;
  if (shown !== key) {
    shown = key;
    fill(byId("main"), element);
    scrollTo(0, 0);
    announce(title);
  }
  open(at);
}

/** The targets of the links at the top of the page, if the view has them. */
const SKIPS = { main: "#main", board: "main [data-place][tabindex='0']", line: "main .stepper .best", moves: "main .move[tabindex='0']" };

function skip(event) {
  event.preventDefault();
  const to = /** @type {HTMLElement | null} */ (document.querySelector(SKIPS[event.currentTarget.dataset.to]));
  (to ?? byId("main")).focus();
}

/** The button between light and dark colours. A choice stays; without one, the system's holds. */
function theme() {
  const { classList } = document.documentElement;
  const chosen = localStorage.getItem("theme");
  if (chosen) classList.add(chosen);
  const isDark = () => classList.contains("dark") || (!classList.contains("light") && matchMedia("(prefers-color-scheme: dark)").matches);
  const button = iconButton(
    "theme",
    "Dark colours",
    () => {
      const next = isDark() ? "light" : "dark";
      classList.remove("light", "dark");
      classList.add(next);
      localStorage.setItem("theme", next);
      button.setAttribute("aria-pressed", String(isDark()));
    },
    { quiet: true, "aria-pressed": String(isDark()) },
  );
  byId("theme").append(button);
}

/** Builds the links at the top. Tables may have been opened since the last time, so all views are built anew. */
async function link() {
  // Families of tables have no spec. The list of tables shows which tables of them the folder has.
  const { tables: found } = await ask("/tables").catch(() => ({ tables: [] }));
  const families = [...new Set(found.map(({ game: of }) => of))].filter((of) => of !== "chess" && !games.some(({ name }) => name === of));
  const hasChess = SERVER || found.some(({ game: of }) => of === "chess");
  const links = [
    ["#/home", "Games"],
    [address("game", "text"), "Your game"],
    ["#/tables", "Tables"],
    ...(hasChess ? [["#/chess", "Chess"]] : []),
    ...families.map((name) => [address("tables", name), titled(name)]),
  ];
  fill(
    tabList,
    links.map(([to, text]) => el("li", {}, el("a", { href: to }, text))),
  );
  built.clear();
  shown = null;
}

async function start() {
  theme();
  ({ games } = await catalogue());
  // The tables that come with the page. If they cannot be opened, the view of tables says why.
  if (TABLES && openTables) await openTables({ address: new URL(TABLES, location.href.split("#")[0]).href }).catch(() => {});
  await link();
  // This event also comes when a link or the user changes the part after the #.
  addEventListener("popstate", show);
  addEventListener("route", show);
  addEventListener("tables", () => link().then(show));
  // Browsers do not scroll a half-visible element into view, and they cut off its focus ring.
  document.addEventListener("focusin", ({ target }) => {
    if (target instanceof Element && target.matches("nav a, .moves button, .line button"))
      target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  if (SERVER)
    fill(
      byId("documents"),
      [
        ["openapi.json", "OpenAPI"],
        ["metrics", "metrics"],
      ].flatMap(([href, text]) => [" · ", el("a", { href }, text)]),
    );
  document.querySelector("#busy button")?.addEventListener("click", cancel);
  for (const skipLink of document.querySelectorAll(".skip")) skipLink.addEventListener("click", skip);
  show();
}

start();
