// A game that the server solves on request: its parameters in a form made from the registry, then its positions.

import { ask, capital, choice, el, field, fill, problem, rulesOf, titled } from "./common.js";
import { explorer } from "./histogram.js";
import { PositionView } from "./position.js";
import { painter, placesOfThief } from "./pursuit.js";
import { address, go } from "./route.js";

/** The arguments of an example: `--heaps 3,5,7 --take any`. */
function example(spec) {
  const words = spec.example.split(/\s+/);
  return Object.fromEntries(words.flatMap((word, place) => (word.startsWith("--") ? [[word.slice(2), words[place + 1] ?? "true"]] : [])));
}

/** The value of the user's own text in the list of texts. */
const OWN = "";

/** The inputs for a game's parameters, and their values. */
function form(spec, submit) {
  const shown = example(spec);
  // What can have only one value is no choice.
  const inputs = spec.parameters
    .filter(({ least, most }) => least === null || least < most)
    .map((parameter) => {
      const { name, kind, words, help } = parameter;
      const value = shown[name] ?? parameter.default ?? "";
      if (kind === "word") return [parameter, choice(words.map((word) => [word, word]))];
      if (kind === "switch") return [parameter, el("input", { type: "checkbox" })];
      return [parameter, el("input", { type: kind === "number" ? "number" : "text", value, spellcheck: "false", title: help })];
    });
  const files = spec.files ?? [];
  const file = el("textarea", { rows: Math.min(14, (files[0]?.text ?? "").split("\n").length + 2), spellcheck: "false" });
  file.value = files[0]?.text ?? "";
  // The user's own text stays in the list, so that a look at another one does not cost it.
  /** @type {string | null} */
  let own = null;
  const examples = choice(
    files.map(({ name }) => [name, titled(name)]),
    {
      onchange: () => {
        file.value = examples.value === OWN ? (own ?? "") : files.find(({ name }) => name === examples.value).text;
        submit();
      },
    },
  );
  /** Shows in the list which text is there. */
  function note() {
    const known = files.find(({ text }) => text === file.value);
    if (!known) {
      if (own === null) examples.append(el("option", { value: OWN }, "Your own text"));
      own = file.value;
    }
    examples.value = known ? known.name : OWN;
  }
  file.addEventListener("input", note);
  const fields = inputs.map(([{ name, help, kind }, input]) =>
    kind === "switch" ? el("label", { class: "check" }, input, help) : field(`${name}: ${help}`, input),
  );
  const none = fields.length === 0 && !spec.file;
  const element = none
    ? null
    : el(
        "form",
        {
          class: "row",
          onsubmit: (event) => {
            event.preventDefault();
            submit();
          },
        },
        files.length < 2 ? null : field("Begin with", examples),
        fields,
        spec.file && field(`The ${spec.file}`, file, "whole"),
        el("button", { type: "submit", class: "first" }, "Solve"),
      );
  // What may stand in the file, beside it.
  const told = (text) => text.split("`").map((part, place) => (place % 2 ? el("code", {}, part) : part));
  const statements = spec.statements ?? [];
  if (statements.length > 0 && element) {
    element.append(
      el(
        "details",
        { class: "statements whole" },
        el("summary", {}, "Words of a text"),
        el(
          "div",
          { class: "scroll", tabindex: 0 },
          el(
            "table",
            {},
            el(
              "tbody",
              {},
              statements.map(({ statement, meaning }) =>
                el("tr", {}, el("th", { scope: "row" }, el("code", {}, statement)), el("td", {}, told(meaning))),
              ),
            ),
          ),
        ),
      ),
    );
  }
  return {
    element,
    /** The parameters as part of an address. */
    read() {
      const given = Object.fromEntries(
        inputs.map(([{ name, kind }, input]) => [name, kind === "switch" ? input.checked : input.value.trim()]),
      );
      return spec.file ? { ...given, board: file.value } : given;
    },
    /** Shows a text to begin with; whether there is one of this name. */
    begin(name) {
      const found = files.find((each) => each.name === name);
      if (found) file.value = found.text;
      note();
      return found !== undefined;
    },
    /** Selects the line of the text that an error names. */
    mark(line) {
      markLine(file, line);
    },
    write(given) {
      for (const [{ name, kind }, input] of inputs) {
        if (!(name in given)) continue;
        if (kind === "switch") input.checked = given[name] === "true";
        else input.value = given[name];
      }
      if (given.board !== undefined) file.value = given.board;
      note();
    },
  };
}

/** Selects a line of a text. */
export function markLine(area, line) {
  const lines = area.value.split("\n");
  const begin = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  area.focus();
  area.setSelectionRange(begin, begin + (lines[line - 1] ?? "").length);
  area.scrollTop = Math.max(0, (area.scrollHeight / lines.length) * (line - 4));
}

/** An error in a game's file says its line, and shows it. */
export function located(error, file, mark) {
  const [, line, rest] = /^[a-z]+: (line \d+(?:, column \d+)?: )(.*)$/s.exec(error.message) ?? [];
  if (!file || line === undefined) return error;
  const number = Number.parseInt(line.slice("line ".length), 10);
  return Object.assign(new Error(`${capital(line)}${rest}`), { action: [`Show line ${number}`, () => mark(number)] });
}

