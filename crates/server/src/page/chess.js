// Chess endgames: the view of a position, with pieces that the user puts on the board, and endgames to begin with.

import { ask, choice, el, field, fill, iconButton, plies, problem, rulesOf } from "./common.js";
import { drawing, KINDS, pieceName } from "./pieces.js";
import { PositionView } from "./position.js";
import { address, go } from "./route.js";

const START = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";
const FILES = [..."abcdefgh"];
const RANKS = [..."87654321"];
const at = (fen) => address("chess", undefined, fen);

/** The letters of the squares of a FEN, row by row from the top left, and the side to move. */
function read(fen) {
  const [board, turn = "w"] = fen.trim().split(/[\s_]+/);
  if (!/^([1-8KQRBNPkqrbnp]{1,8}\/){7}[1-8KQRBNPkqrbnp]{1,8}$/.test(board) || !"wb".includes(turn))
    throw new Error("this is no FEN, such as “8/8/8/8/8/2k5/8/KQ6 w”");
  const squares = [...board.replaceAll("/", "")].flatMap((letter) => (/\d/.test(letter) ? Array(Number(letter)).fill("") : [letter]));
  return { squares: [...squares, ...Array(64).fill("")].slice(0, 64), turn };
}

function write({ squares, turn }) {
  const rows = RANKS.map((_, row) =>
    squares
      .slice(8 * row, 8 * row + 8)
      .map((letter) => letter || ".")
      .join("")
      .replace(/\.+/g, (run) => String(run.length)),
  );
  return `${rows.join("/")} ${turn} - - 0 1`;
}

/** The board of a FEN; nothing if it is none. @returns {import("./board.js").BoardData | null} */
function outline(fen) {
  try {
    const { squares } = read(fen);
    const points = squares.map((_, at_) => ({
      x: at_ % 8,
      y: at_ >> 3,
      ground: /** @type {"dark" | "floor"} */ ((at_ + (at_ >> 3)) % 2 ? "dark" : "floor"),
      name: FILES[at_ % 8] + RANKS[at_ >> 3],
    }));
    const men = squares.flatMap((letter, point) =>
      letter ? [{ kind: KINDS[letter.toLowerCase()], sign: letter, player: letter === letter.toUpperCase() ? 0 : 1, point }] : [],
    );
    return { points, lines: [], edge: [RANKS, FILES], men, hands: [], light: 0 };
  } catch {
    return null;
  }
}

