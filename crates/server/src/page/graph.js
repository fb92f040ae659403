// Any directed graph: a small one is drawn, with every vertex in the colour of its value.

import { ahead, announce, ask, chip, counted, el, fill, latest, problem, rulesOf, sentence, shareButton, SIGNS, svg, words } from "./common.js";
import { Line } from "./line.js";
import { moveGroups } from "./moves.js";
import { address, go } from "./route.js";

const EXAMPLE = "start left\nstart right\nleft start\nleft goal\nright trap\ntrap right\nright left\ngoal end\n";
const WIDTH = 640;
const HEIGHT = 440;
const DRAWN_MAX = 150;

/**
 * Places for vertices. Vertices with an edge attract each other, all others repel each other, and the result is scaled to the
 * picture. It begins with a circle, so that the same graph always looks the same.
 */
function layout(count, edges) {
  const at = Array.from({ length: count }, (_, place) => {
    const angle = (2 * Math.PI * place) / count - Math.PI / 2;
    return [1.4 * Math.cos(angle), Math.sin(angle)];
  });
  const wanted = 2 / Math.sqrt(count);
  const rounds = 400;
  for (let round = 0; round < rounds; round++) {
    // A weak force towards the middle keeps unconnected parts from flying apart.
    const force = at.map(([x, y]) => [-0.1 * x, -0.15 * y]);
    for (let a = 0; a < count; a++) {
      for (let b = a + 1; b < count; b++) {
        const [x, y] = [at[a][0] - at[b][0], at[a][1] - at[b][1]];
        const push = (wanted * wanted) / Math.max(1e-4, x * x + y * y) / 2;
        force[a][0] += x * push; force[a][1] += y * push;
        force[b][0] -= x * push; force[b][1] -= y * push;
      }
    }
    for (const [a, b] of edges) {
      const [x, y] = [at[a][0] - at[b][0], at[a][1] - at[b][1]];
      const pull = Math.hypot(x, y) / wanted / 2;
      force[a][0] -= x * pull; force[a][1] -= y * pull;
      force[b][0] += x * pull; force[b][1] += y * pull;
    }
    const most = 0.1 * (1 - round / rounds);
    for (let a = 0; a < count; a++) {
      const far = Math.max(1e-9, Math.hypot(...force[a]));
      const step = Math.min(far, most) / far;
      at[a][0] += force[a][0] * step;
      at[a][1] += force[a][1] * step;
    }
  }
  const fit = (axis, from, to) => {
    const all = at.map((point) => point[axis]);
    const [least, most] = [Math.min(...all), Math.max(...all)];
    for (const point of at) point[axis] = most - least < 1e-6 ? (from + to) / 2 : from + ((point[axis] - least) / (most - least)) * (to - from);
  };
  fit(0, 45, WIDTH - 45);
  fit(1, 40, HEIGHT - 45);
  return at;
}