/** The body of a request about a game, from the parameters in an address. */
function body(spec, given) {
  const parameters = {};
  for (const { name, kind } of spec.parameters) {
    const value = given[name];
    if (value === undefined || value === "" || value === false) continue;
    if (kind === "number") parameters[name] = Number(value);
    else if (kind === "switch") parameters[name] = true;
    else if (kind === "numbers" && !spec.parameters.find((each) => each.name === name).words.length)
      parameters[name] = String(value).split(",").map(Number);
    else parameters[name] = String(value).replace(/\s/g, "");
  }
  return { ...(spec.file ? { board: given.board ?? "" } : {}), parameters };
}

/**
 * The values of other states that the board shows, as questions: of all vertices of a graph, and of each place of the thief. What the
 * user has typed may be too large for that.
 */
const SHADES = {
  async graph(solve, view) {
    const { answers } = await solve({ state: view.state, all: true });
    const number = new Map(view.board.points.map(({ name }, at) => [name, at]));
    return { answers, edges: answers.flatMap(({ state, moves }) => moves.map(({ to }) => [number.get(state), number.get(to)])) };
  },
  async pursuit(solve, view) {
    const places = placesOfThief(view);
    const { answers } = await solve({ state: view.state, states: places.map(({ state }) => state) });
    return { answers: answers.map((worth, at) => ({ ...worth, state: places[at].name })) };
  },
};

/** What a board shows besides men: see `SHADES`. */
async function shadesOf(name, solve, view) {
  if (!SHADES[name] || !view.board) return null;
  try {
    const { answers, edges } = await SHADES[name](solve, view);
    return {
      worths: new Map(answers.map((answer) => [answer.state, answer])),
      longest: Math.max(...answers.map(({ distance }) => distance ?? 0)),
      edges,
    };
  } catch {
    return null;
  }
}

function build(name, spec) {
  const fields = form(spec, () => {
    position.reveal();
    go(address("game", name, "", fields.read()));
  });
  const summary = el("section", { class: "card", "aria-label": "Explorer", tabindex: -1 });
  let given = {};
  let summed = "";
  /** Where play began, in a game whose board names no start. */
  let begun = "";
  const at = (state) => address("game", name, state, given);
  const solve = (more) =>
    ask(`/solve/${encodeURIComponent(name)}`, { ...body(spec, given), ...more }).catch((error) => {
      throw located(error, spec.file, fields.mark);
    });
  const isEdited = () => JSON.stringify(fields.read()) !== JSON.stringify(given);
  const heading = name === "text" ? "Your game" : titled(name);
  const below = fields.element && el("section", { class: "card", "aria-label": "The game" }, el("h3", {}, "The game"), fields.element);
  const position = new PositionView({
    heading: el("h2", {}, heading),
    async look(state) {
      if (summed !== JSON.stringify(given)) {
        fill(summary);
        summed = "";
        position.hand.hidden = true;
      }
      let said = await solve({ view: true, ...(state ? { state } : {}) });
      let note = "";
      // A game without a start begins with a long win.
      if (!said.answer && said.longest_states?.length) {
        said = await solve({ view: true, state: said.longest_states[0].state });
        note = `The ${spec.file ?? "game"} names no start, so this is a longest win.`;
      }
      sum(said, !state);
      if (!said.answer) throw new Error("this game has no start: name a state");
      return { ...said.answer, note };
    },
    shades: (view) => shadesOf(name, solve, view),
    best: async (state) => (await solve({ state, plies: 1000 })).line?.states,
    at,
    start: () => begun,
    rules: rulesOf(name),
    below,
    // A game that was changed and not solved yet is shared as it is written.
    share: () => (isEdited() ? new URL(address("game", name, "", fields.read()), location.href).href : location.href),
  });
  // A user who writes a game looks at its text beside the board.
  if (name === "text" && below) position.list.parentElement?.before(below);
  if (name === "pursuit") {
    position.tools.before(
      el("p", { class: "lead" }, "Squares: the value for the player to move, if the thief stood there. Discs: the moves."),
      painter(
        position,
        () => given.board,
        (board, state) => {
          const to = { ...given, board };
          begun = state;
          go(address("game", name, state, to), true);
        },
      ),
    );
  }

  function sum(said, isStart) {
    const key = JSON.stringify(given);
    if (said.start) begun = "";
    else if (isStart || summed !== key) begun = said.answer?.state ?? "";
    if (summed === key) return;
    summed = key;
    fill(
      summary,
      el("h3", {}, "Explorer"),
      explorer(said),
      said.remark && said.remark.length < 2000 ? el("pre", { class: "scroll", tabindex: 0 }, said.remark) : null,
    );
    position.tell(said.longest_states);
  }

  function open({ state, parameters }) {
    if (parameters.example !== undefined) {
      if (!fields.begin(parameters.example)) {
        fill(position.message, problem(new Error(`there is no text ${parameters.example} here: choose one under “Begin with”`)));
        return;
      }
    } else if (Object.keys(parameters).length > 0) fields.write(parameters);
    given = fields.read();
    if (spec.file && !given.board) {
      fill(position.message, problem(new Error(`write the ${spec.file} first`)));
      return;
    }
    const opened = position.open(state);
    if (parameters.explore) opened.then(() => summary.focus());
  }

  return { title: heading, element: el("div", {}, position.element, summary), open };
}

export default { build };
