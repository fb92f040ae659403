// Chess endgames: set up a position, play on, see every move with its value and distance, and best play to the mate.

import { announce, ask, chip, choice, el, field, fill, iconButton, latest, OPPOSITE, pending, plies, problem, rulesOf, sentence, shareButton, words } from "./common.js";
import { Board, mirrored, play, readFen, writeFen } from "./chessboard.js";
import { Line } from "./line.js";
import { moveGroups } from "./moves.js";
import { Play, repetition, valuesShown, withoutValues } from "./play.js";
import { address, go } from "./route.js";

const START = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";
const at = (fen) => address("chess", undefined, fen);
/** Categories that other servers use, in the words of this page. */
const VALUES = { win: "win", loss: "loss", draw: "draw", "cursed-win": "draw", "blessed-loss": "draw" };

/** A move of a report, with its value for the player who makes it. */
function worthOf(move) {
  return { ...move, name: move.san, value: OPPOSITE[VALUES[move.category]] ?? "invalid", distance: move.dtm === null ? null : Math.abs(move.dtm) + 1 };
}

function build() {
  const once = latest();
  const board = new Board(put);
  let setting = false;
  let position = readFen(START);
  let last = null;
  let moves = [];
  let settled = () => {};
  /** The report about the position that is shown. */
  let shown = null;

  const fen = el("input", { type: "text", spellcheck: "false", autocomplete: "off" });
  const verdict = el("div", { class: "verdict" });
  const told = el("p", { class: "said" });
  const list = el("div");
  const message = el("div");
  const promotion = el("div");
  const examples = choice([["", "…"]], { onchange: example });
  const mode = iconButton("edit", "Set up", () => set(!setting), { "aria-pressed": "false" });
  const tray = el("section", { class: "card", "aria-label": "Pieces", hidden: true },
    el("p", { class: "lead" }, "Drag a piece, or click it and then a square. Off the board, or by Delete, it goes away."),
    board.tray);
  const turn = choice([["w", "White"], ["b", "Black"]], { onchange: () => show({ ...position, turn: turn.value, passed: "-" }) });
  const line = new Line({
    show: (state, quietly) => go(at(state), quietly),
    async best(state) {
      const said = await ask(`/standard/mainline?fen=${encodeURIComponent(state)}`);
      if (said.mainline.length === 0) {
        throw new Error(said.winner ? "the tables keep no distances, so no line to mate is known" : "a draw: there is no line to mate");
      }
      announce(`${plies(said.mainline.length)} of best play`);
      let from = readFen(state);
      return said.mainline.map(({ uci, san }) => {
        from = play(from, uci);
        return { state: writeFen(from), uci, san };
      });
    },
    fail: (error) => fill(message, problem(error)),
    name: numbered,
  });
  const playing = new Play({
    begin: () => {
      const [{ state }] = line.stops;
      line.restart();
      go(at(state));
    },
    move: () => reply(true),
    back: takeBack,
    draw: () => {
      draw();
      if (shown) reply();
    },
    sides: ["White", "Black"],
  });
  const tools = el("div", { class: "row tools", role: "group", "aria-label": "Board" },
    iconButton("flip", "Flip", () => board.flip()),
    iconButton("mirror", "Mirror", () => show(mirrored(position))),
    iconButton("turn", "Other side to move", () => show({ ...position, turn: position.turn === "w" ? "b" : "w", passed: "-" })),
    iconButton("clear", "Clear", () => {
      set(true);
      show({ pieces: new Map([["e1", "K"], ["e8", "k"]]), turn: "w", passed: "-" });
    }),
    mode, iconButton("random", "Random position", random), shareButton());

  /** `1. Qb2+`, `1… Kd3`, `Kd4`. */
  function numbered({ san, state }, place, stops) {
    if (place === 0 || !san) return place === 0 ? "start" : "…";
    const white = / b /.test(state);
    const began = / w /.test(stops[0].state);
    const number = Math.floor((place - 1 + (began ? 0 : 1)) / 2) + 1;
    return white ? `${number}. ${san}` : place === 1 ? `${number}… ${san}` : san;
  }

  /** Goes to a position that the user has set up. */
  function show(to) {
    go(at(writeFen(to)));
  }

  function open({ state }) {
    fill(promotion);
    try {
      position = readFen(state || START);
    } catch {
      fill(message, problem(new Error("this is no FEN")));
      return;
    }
    const text = writeFen(position);
    line.stand(text);
    last = line.stops[line.here]?.uci ?? null;
    moves = [];
    fen.value = text;
    turn.value = position.turn;
    board.show(position, [], last);
    probe(state && state.trim().split(/\s+/).length > 1 ? state : text);
  }

  function probe(text) {
    const side = position.turn === "w" ? "White" : "Black";
    settled();
    shown = null;
    settled = pending(verdict, () => {
      fill(verdict, `${side} to move`);
      fill(told, "Reading …");
      fill(list);
    });
    once(() => ask(`/standard?fen=${encodeURIComponent(text)}`), (report) => {
      settled();
      shown = report;
      moves = report.moves.map(worthOf);
      line.stop.playerToMove = position.turn === "w" ? 0 : 1;
      draw();
      reply();
    }, (error) => {
      settled();
      fill(verdict, `${side} to move`);
      fill(told);
      fill(list);
      fill(message, problem(error));
    });
  }

  /** The moves as the user wants to see them. */
  const listedMoves = () => (valuesShown() ? moves : withoutValues(moves));

  /** What the user sees of a report: the board, the verdict and the moves. */
  function draw() {
    if (!shown) return;
    const report = shown;
    const side = position.turn === "w" ? "White" : "Black";
    const over = moves.length === 0;
    const hidden = !valuesShown();
    playing.refresh();
    playing.undo.disabled = line.here === 0;
    const listed = listedMoves();
    board.show(position, setting ? [] : listed, last);
    const worth = { value: VALUES[report.category] ?? "invalid", distance: report.dtm === null ? null : Math.abs(report.dtm) };
    const said = report.checkmate ? `${side} is mated` : report.stalemate ? "Stalemate" : `${side} to move`;
    const mate = worth.distance ? `mate in ${Math.ceil(worth.distance / 2)}` : report.insufficient_material ? "neither side can mate" : "";
    const other = position.turn === "w" ? "Black" : "White";
    const secret = hidden && !over;
    fill(verdict, said, secret ? null : chip(worth), secret ? null : mate);
    const result = over ? playing.outcome(worth.value, line.stop.playerToMove) : "";
    fill(told, secret ? "" : `${result}${sentence({ ...worth, over: report.checkmate || report.stalemate, side, opponent: other })}`);
    fill(message, repetition(line.stops, line.here));
    fill(list, moveGroups(listed, make));
    announce([said, told.textContent, message.textContent].filter(Boolean).join(": "));
  }

  /** The program moves: now, or if its side is to move at the end of the line. */
  function reply(now = false) {
    const report = shown;
    const due = now || (playing.isProgram(line.stop.playerToMove) && line.here === line.stops.length - 1);
    if (!report || setting || moves.length === 0 || !due) return;
    setTimeout(() => {
      if (shown === report) advance(playing.choose(moves));
    }, now ? 0 : 450);
  }

  /** Goes back to the last position in which the user was to move. */
  function takeBack() {
    let to = line.here - 1;
    while (to > 0 && playing.side !== null && line.stops[to].playerToMove !== playing.side) to -= 1;
    if (to >= 0) line.cut(to);
  }

  /** A move of the user. Against the program, it begins another line, to which the program answers. */
  function make(move) {
    if (!shown) return;
    if (playing.side !== null) line.end();
    advance(move);
  }

  function advance(move) {
    line.play({ state: writeFen(play(position, move.uci)), uci: move.uci, san: move.san });
  }

  /** The user has put a piece on a square: this is a move, or a change of the position. */
  function put(from, to, piece) {
    if (setting) {
      const pieces = new Map(position.pieces);
      if (from) pieces.delete(from);
      // Each side has one king.
      for (const [square, other] of pieces) if (to && "Kk".includes(piece) && other === piece) pieces.delete(square);
      if (to) pieces.set(to, piece);
      go(at(writeFen({ pieces, turn: position.turn, passed: "-" })), true);
      return;
    }
    const meant = moves.filter((move) => move.uci.startsWith(`${from}${to}`));
    if (meant.length === 1) make(meant[0]);
    else if (meant.length > 1) promote(meant);
    else {
      board.show(position, listedMoves(), last);
      announce(`${to ? `${from} ${to}` : "that"} is no legal move`);
    }
  }

  function promote(meant) {
    board.show(position, listedMoves(), last);
    const buttons = meant.map((move) => el("button", { type: "button", onclick: () => make(move) }, move.san, " ", chip(move)));
    fill(promotion, el("div", { class: "row", role: "group", "aria-label": "Promote to" }, "Promote: ", buttons));
    buttons[0].focus();
  }

  function set(on) {
    setting = on;
    mode.setAttribute("aria-pressed", String(on));
    tray.hidden = !on;
    board.hold(null);
    board.show(position, on ? [] : listedMoves(), last);
  }

  async function example() {
    const name = examples.value;
    if (!name) return;
    try {
      const { states } = await ask(`/tables/${encodeURIComponent(name)}/longest`);
      if (states.length > 0) go(at(writeFen(readFen(states[0].state))));
      else fill(message, el("p", {}, `${name} is always a draw.`));
    } catch (error) {
      fill(message, problem(error));
    }
  }

  async function random() {
    try {
      const names = [...examples.options].map(({ value }) => value).filter(Boolean);
      const name = examples.value || names[Math.floor(Math.random() * names.length)];
      if (!name) return;
      const { state } = await ask(`/tables/${encodeURIComponent(name)}/random`);
      go(at(writeFen(readFen(state))));
    } catch (error) {
      fill(message, problem(error));
    }
  }

  ask("/tables").then(({ tables }) => {
    const chess = tables.filter(({ game: of }) => of === "chess");
    const rest = chess.map(({ name, longest_win: longest }) => [name, longest === undefined ? name : longest ? `${name}: up to ${plies(longest)}` : `${name}: all draws`]);
    fill(examples, [["", chess.length ? "choose an endgame" : "no endgames here"], ...rest].map(([value, text]) => el("option", { value }, text)));
    if (chess.length === 0) {
      fill(message, el("p", {}, "This folder holds no chess endgames: ", el("code", {}, "retrograde build chess KQvKR --out DIR"), " makes some."));
    }
  }, () => {});

  const form = el("form", { class: "row", onsubmit: (event) => {
    event.preventDefault();
    try {
      show(readFen(fen.value));
    } catch {
      fill(message, problem(new Error("this is no FEN")));
    }
  } }, field("Position (FEN)", fen, "wide"), el("button", { type: "submit" }, "Show"));

  const element = el("div", {},
    el("h2", {}, "Chess endgames"),
    el("p", { class: "lead" }, "Every move with what it is worth, best first. Play on the board, or set a position up."),
    el("div", { class: "two" },
      el("div", {}, board.element, line.controls, promotion, tools),
      el("div", {},
        tray,
        el("section", { class: "card", "aria-label": "Value" }, verdict, told, message),
        el("section", { class: "card", "aria-label": "Line" }, el("h3", {}, "Line"), line.element),
        playing.element,
        el("section", { class: "card", "aria-label": "Moves" }, list),
        el("section", { class: "card", "aria-label": "Position" }, el("h3", {}, "Position"),
          el("div", { class: "row" }, field("Longest mate of", examples, "wide"), field("To move", turn)), form))),
    rulesOf("chess"));
  return { title: "Chess", element, open };
}

export default { build };