function build() {
  /** The chess tables, once they are known. @type {any[]} */
  let tables = [];
  /** The piece that the next click puts on the board. @type {string | null} */
  let brush = null;
  const listed = ask("/tables").then((said) => {
    tables = said.tables.filter(({ game }) => game === "chess");
    const rest = tables.map(({ name, longest_win: longest }) => [
      name,
      longest === undefined ? name : longest ? `${name}: up to ${plies(longest)}` : `${name}: all draws`,
    ]);
    fill(
      examples,
      [["", tables.length ? "choose an endgame" : "no endgames here"], ...rest].map(([value, text]) => el("option", { value }, text)),
    );
  });
  const examples = choice([["", "…"]], {
    onchange: () =>
      examples.value &&
      show(async () => {
        const { states } = await ask(`/tables/${encodeURIComponent(examples.value)}/longest`);
        if (states.length === 0) throw new Error(`${examples.value} is always a draw`);
        return states[0].state;
      }),
  });
  const turn = choice(
    [
      ["w", "White"],
      ["b", "Black"],
    ],
    { onchange: () => change((squares) => squares) },
  );
  const tray = el(
    "section",
    { class: "card", "aria-label": "Pieces", hidden: true },
    el("p", { class: "lead" }, "Drag a piece, or click it and then a square. Off the board, or by Delete, it goes away."),
    el(
      "div",
      { class: "tray", role: "group", "aria-label": "Pieces to put on the board" },
      [..."KQRBNPkqrbnp"].map((piece) =>
        el(
          "button",
          {
            type: "button",
            "data-piece": piece,
            "aria-label": pieceName(piece),
            "aria-pressed": "false",
            onclick: () => hold(brush === piece ? null : piece),
            onpointerdown: (event) => carry(piece, event),
          },
          drawing(piece),
        ),
      ),
    ),
    el(
      "div",
      { class: "row" },
      field("To move", turn),
      iconButton("clear", "Clear", () => change(() => outlineOfKings())),
    ),
  );
  const mode = iconButton("edit", "Set up", () => set(tray.hidden), { "aria-pressed": "false" });

  const position = new PositionView({
    heading: el("h2", {}, "Chess endgames"),
    outline,
    async look(fen) {
      await listed;
      if (tables.length === 0) throw new Error("There are no chess endgames here: `retrograde build chess KQvKR --out DIR` makes some.");
      read(fen);
      const said = await ask(`/tables/${encodeURIComponent(tables[0].name)}/probe?state=${encodeURIComponent(fen)}&view=true`);
      return said;
    },
    best: async (fen) =>
      (await ask(`/tables/${encodeURIComponent(position.view?.table ?? tables[0]?.name)}/line?state=${encodeURIComponent(fen)}`)).states,
    at,
    start: () => position.line.stops[0]?.state ?? START,
    rules: rulesOf("chess"),
    below: el(
      "div",
      {},
      el(
        "section",
        { class: "card", "aria-label": "Endgames" },
        el(
          "div",
          { class: "row" },
          field("Longest mate of", examples, "wide"),
          iconButton("random", "Random position", () =>
            show(async () => {
              const name = examples.value || tables[Math.floor(Math.random() * tables.length)]?.name;
              return (await ask(`/tables/${encodeURIComponent(name)}/random`)).state;
            }),
          ),
        ),
      ),
    ),
  });
  position.tools.append(mode);
  // Beside the board, so that both are seen.
  position.list.parentElement?.before(tray);

  async function show(find) {
    try {
      go(at(await find()));
    } catch (error) {
      fill(position.message, problem(error));
    }
  }

  async function longest() {
    try {
      const { states } = await ask(`/tables/${encodeURIComponent(position.view?.table)}/longest`);
      position.tell(states);
    } catch (error) {
      fill(position.longest, problem(error));
    }
  }

  /** The user changes the position that is shown. */
  function change(edit) {
    go(at(write({ squares: edit([...read(position.state.value).squares]), turn: turn.value })), true);
  }

  function outlineOfKings() {
    const squares = Array(64).fill("");
    [squares[4], squares[60]] = ["k", "K"];
    return squares;
  }

  /** Puts a piece on a square. Each side has one king. */
  function put(piece, to) {
    hold(null);
    change((squares) => squares.map((letter, square) => (square === to ? piece : "Kk".includes(piece) && letter === piece ? "" : letter)));
  }

  function hold(piece) {
    brush = piece;
    for (const button of tray.querySelectorAll("[data-piece]"))
      button.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (button).dataset.piece === piece));
    position.board.paint = piece === null ? null : (point) => put(piece, point);
  }

  /** A piece of the tray is dragged onto the board. */
  function carry(piece, event) {
    event.preventDefault();
    document.addEventListener(
      "pointerup",
      ({ clientX, clientY }) => {
        const to = position.board.at({ target: document.elementFromPoint(clientX, clientY) });
        if (to !== null) put(piece, to);
      },
      { once: true },
    );
  }

  function set(on) {
    position.isSetUp = on;
    tray.hidden = !on;
    mode.setAttribute("aria-pressed", String(on));
    hold(null);
    position.board.drop = on
      ? (from, to) =>
          change((squares) => {
            const piece = squares[from];
            squares[from] = "";
            if (to !== null) squares[to] = piece;
            return squares;
          })
      : null;
    position.open(position.state.value);
  }

  return {
    title: "Chess",
    element: position.element,
    open({ state }) {
      const fen = state || START;
      if (/ b( |$)/.test(fen) !== (turn.value === "b")) turn.value = / b( |$)/.test(fen) ? "b" : "w";
      position.state.value = fen;
      // To find them, all of a table is read.
      fill(position.longest, el("button", { type: "button", onclick: longest }, "Find the longest wins of this endgame"));
      position.open(fen);
    },
  };
}

export default { build };
