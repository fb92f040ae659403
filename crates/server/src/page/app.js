// The page: one view a game, chosen by what follows the # of the address.

import { el, fill, announce } from "./common.js";
import chess from "./chess.js";
import pursuit from "./pursuit.js";
import graph from "./graph.js";
import take from "./take.js";
import corner from "./corner.js";
import tables from "./tables.js";

const VIEWS = { chess, pursuit, graph, take, corner, tables };
const built = {};

function show() {
  const [named] = decodeURIComponent(location.hash.slice(1)).split("/");
  const name = named in VIEWS ? named : "chess";
  for (const link of document.querySelectorAll("#tabs a")) {
    if (link.hash === `#${name}`) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const view = VIEWS[name];
  document.title = `${view.title} · Retrograde`;
  built[name] ??= view.build();
  fill(document.getElementById("main"), built[name]);
  announce(view.title);
}

fill(document.getElementById("tabs"), Object.entries(VIEWS).map(([name, view]) =>
  el("li", {}, el("a", { href: `#${name}` }, view.title))));
window.addEventListener("hashchange", show);
show();
