// The tables of the folder: of the server's, or of the one that the user opens.

import { ask, counted, el, field, fill, problem } from "./common.js";
import { address } from "./route.js";
import { openTables } from "./transport.js";

/** What the user has just opened. The view of it is a new one. */
let lately = "";

/** Opens tables of this machine or of a web server; nothing where the server has the tables. */
function opener() {
  if (!openTables) return null;
  const opens = openTables;
  const place = el("input", { type: "url", placeholder: "such as https://example.org/tables/", spellcheck: "false", autocomplete: "off" });
  /** What is said of the tables that are opened. Those of before stay until then. */
  const told = el("div", {}, lately ? el("p", { role: "status" }, lately) : null);
  lately = "";
  const files = el("input", { type: "file", multiple: true, hidden: true, onchange: () => choose(files) });
  const folder = el("input", { type: "file", webkitdirectory: true, hidden: true, onchange: () => choose(folder) });

  async function show(source) {
    fill(told, el("p", { role: "status" }, "Opening …"));
    try {
      const { status, said } = await opens(source);
      if (status >= 400) throw new Error(said.error);
      lately = `${counted(said.tables.length, "table")} of ${source.address ?? "this machine"} opened.`;
      dispatchEvent(new Event("tables"));
    } catch (error) {
      fill(told, problem(error));
    }
  }

  function choose(input) {
    const chosen = [...input.files];
    // The same files may be chosen again once they have changed.
    input.value = "";
    if (chosen.length > 0) show({ files: chosen });
  }

  const element = el(
    "section",
    { class: "card opener", "aria-label": "Open tables" },
    el("h3", {}, "Open tables"),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", class: "first", onclick: () => files.click() }, "Choose files"),
      el("button", { type: "button", onclick: () => folder.click() }, "Choose a folder"),
      el("span", { class: "hint" }, "or drop them here. They stay on this machine."),
    ),
    files,
    folder,
    el(
      "form",
      {
        class: "row",
        novalidate: true,
        onsubmit: (event) => {
          event.preventDefault();
          const to = place.value.trim();
          try {
            show({ address: new URL(to).href });
          } catch {
            fill(told, problem(new Error(`${to || "nothing"} is no address: write one such as https://example.org/tables/`)));
          }
        },
      },
      field("The address of a table, or of a folder of them", place, "wide"),
      el("button", { type: "submit" }, "Open"),
    ),
    told,
  );
  element.addEventListener("dragover", (event) => event.preventDefault());
  element.addEventListener("drop", async (event) => {
    event.preventDefault();
    const dropped = await Promise.all(
      [...(event.dataTransfer?.items ?? [])].map((item) => filesOf(item.webkitGetAsEntry?.() ?? item.getAsFile())),
    );
    show({ files: dropped.flat() });
  });
  return element;
}

/** The files of what was dropped: of a file, or of a folder. */
async function filesOf(entry) {
  if (!entry) return [];
  if (entry instanceof File) return [entry];
  if (entry.isFile) return [await new Promise((settle, fail) => entry.file(settle, fail))];
  const reader = entry.createReader();
  const found = [];
  for (;;) {
    // It gives a hundred at a time.
    const some = await new Promise((settle, fail) => reader.readEntries(settle, fail));
    if (some.length === 0) return found;
    for (const each of some) if (each.isFile) found.push(...(await filesOf(each)));
  }
}

function build() {
  const list = el("div");
  const filter = el("input", { type: "search", placeholder: "Find a table", "aria-label": "Find a table", oninput: draw });
  const finder = el("div", { class: "row" }, filter);
  let tables = null;

  function draw() {
    const wanted = filter.value.trim().toLowerCase();
    const found = tables.filter(({ name, game, title }) => `${name} ${game} ${title ?? ""}`.toLowerCase().includes(wanted));
    finder.hidden = tables.length === 0;
    if (tables.length === 0) {
      fill(
        list,
        el(
          "p",
          { class: "empty" },
          openTables ? "No table is open. " : "This folder holds no table. ",
          el("code", {}, "retrograde build chess KQvKR --out DIR"),
          " makes some.",
        ),
      );
      return;
    }
    // A table that is fetched is read only when it is looked at.
    const known = tables.some(({ numbers }) => numbers !== undefined);
    const head = [
      ["Table", ""],
      ["Game", ""],
      ...(known
        ? [
            ["States", "number"],
            ["Longest win", "number"],
          ]
        : []),
    ].map(([text, kind]) => el("th", { scope: "col", class: kind }, text));
    const rows = found
      .slice(0, 500)
      .map(({ name, game, title, states, numbers, longest_win: longest }) =>
        el(
          "tr",
          {},
          el("th", { scope: "row" }, el("a", { href: address("table", name) }, name), title ? el("div", { class: "title" }, title) : null),
          el("td", {}, game),
          known ? el("td", { class: "number" }, (states ?? numbers)?.toLocaleString("en") ?? "") : null,
          known ? el("td", { class: "number" }, longest ?? "–") : null,
        ),
      );
    fill(
      list,
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Tables" },
        el("table", {}, el("thead", {}, el("tr", {}, head)), el("tbody", {}, rows)),
      ),
      found.length > 500 ? el("p", { class: "lead" }, `${found.length - 500} more: name what you look for.`) : null,
    );
  }

  function open({ name }) {
    if (name !== undefined) filter.value = name;
    if (tables) {
      draw();
      return;
    }
    ask("/tables").then(
      (said) => {
        ({ tables } = said);
        draw();
      },
      (error) => fill(list, problem(error)),
    );
  }

  const lead = openTables
    ? "Tables that the program has written. The page reads the parts that it needs."
    : "Solved games in the folder of this server. Choose one, or solve one of the games.";
  const element = el("div", {}, el("h2", {}, "Tables"), el("p", { class: "lead" }, lead), opener(), finder, list);
  return { title: "Tables", element, open };
}

export default { build };
