// A chess board of sixty-four buttons. The user drags pieces, or picks them up and puts them down with clicks or keys.

import { arrows, el, fill, words, SIGNS } from "./common.js";
import { drawing, pieceName } from "./pieces.js";

/** The pieces of a FEN by the names of their squares, and the side to move. */
export function readFen(fen) {
  const [board, turn = "w", , passed = "-"] = fen.trim().split(/[\s_]+/);
  if (!/^([1-8KQRBNPkqrbnp]{1,8}\/){7}[1-8KQRBNPkqrbnp]{1,8}$/.test(board) || !"wb".includes(turn)) throw new Error("no FEN");
  const pieces = new Map();
  board.split("/").forEach((text, row) => {
    let file = 0;
    for (const letter of text) {
      if (/\d/.test(letter)) file += Number(letter);
      else pieces.set(square(row, file++), letter);
    }
  });
  return { pieces, turn, passed };
}

/** The FEN of pieces. */
export function writeFen({ pieces, turn, passed }) {
  const rows = [];
  for (let row = 0; row < 8; row++) {
    let text = "";
    let empty = 0;
    for (let file = 0; file < 8; file++) {
      const piece = pieces.get(square(row, file));
      if (!piece) {
        empty++;
        continue;
      }
      text += (empty || "") + piece;
      empty = 0;
    }
    rows.push(text + (empty || ""));
  }
  return `${rows.join("/")} ${turn} - ${passed} 0 1`;
}

/** The position after a move in UCI. */
export function play(position, uci) {
  const pieces = new Map(position.pieces);
  const [from, to, promotion] = [uci.slice(0, 2), uci.slice(2, 4), uci[4]];
  const piece = pieces.get(from);
  const pawn = piece.toLowerCase() === "p";
  const passing = pawn && from[0] !== to[0] && !pieces.has(to);
  if (passing) pieces.delete(to[0] + from[1]);
  pieces.delete(from);
  pieces.set(to, promotion ? (position.turn === "w" ? promotion.toUpperCase() : promotion) : piece);
  const double = pawn && Math.abs(Number(from[1]) - Number(to[1])) === 2;
  const passed = double ? `${from[0]}${(Number(from[1]) + Number(to[1])) / 2}` : "-";
  return { pieces, turn: position.turn === "w" ? "b" : "w", passed };
}

/** The mirror image of the position: files a and h are exchanged. */
export function mirrored({ pieces, turn }) {
  const file = (name) => "abcdefgh"[7 - "abcdefgh".indexOf(name[0])] + name[1];
  return { pieces: new Map([...pieces].map(([name, piece]) => [file(name), piece])), turn, passed: "-" };
}

function square(row, file) {
  return "abcdefgh"[file] + (8 - row);
}

/**
 * The board. It calls `take(from, to)` when the user puts a piece on a square. `from` is null for a piece of the tray, and `to`
 * is null for a piece that is thrown away.
 */
export class Board {
  constructor(take) {
    this.take = take;
    this.held = null;
    this.flipped = false;
    this.squares = new Map();
    const cells = [];
    for (let row = 0; row < 8; row++) {
      for (let file = 0; file < 8; file++) {
        cells.push(el("button", { type: "button", "data-row": row, "data-column": file, tabindex: row + file === 0 ? 0 : -1 }));
      }
    }
    this.cells = cells;
    this.turn();
    this.element = el("div", { class: "board", role: "group", "aria-label": "Chess board. Arrow keys walk over it, Enter picks a piece up and puts it down, Delete removes it." }, cells);
    this.tray = el("div", { class: "tray", role: "group", "aria-label": "Pieces to put on the board" },
      [..."KQRBNPkqrbnp"].map((piece) => el("button", {
        type: "button", "data-piece": piece, "aria-label": pieceName(piece), "aria-pressed": "false",
      }, drawing(piece))));
    arrows(this.element);
    this.listen();
  }

  /** Names the squares, as the board is turned. */
  turn() {
    this.squares.clear();
    for (const cell of this.cells) {
      const [row, file] = [Number(cell.dataset.row), Number(cell.dataset.column)];
      cell.dataset.square = this.flipped ? square(7 - row, 7 - file) : square(row, file);
      this.squares.set(cell.dataset.square, cell);
    }
  }

  flip() {
    this.flipped = !this.flipped;
    this.turn();
    this.draw();
  }

  /** Shows a position, with the value of each move on its target square. */
  show(position, moves = [], last = null) {
    this.position = position;
    this.moves = moves;
    this.last = last;
    if (this.held?.from && !position.pieces.has(this.held.from)) this.held = null;
    this.draw();
  }

