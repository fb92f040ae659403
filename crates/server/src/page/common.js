// Functions for all views: elements, questions, values as text and colours.

import { address, packed } from "./route.js";
import { onProgress, request } from "./transport.js";

/** An element of index.html. @returns {HTMLElement} */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * An element with attributes, listeners (`onclick`), and children.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 */
export function el(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  set(made, attributes);
  made.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * The same for SVG elements.
 *
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {any[]} children
 */
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

/**
 * Asks a question. Throws the problem as an error.
 *
 * @template {string} Path
 * @param {Path} path
 * @param {object} [body]
 * @returns {Promise<import("asked").AnswerTo<Path>>}
 */
export async function ask(path, body) {
  const done = body === undefined ? () => {} : busy();
  try {
    const { status, said } = await request(path, body);
    if (status >= 400) throw new Error(said.error ?? `the answer has status ${status}`);
    return said;
  } finally {
    done();
  }
}

let working = 0;

/** Says after a moment that a solve is on its way, how far it is, and offers to stop it. Returns what ends this. */
function busy() {
  const place = byId("busy");
  const text = /** @type {Element} */ (place.firstElementChild);
  const begun = Date.now();
  working += 1;
  /** @type {number | null} */
  let share = null;
  const show = () => {
    const seconds = Math.round((Date.now() - begun) / 1000);
    text.textContent = `Solving${share === null ? "" : `, ${Math.round(100 * share)}% settled`}: ${seconds} s`;
    place.hidden = false;
  };
  onProgress((now) => {
    share = now;
  });
  const timer = setInterval(show, 300);
  return () => {
    clearInterval(timer);
    working -= 1;
    if (working === 0) place.hidden = true;
  };
}

/**
 * Of several requests in a row, only the last one counts, in any order of their answers. Runs `work`, and calls `show` with its
 * result unless a newer request was made meanwhile.
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

/** Marks a place as out of date until the result is called. If that takes a moment, `clear` empties it. */
export function pending(place, clear) {
  place.setAttribute("aria-busy", "true");
  const timer = setTimeout(clear, 300);
  return () => {
    clearTimeout(timer);
    place.removeAttribute("aria-busy");
  };
}

/** Announces something to users of screen readers. */
export function announce(text) {
  byId("live").textContent = text;
}

export const SIGNS = { win: "▲", draw: "=", loss: "▼", invalid: "·" };

/** `win in 9`. */
export function words({ value, distance }) {
  if (distance === null || distance === undefined) return value;
  return `${value} in ${distance}`;
}

/** `1 ply`, `1,234 plies`. */
export function counted(count, one, many = `${one}s`) {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}

export const plies = (count) => counted(count, "ply", "plies");

/**
 * A value in its colour. If there is little space, the sign alone shows it, without the word. In a button whose name says the value
 * in words, it is only to be seen.
 */
export function chip(worth, isSeenOnly = false) {
  const count = worth.distance ?? "";
  return el(
    "span",
    { class: `chip ${worth.value}`, "aria-hidden": isSeenOnly ? "true" : null },
    `${SIGNS[worth.value]} `,
    el("span", { class: "word" }, worth.value),
    count === "" ? "" : ` ${count}`,
  );
}

/** A name at the beginning of a sentence. A sign such as `x` stays. */
export const capital = (text) => (text.length > 1 ? text[0].toUpperCase() + text.slice(1) : text);

/**
 * The verdict as a sentence: `White wins in 31 plies.` Without names of players, it is about the player to move.
 *
 * @param {import("asked").Worth & { over?: boolean, side?: string | null, opponent?: string | null }} verdict
 */
export function sentence({ value, distance, over = false, side = null, opponent = null }) {
  if (value === "invalid") return "This is no position of the game.";
  if (value === "draw") return over ? "The game is over: a draw." : "A draw, if both sides play well.";
  const wins = value === "win";
  const name = wins ? side : opponent;
  const who = !side || !name ? "The player to move" : capital(name);
  const many = side !== null && /s$|police$/i.test(who);
  const lost = side === null && !wins;
  if (over) return `${who} ${many ? "have" : "has"} ${lost ? "lost" : "won"}.`;
  const verb = lost ? "loses" : many ? "win" : "wins";
  return `${who} ${verb}${distance === null || distance === undefined ? "" : ` in ${plies(distance)}`}.`;
}

/** The games and families that the server knows. The page asks for them once. */
export const catalogue = once(() => ask("/games").catch(() => ({ games: [], families: [] })));

function once(make) {
  let made = null;
  return () => (made ??= make());
}

/** The rules of a game, after what it is. A text has its own. */
export function rulesOf(game, /** @type {string | null | undefined} */ text = null) {
  const place = el("div", { class: "rules" });
  catalogue().then(({ games, families }) => {
    const spec = [...games, ...families].find(({ name }) => name === game);
    const rules = text ?? spec?.rules;
    const own = games.some(({ files }) => files?.some(({ name }) => name === game));
    fill(
      place,
      spec && el("p", {}, `${capital(spec.summary)}.`),
      rules ? el(rules.includes("\n") ? "pre" : "p", {}, rules) : null,
      own ? el("a", { href: address("game", "text", "", { example: game }) }, "Change this text") : null,
    );
  });
  return place;
}

/** Tabs over panels, `[name, element]` each. The arrow keys go from tab to tab. */
export function tabs(label, entries) {
  const buttons = entries.map(([name], at) =>
    el("button", { type: "button", role: "tab", id: `tab-${++fields}`, onclick: () => choose(at) }, name),
  );
  const panels = entries.map(([, panel], at) => el("div", { role: "tabpanel", tabindex: 0, "aria-labelledby": buttons[at].id }, panel));
  function choose(to) {
    buttons.forEach((button, at) => {
      button.setAttribute("aria-selected", String(at === to));
      button.tabIndex = at === to ? 0 : -1;
      panels[at].hidden = at !== to;
    });
    if (panels[to].isConnected) panels[to].scrollIntoView({ block: "nearest" });
  }
  const list = el(
    "div",
    {
      class: "tabs",
      role: "tablist",
      "aria-label": label,
      onkeydown: (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        if (!step) return;
        event.preventDefault();
        event.stopPropagation();
        const to = (buttons.indexOf(event.target) + step + buttons.length) % buttons.length;
        choose(to);
        buttons[to].focus();
      },
    },
    buttons,
  );
  choose(0);
  return el("section", { class: "card", "aria-label": label }, list, panels);
}

/**
 * An error, visible and announced. It may have an `action` with a name, which helps.
 *
 * @param {any} error
 */
export function problem(error) {
  const [label, act] = error.action ?? [];
  return el(
    "div",
    { class: "error" },
    el("p", { role: "alert" }, error.message),
    act ? el("button", { type: "button", onclick: act }, label) : null,
  );
}

/** Replaces the children of an element. */
export function fill(parent, ...children) {
  parent.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

/**
 * Gives an element the attributes and children of another one of its kind. What is the same stays, with its focus; only the rest is
 * changed.
 *
 * @param {Element} old
 * @param {Element} made
 */
export function patch(old, made) {
  for (const { name } of [...old.attributes]) if (!made.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of made.attributes) {
    if (old.getAttribute(name) === value) continue;
    // The policy of the page forbids styles as text.
    if (name === "style") /** @type {any} */ (old).style.cssText = value;
    else old.setAttribute(name, value);
  }
  const [before, after] = [[...old.childNodes], [...made.childNodes]];
  for (const [at, child] of after.entries()) {
    const kept = before[at];
    if (!kept) old.append(child);
    else if (kept.nodeName !== child.nodeName) kept.replaceWith(child);
    else if (child instanceof Element) patch(/** @type {Element} */ (kept), child);
    else if (kept.nodeValue !== child.nodeValue) kept.nodeValue = child.nodeValue;
  }
  for (const rest of before.slice(after.length)) rest.remove();
}

/** A text field, choice or area under its label. */
export function field(label, input, kind = "") {
  input.id ||= `field-${++fields}`;
  return el("div", { class: `field ${kind}` }, el("label", { for: input.id }, label), input);
}

let fields = 0;

/** A choice among `[value, text]`. */
export function choice(options, attributes = {}) {
  return el(
    "select",
    attributes,
    options.map(([value, text]) => el("option", { value }, text)),
  );
}

/** The spot `[x, y]` that an arrow key leads to from another spot; nothing if there is none in that direction. */
export function ahead(spots, from, key) {
  const [right, down] = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[key];
  const [x, y] = spots[from];
  let best = { far: Infinity, number: /** @type {number | undefined} */ (undefined) };
  spots.forEach(([px, py], number) => {
    const onward = (px - x) * right + (py - y) * down;
    if (onward <= 1) return;
    const aside = Math.abs((px - x) * down) + Math.abs((py - y) * right);
    const far = onward + 2.5 * aside;
    if (far < best.far) best = { far, number };
  });
  return best.number;
}

/** The icons of buttons. */
const ICONS = {
  first: "M6 5v14M18 5l-9 7 9 7z",
  back: "M16 5l-9 7 9 7z",
  next: "M8 5l9 7-9 7z",
  last: "M18 5v14M6 5l9 7-9 7z",
  best: "M5 12h12M12 6l6 6-6 6",
  flip: "M8 4v15l-4-4M16 20V5l4 4",
  mirror: "M12 3v18M9 7l-5 5 5 5M15 7l5 5-5 5",
  theme: "M12 4a8 8 0 1 0 0 16zM12 4a8 8 0 0 1 0 16",
  turn: "M4 9h13l-4-4M20 15H7l4 4",
  clear: "M6 6l12 12M18 6L6 18",
  edit: "M5 19l1-4L16 5l3 3L9 18z",
  share: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  random: "M4 7h3l10 10h3M4 17h3L17 7h3M18 5l2 2-2 2M18 15l2 2-2 2",
};

/**
 * A button with an icon. Its name stands beside the icon, or only screen readers read it.
 *
 * @param {keyof typeof ICONS} icon
 * @param {string} label
 * @param {(event: any) => any} onclick
 * @param {{ quiet?: boolean, [attribute: string]: any }} options
 */
export function iconButton(icon, label, onclick, options = {}) {
  const { quiet = false, ...attributes } = options;
  const drawn = svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[icon] }));
  return el(
    "button",
    { type: "button", title: quiet ? label : null, "aria-label": quiet ? label : null, onclick, ...attributes },
    drawn,
    quiet ? null : el("span", { class: "label" }, label),
  );
}

/** The word for a value, for the opponent. */
export const OPPOSITE = { win: "loss", loss: "win", draw: "draw" };

/** Copies an address: that of the current view, unless the view has another one. */
export function shareButton(address = () => location.href) {
  return iconButton("share", "Share", async (event) => {
    const button = event.currentTarget;
    const plain = address();
    const copied = await packed(plain);
    let text = "Copied";
    try {
      await navigator.clipboard.writeText(copied);
    } catch {
      text = plain === location.href ? "Copy the address above" : "Press Solve, then copy the address above";
    }
    announce(`${text}: ${copied}`);
    button.lastChild.textContent = text;
    setTimeout(() => {
      button.lastChild.textContent = "Share";
    }, 2000);
  });
}

/** The name of a game as a title: `Mu torere`. */
export function titled(name) {
  return capital(name.replaceAll("-", " "));
}
