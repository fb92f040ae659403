// What every view needs: elements, questions to the server, values in words and colours.

/** An element with attributes, listeners (`onclick`), and children. */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/** The same for drawings. */
export function svg(tag, attributes = {}, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  set(made, attributes);
  made.append(...children.flat());
  return made;
}

function set(made, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, value);
  }
}

/** Asks the server; throws what it says is wrong. */
export async function ask(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body),
  };
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Error("the server does not answer");
  }
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.error);
  return said;
}

/**
 * Of several questions asked one after the other only the last counts, in whatever order answers come: runs `work`, and
 * `show`s what comes of it unless something newer was asked meanwhile.
 */
export function latest() {
  let newest = 0;
  return async (work, show, fail) => {
    const mine = ++newest;
    try {
      const result = await work();
      if (mine === newest) show(result);
    } catch (error) {
      if (mine === newest) fail(error);
    }
  };
}

/** Says something to who cannot see the page. */
export function announce(text) {
  document.getElementById("live").textContent = text;
}

export const SIGNS = { win: "▲", draw: "=", loss: "▼", void: "·" };

/** `win in 9`. */
export function words({ value, distance }) {
  if (distance === null || distance === undefined) return value;
  return `${value} in ${distance}`;
}

/** A value in its colour. */
export function chip(worth) {
  const count = worth.distance ?? "";
  return el("span", { class: `chip ${worth.value}` }, `${SIGNS[worth.value]} ${worth.value} ${count}`.trim());
}

/** What is wrong, where everybody sees and hears it. */
export function problem(error) {
  return el("p", { class: "error", role: "alert" }, error.message);
}

/** Puts children in the place of what was there. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

/** A text field, choice or area under its label. */
export function field(label, input, kind = "") {
  input.id ||= `field-${++fields}`;
  return el("div", { class: `field ${kind}` }, el("label", { for: input.id }, label), input);
}

let fields = 0;

/** A choice among `[value, text]`. */
export function choice(options, attributes = {}) {
  return el("select", attributes, options.map(([value, text]) => el("option", { value }, text)));
}

/** The moves of a state, best first, each a button. */
export function moveList(moves, name, make, wide = false) {
  if (moves.length === 0) return el("p", { class: "void" }, "No move is left.");
  const items = moves.map((move, place) => el("li", {},
    el("button", { type: "button", onclick: () => make(move), "aria-label": `${name(move)}, ${words(move)}${place === 0 ? ", best" : ""}` },
      el("b", {}, name(move)), chip(move))));
  return el("ol", { class: `moves ${wide ? "wide" : ""}`, "aria-label": "Moves, best first" }, items);
}

/** A line of play as buttons; `here` is where one stands. */
export function lineList(names, here, go) {
  const items = names.map((name, place) => el("li", {},
    el("button", { type: "button", "aria-current": place === here ? "step" : null, onclick: () => go(place) }, name)));
  const list = el("ol", { class: "line", "aria-label": "Best play" }, items);
  queueMicrotask(() => {
    const current = list.querySelector("[aria-current]");
    if (current && list.scrollHeight > list.clientHeight) list.scrollTop = current.offsetTop - list.offsetTop - 40;
  });
  return list;
}

/** Buttons to walk through a line: first, back, on, last. */
export function walker(length, here, go) {
  const button = (text, label, to, off) =>
    el("button", { type: "button", "aria-label": label, disabled: off, onclick: () => go(to) }, text);
  return el("div", { class: "row", role: "group", "aria-label": "Play through" },
    button("⏮", "To the beginning", 0, here === 0),
    button("◀", "One ply back", here - 1, here === 0),
    button("▶", "One ply on", here + 1, here >= length - 1),
    button("⏭", "To the end", length - 1, here >= length - 1));
}

/** Arrow keys walk over the `[data-row][data-column]` buttons of a grid; one of them at a time can be tabbed to. */
export function arrows(grid) {
  const at = (row, column) => grid.querySelector(`[data-row="${row}"][data-column="${column}"]`);
  grid.addEventListener("keydown", (event) => {
    const steps = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };
    const from = event.target.closest("[data-row]");
    if (!from || !(event.key in steps) || event.ctrlKey || event.altKey || event.metaKey) return;
    const [down, right] = steps[event.key];
    const to = at(Number(from.dataset.row) + down, Number(from.dataset.column) + right);
    event.preventDefault();
    if (to) {
      rove(grid, to);
      to.focus();
    }
  });
  grid.addEventListener("focusin", (event) => {
    const cell = event.target.closest("[data-row]");
    if (cell) rove(grid, cell);
  });
}

function rove(grid, to) {
  for (const cell of grid.querySelectorAll("[tabindex='0']")) cell.tabIndex = -1;
  to.tabIndex = 0;
}