  /** Changes only squares that look different, because a drag must end on the element where it began. */
  draw() {
    const from = this.held?.from ?? null;
    for (const [name, cell] of this.squares) {
      const piece = this.position.pieces.get(name);
      const target = from && this.moves.find((move) => move.uci.startsWith(from + name));
      const parts = [];
      if (piece) parts.push(drawing(piece));
      if (cell.dataset.column === "0") parts.push(el("span", { class: "rank", "data-name": name[1] }));
      if (cell.dataset.row === "7") parts.push(el("span", { class: "file", "data-name": name[0] }));
      if (target?.value) parts.push(el("span", { class: `worth ${target.value}`, "data-worth": `${SIGNS[target.value]}${target.distance ?? ""}` }));
      fill(cell, parts);
      cell.className = [
        (Number(cell.dataset.row) + Number(cell.dataset.column)) % 2 ? "dark" : "",
        name === from ? "held" : "",
        target ? `target ${target.value ?? ""}` : "",
        this.last && (this.last.slice(0, 2) === name || this.last.slice(2, 4) === name) ? "last" : "",
      ].join(" ");
      const holds = piece ? pieceName(piece) : "empty";
      cell.setAttribute("aria-label", `${name}, ${holds}${name === from ? ", picked up" : ""}${target ? `, ${target.value ? words(target) : "can be moved to"}` : ""}`);
    }
    for (const button of this.tray.children) {
      button.setAttribute("aria-pressed", String(this.held?.piece === button.dataset.piece && !from));
    }
  }

  hold(held) {
    this.held = held;
    this.draw();
  }

  put(name) {
    const { from, piece } = this.held;
    this.held = null;
    if (from === name) this.draw();
    else this.take(from, name, piece);
  }

  listen() {
    const press = (name) => {
      const piece = this.position.pieces.get(name);
      if (this.held) this.put(name);
      else if (piece) this.hold({ from: name, piece });
    };
    this.element.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-square]");
      // The click after a drag must not undo the drag.
      if (cell && !this.dragged) press(cell.dataset.square);
      this.dragged = false;
    });
    this.element.addEventListener("keydown", (event) => {
      const name = event.target.closest("[data-square]")?.dataset.square;
      if (event.key === "Escape") this.hold(null);
      if (name && (event.key === "Delete" || event.key === "Backspace") && this.position.pieces.has(name)) {
        event.preventDefault();
        this.held = null;
        this.take(name, null, this.position.pieces.get(name));
      }
    });
    this.tray.addEventListener("click", (event) => {
      const piece = event.target.closest("[data-piece]")?.dataset.piece;
      if (!piece || this.dragged) {
        this.dragged = false;
        return;
      }
      this.hold(this.held?.piece === piece && !this.held.from ? null : { from: null, piece });
    });
    for (const area of [this.element, this.tray]) {
      area.addEventListener("pointerdown", (event) => this.grab(event));
    }
  }

  /** A drag begins after the pointer has moved a few pixels. */
  grab(event) {
    const cell = event.target.closest("[data-square], [data-piece]");
    if (!cell || event.button !== 0) return;
    this.dragged = false;
    const from = cell.dataset.square ?? null;
    const piece = cell.dataset.piece ?? this.position.pieces.get(from);
    if (!piece) return;
    const begun = [event.clientX, event.clientY];
    let ghost = null;
    const move = (at) => {
      if (!ghost) {
        if (Math.hypot(at.clientX - begun[0], at.clientY - begun[1]) < 6) return;
        ghost = el("div", { class: "dragged" }, drawing(piece));
        document.body.append(ghost);
        this.hold({ from, piece });
      }
      ghost.style.left = `${at.clientX}px`;
      ghost.style.top = `${at.clientY}px`;
    };
    const end = (at) => {
      document.removeEventListener("pointermove", move);
      document.removeEventListener("pointerup", end);
      document.removeEventListener("pointercancel", end);
      if (!ghost) return;
      ghost.remove();
      this.dragged = true;
      // A click only follows if the pointer went down and up on one element.
      setTimeout(() => { this.dragged = false; }, 0);
      const under = document.elementFromPoint(at.clientX, at.clientY)?.closest?.("[data-square]");
      this.held = null;
      if (at.type === "pointercancel" || under?.dataset.square === from) this.draw();
      else if (under && this.element.contains(under)) this.take(from, under.dataset.square, piece);
      else if (from) this.take(from, null, piece);
      else this.draw();
    };
    document.addEventListener("pointermove", move);
    document.addEventListener("pointerup", end);
    document.addEventListener("pointercancel", end);
  }
}
