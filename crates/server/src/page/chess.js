// Chess endgames: set up, played on, every move with its value and its distance, best play to the mate.

import { announce, ask, chip, choice, el, field, fill, latest, lineList, moveList, problem, walker, words } from "./common.js";
import { Board, play, readFen, writeFen } from "./chessboard.js";

const OPPOSITE = { win: "loss", loss: "win", draw: "draw" };
const START = "8/8/8/8/8/2k5/8/KQ6 w - - 0 1";

/** A move of a report, worth what it is to the player who makes it. */
function worthOf(move) {
  return { ...move, value: OPPOSITE[move.category], distance: move.dtm === null ? null : Math.abs(move.dtm) + 1 };
}

function build() {
  const once = latest();
  const board = new Board(put);
  let setting = false;
  /** The positions gone through, each with the move that led to it. */
  let game = [{ position: readFen(START), move: null }];
  let here = 0;
  let moves = [];

  const fen = el("input", { type: "text", spellcheck: "false", autocomplete: "off" });
  const verdict = el("div", { class: "verdict" });
  const list = el("div");
  const line = el("div");
  const message = el("div");
  const promotion = el("div");
  const examples = choice([["", "…"]], { onchange: example });
  const mode = el("button", { type: "button", "aria-pressed": "false", onclick: () => set(!setting) }, "Set up");
  const tray = el("div", { hidden: true },
    el("p", { class: "lead" }, "Drag pieces, or click one and then a square. Off the board, or by Delete, a piece goes away."),
    board.tray,
    el("div", { class: "row" }, el("button", { type: "button", onclick: clear }, "Clear the board")));
  const turn = choice([["w", "White"], ["b", "Black"]], {
    onchange: () => begin({ ...current(), turn: turn.value, passed: "-" }),
  });

  function current() {
    return game[here].position;
  }

  /** Begins anew from a position. */
  function begin(position) {
    game = [{ position, move: null }];
    go(0);
  }

  function go(place) {
    here = place;
    moves = [];
    fill(promotion);
    const position = current();
    fen.value = writeFen(position);
    turn.value = position.turn;
    board.show(position, [], game[here].move);
    showLine();
    probe();
  }

  function probe() {
    const position = current();
    once(() => ask(`/standard?fen=${encodeURIComponent(writeFen(position))}`), (report) => {
      moves = report.moves.map(worthOf);
      board.show(position, setting ? [] : moves, game[here].move);
      const worth = { value: report.category, distance: report.dtm === null ? null : Math.abs(report.dtm) };
      const side = position.turn === "w" ? "White" : "Black";
      const said = report.checkmate ? `${side} is mated` : report.stalemate ? "Stalemate" : `${side} to move`;
      const mate = worth.distance ? `mate in ${Math.ceil(worth.distance / 2)}` : "";
      fill(verdict, said, chip(worth), mate);
      fill(message);
      fill(list, moveList(moves, (move) => move.san, make));
      announce(`${said}: ${words(worth)}`);
    }, (error) => {
      fill(verdict, `${position.turn === "w" ? "White" : "Black"} to move`);
      fill(list);
      fill(message, problem(error));
    });
  }

  function make(move) {
    game = [...game.slice(0, here + 1), { position: play(current(), move.uci), move: move.uci, san: move.san }];
    go(here + 1);
  }

  /** A piece was put somewhere: a move, or a change of the position. */
  function put(from, to, piece) {
    if (setting) {
      const pieces = new Map(current().pieces);
      if (from) pieces.delete(from);
      if (to) pieces.set(to, piece);
      begin({ pieces, turn: current().turn, passed: "-" });
      return;
    }
    const meant = moves.filter((move) => move.uci.startsWith(`${from}${to}`));
    if (meant.length === 1) make(meant[0]);
    else if (meant.length > 1) promote(meant);
    else {
      board.show(current(), moves, game[here].move);
      announce(`${to ? `${from} ${to}` : "that"} is no legal move`);
    }
  }

  function promote(meant) {
    board.show(current(), moves, game[here].move);
    const buttons = meant.map((move) => el("button", { type: "button", onclick: () => make(move) }, move.san, " ", chip(move)));
    fill(promotion, el("div", { class: "row", role: "group", "aria-label": "Promote to" }, "Promote: ", buttons));
    buttons[0].focus();
  }

  function set(on) {
    setting = on;
    mode.setAttribute("aria-pressed", String(on));
    tray.hidden = !on;
    board.hold(null);
    board.show(current(), on ? [] : moves, game[here].move);
  }

  function clear() {
    begin({ pieces: new Map([["e1", "K"], ["e8", "k"]]), turn: "w", passed: "-" });
  }

  function showLine() {
    if (game.length === 1) {
      fill(line, el("button", { type: "button", onclick: best }, "Play the best line"));
      return;
    }
    let number = 1;
    const names = game.map(({ san, position }, place) => {
      if (place === 0) return "start";
      const white = position.turn === "b";
      const name = white ? `${number}. ${san}` : place === 1 ? `${number}… ${san}` : san;
      if (!white) number++;
      return name;
    });
    fill(line, walker(game.length, here, go), lineList(names, here, go),
      el("div", { class: "row" }, el("button", { type: "button", onclick: best }, "Best line from here")));
  }

  async function best() {
    try {
      const said = await ask(`/standard/mainline?fen=${encodeURIComponent(writeFen(current()))}`);
      if (said.mainline.length === 0) {
        fill(message, el("p", {}, said.winner ? "The tables keep no distances: nobody sees the way to mate." : "Nothing is to be won here: a draw."));
        return;
      }
      const kept = game.slice(0, here + 1);
      for (const { uci, san } of said.mainline) {
        kept.push({ position: play(kept.at(-1).position, uci), move: uci, san });
      }
      game = kept;
      go(here);
      announce(`${said.mainline.length} plies of best play`);
    } catch (error) {
      fill(message, problem(error));
    }
  }

  async function example() {
    const name = examples.value;
    if (!name) return;
    try {
      const { placements } = await ask(`/tables/${encodeURIComponent(name)}/stats`);
      const sides = [placements.white, placements.black].filter((side) => side?.fen);
      sides.sort((a, b) => b.longest - a.longest);
      if (sides.length > 0) begin(readFen(sides[0].fen));
      else fill(message, el("p", {}, `${name} is always a draw.`));
    } catch (error) {
      fill(message, problem(error));
    }
  }

  ask("/tables").then(({ tables }) => {
    const chess = tables.filter(({ game: of }) => of === "chess");
    const rest = chess.map(({ name, longest_win: longest }) => [name, longest ? `${name}: up to ${longest} plies` : `${name}: all draws`]);
    fill(examples, [["", chess.length ? "choose an endgame" : "no endgames here"], ...rest].map(([value, text]) => el("option", { value }, text)));
    if (chess.length === 0) {
      fill(message, el("p", {}, "This folder holds no chess endgames: ", el("code", {}, "retrograde build chess KQvKR --out DIR"), " makes some."));
    }
  }, () => {});

  const form = el("form", { class: "row", onsubmit: (event) => {
    event.preventDefault();
    try {
      begin(readFen(fen.value));
    } catch {
      fill(message, problem(new Error("this is no FEN")));
    }
  } }, field("Position (FEN)", fen, "wide"), el("button", { type: "submit" }, "Show"));

  go(0);
  return el("div", {},
    el("h2", {}, "Chess endgames"),
    el("p", { class: "lead" }, "Every move with what it is worth, best first. Play on the board, or set a position up."),
    el("div", { class: "two" },
      el("div", {},
        el("div", { class: "row" }, field("Longest mate of", examples, "wide"), field("To move", turn), mode),
        board.element, promotion, tray),
      el("div", {},
        el("section", { class: "card", "aria-label": "Value" }, verdict, message, list),
        el("section", { class: "card", "aria-label": "Best play" }, el("h3", {}, "Line"), line),
        form)));
}

export default { title: "Chess", build };