function build() {
  const once = latest();
  let worths = new Map();
  let here = null;
  let at = null;
  const text = el("textarea", { rows: 9, spellcheck: "false", "aria-label": "The graph" });
  text.value = EXAMPLE;
  const misere = el("input", { type: "checkbox", onchange: renew });
  const place = el("div");
  const verdict = el("div", { class: "verdict" });
  const message = el("div");
  const list = el("div");

  /** The address of a vertex. */
  const vertex = (name) => address("game", "graph", name, { board: text.value, misere: misere.checked });
  const told = el("p", { class: "said" });
  const line = new Line({
    show: (name, quietly) => go(vertex(name), quietly),
    best: async (name) => (await ask("/solve/graph", { ...asking(), state: name, plies: 1000 })).line.states.slice(1),
    fail: (error) => fill(message, problem(error)),
    name: ({ state }, place_) => `${place_}. ${state}`,
  });

  const asking = () => ({ board: text.value, parameters: { misere: misere.checked } });

  /** Goes to a vertex. If an edge leads there, this is a move of the line. */
  function visit(name) {
    if (worths.get(here)?.moves.some(({ to }) => to === name)) line.play({ state: name });
    else go(vertex(name));
  }

  function renew() {
    if (vertex("") === location.hash) solve("");
    else go(vertex(""));
  }

  let solved = "";

  function solve(wanted) {
    once(() => ask("/solve/graph", { ...asking(), all: true }), (said) => {
      worths = new Map(said.answers.map((answer) => [answer.state, answer]));
      here = worths.has(wanted) ? wanted : said.start;
      solved = JSON.stringify([text.value, misere.checked]);
      fill(message);
      const names = [...worths.keys()];
      const number = new Map(names.map((name, index) => [name, index]));
      const edges = said.answers.flatMap((answer, from) => answer.moves.map((move) => [from, number.get(move.to)]));
      at = names.length <= DRAWN_MAX ? new Map(layout(names.length, edges).map((point, index) => [names[index], point])) : null;
      show();
    }, (error) => {
      fill(place);
      fill(message, problem(error));
    });
  }

  /** Shows the graph and the token of an address. */
  function open({ state, parameters }) {
    if (parameters.board !== undefined) {
      text.value = parameters.board;
      misere.checked = parameters.misere === "true";
    }
    if (solved !== JSON.stringify([text.value, misere.checked]) || !worths.has(state)) {
      solve(state);
      return;
    }
    const focused = place.contains(document.activeElement);
    here = state;
    show();
    if (focused) place.querySelector(".here")?.focus();
  }

  function show() {
    const answer = worths.get(here);
    const over = answer.moves.length === 0;
    line.stand(here);
    fill(verdict, here, chip(answer));
    fill(told, sentence({ ...answer, over }));
    fill(list, moveGroups(answer.moves.map((move) => ({ ...move, name: move.to })), (move) => visit(move.to)));
    announce(`${here}: ${told.textContent}`);
    if (!at) {
      fill(place, el("p", { class: "lead" }, `${worths.size} vertices are too many to draw; the list of moves walks over them.`));
      return;
    }
    const radius = 15;
    const lines = [];
    for (const [from, { moves, value, distance }] of worths) {
      for (const [rank, move] of moves.entries()) {
        const [a, b] = [at.get(from), at.get(move.to)];
        const best = rank === 0 || (move.value === value && move.distance === distance);
        lines.push(svg("path", { class: `edge ${best && from === here ? "best" : ""}`, d: arrow(a, b, radius), "marker-end": "url(#head)" }));
      }
    }
    const nodes = [...worths].map(([name, worth]) => {
      const [x, y] = at.get(name);
      const node = svg("g", { class: `node ${worth.value} ${name === here ? "here" : ""}`, tabindex: name === here ? 0 : -1, role: "button", "data-place": name,
        "aria-label": `${name}, ${words(worth)}`, transform: `translate(${x.toFixed(1)} ${y.toFixed(1)})`,
        onclick: () => visit(name), onkeydown: (event) => {
          if (event.key === "Enter" || event.key === " ") { event.preventDefault(); visit(name); }
          else if (event.key.startsWith("Arrow") && event.target.matches(":focus-visible")) { event.preventDefault(); walk(name, event.key); }
        } },
      svg("circle", { r: radius }),
      svg("text", { class: "worth", y: radius + 12 }, name.length > 14 ? `${name.slice(0, 13)}…` : name));
      return node;
    });
    // The label of a vertex says its value in words. The sign is no part of what can be pressed.
    const marks = [...worths].map(([name, worth]) => {
      const [x, y] = at.get(name);
      return svg("text", { class: "mark", x: x.toFixed(1), y: (y + 4).toFixed(1), "aria-hidden": "true" }, `${SIGNS[worth.value]}${worth.distance ?? ""}`);
    });
    const head = svg("marker", { id: "head", viewBox: "0 0 8 8", refX: 7, refY: 4, markerUnits: "userSpaceOnUse", markerWidth: 9, markerHeight: 9, orient: "auto-start-reverse" }, svg("path", { d: "M0 0 8 4 0 8z" }));
    fill(place, svg("svg", { class: "graph", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "group", "aria-label": `Graph of ${counted(worths.size, "vertex", "vertices")}. Arrow keys walk over it.` }, svg("defs", {}, head), lines, nodes, marks));
  }

  /** The nearest vertex in a direction. */
  function walk(name, key) {
    const names = [...at.keys()];
    const to = ahead([...at.values()], names.indexOf(name), key);
    if (to === undefined) return;
    const nodes = place.querySelectorAll(".node");
    nodes.forEach((node, number) => node.setAttribute("tabindex", number === to ? 0 : -1));
    nodes[to].focus();
  }

  const element = el("div", {},
    el("h2", {}, "Graph"),
    el("p", { class: "lead" }, "Players in turn move one token along the edges; who cannot move loses. One move a line, ", el("code", {}, "from to"), "; ", el("code", {}, "= name win"), " gives a vertex a value by rule; DOT is read too."),
    el("div", { class: "two" },
      el("div", {}, place, line.controls),
      el("div", {},
        el("section", { class: "card", "aria-label": "Value" }, verdict, told, message),
        el("section", { class: "card", "aria-label": "Line" }, el("h3", {}, "Line"), line.element),
        el("section", { class: "card", "aria-label": "Moves" }, list),
        el("section", { class: "card", "aria-label": "The graph" }, text,
          el("div", { class: "row" }, el("button", { type: "button", class: "first", onclick: renew }, "Solve"),
            el("label", { class: "check" }, misere, "who cannot move wins"), shareButton())))),
    rulesOf("graph"));
  return { title: "Graph", element, open };
}

/** A bent arrow from the rim of one circle to that of another, or a loop. */
function arrow([ax, ay], [bx, by], radius) {
  if (ax === bx && ay === by) return `M${ax - 6} ${ay - radius} C ${ax - 26} ${ay - 50} ${ax + 26} ${ay - 50} ${ax + 6} ${ay - radius - 1}`;
  const far = Math.hypot(bx - ax, by - ay);
  const [ux, uy] = [(bx - ax) / far, (by - ay) / far];
  const bend = Math.min(18, far / 6);
  const [mx, my] = [(ax + bx) / 2 - uy * bend, (ay + by) / 2 + ux * bend];
  const rim = (x, y, tox, toy, gap) => {
    const length = Math.hypot(tox - x, toy - y);
    return [x + ((tox - x) / length) * gap, y + ((toy - y) / length) * gap].map((n) => n.toFixed(1)).join(" ");
  };
  return `M${rim(ax, ay, mx, my, radius)} Q ${mx.toFixed(1)} ${my.toFixed(1)} ${rim(bx, by, mx, my, radius + 2)}`;
}

export default { build };
