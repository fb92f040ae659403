// A position of any game: its board, its value, its moves in groups, and the current line.

import { announce, chip, el, fill, iconButton, latest, pending, problem, sentence, shareButton, words } from "./common.js";
import { Board, stopOf } from "./board.js";
import { hands } from "./hands.js";
import { Line } from "./line.js";
import { moveGroups, reasons } from "./moves.js";
import { Play, repetition, valuesShown, withoutValues } from "./play.js";
import { go } from "./route.js";

/** A short name of a state: the side to move, if its text begins with that; the text itself if there is no board. */
function title({ side, board, moves, state }) {
  if (side && board) return moves.length === 0 ? `${side} to move, and the game is over` : `${side} to move`;
  return state;
}

/**
 * The parts of the page for a position. `look(state)` returns a view of the server, `best(state)` the states of best play, and
 * `at(state)` the address of a state. A new game begins at `start()`. `share()` is the address that others get.
 */
export class PositionView {
  constructor({ look, best, at, start, share = () => location.href }) {
    Object.assign(this, { look, at });
    this.once = latest();
    this.verdict = el("div", { class: "verdict" });
    this.said = el("p", { class: "said" });
    this.message = el("div");
    this.list = el("div");
    this.hand = el("div", { class: "hands", hidden: true });
    this.state = el("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "State" });
    this.board = new Board({ make: (move) => this.play(move), say: announce });
    this.line = new Line({
      show: (state, quietly) => go(at(state), quietly),
      best: async (state) => (await best(state)).slice(1).map((stop) => ({ ...stop, name: stop.move })),
      fail: (error) => fill(this.message, problem(error)),
      name: ({ name, state, value, distance }, place) => {
        if (place === 0) return "start";
        return `${place}. ${name ?? (value && valuesShown() ? `${state} (${words({ value, distance })})` : state)}`;
      },
    });
    this.turn = iconButton("turn", "Other side to move", () => this.view?.passed && go(at(this.view.passed)));
    this.tools = el("div", { class: "row tools", role: "group", "aria-label": "Board" },
      iconButton("flip", "Flip", () => this.board.flip()), iconButton("mirror", "Mirror", () => this.board.mirror()), this.turn, shareButton(share));
    this.playing = new Play({
      begin: () => {
        this.line.restart();
        go(at(start()));
      },
      move: () => this.reply(true),
      back: () => this.takeBack(),
      draw: () => this.view && this.verdict.ariaBusy !== "true" && this.show(this.view),
    });
    /** The names of the players, once they are known: the first one is to move in the first position that is shown. */
    this.sides = null;
    const form = el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      go(at(this.state.value.trim()));
    } }, el("div", { class: "field wide" }, this.state), el("button", { type: "submit" }, "Show"));
    this.left = el("div", {}, this.board.element, this.hand, this.line.controls, this.board.choices, this.tools);
    this.right = el("div", {},
      el("section", { class: "card", "aria-label": "Value" }, this.verdict, this.said, this.message),
      el("section", { class: "card", "aria-label": "Line" }, el("h3", {}, "Line"), this.line.element),
      this.playing.element,
      el("section", { class: "card", "aria-label": "Moves" }, this.list),
      el("section", { class: "card", "aria-label": "Position as text" }, el("h3", {}, "Position as text"), form));
  }

  /** Shows a state. */
  open(state) {
    this.line.stand(state);
    this.settled?.();
    this.settled = pending(this.verdict, () => {
      fill(this.verdict);
      fill(this.said, "Reading …");
      fill(this.list);
    });
    this.once(() => this.look(state), (said) => {
      this.settled();
      this.show(said);
    }, (error) => {
      this.settled();
      // What is drawn belongs to another address.
      this.board.element.inert = true;
      this.state.value = state;
      fill(this.verdict);
      fill(this.said);
      fill(this.list);
      fill(this.message, problem(error));
    });
  }

  /** The player to move: 0 or 1. */
  get playerToMove() {
    const { side } = this.view;
    return side === null ? this.line.here % 2 : this.sides.indexOf(side);
  }

  show(said) {
    const { line, playing } = this;
    const hidden = !valuesShown();
    const moves = said.moves.map((move) => ({ ...move, name: move.move }));
    this.view = { ...said, moves };
    if (said.side !== null && !this.sides?.includes(said.side)) {
      this.sides = [said.side, said.opponent];
      playing.name(this.sides);
    }
    playing.refresh();
    line.rename(said.state);
    line.stop.playerToMove = this.playerToMove;
    const shown = hidden ? withoutValues(moves) : moves;
    this.board.element.inert = false;
    this.board.show({ ...this.view, moves: shown });
    const over = moves.length === 0;
    this.state.value = said.state;
    fill(this.message, repetition(line.stops, line.here));
    fill(this.verdict, title(this.view), hidden && !over ? null : chip(said));
    const result = over ? playing.outcome(said.value, this.playerToMove) : "";
    const told = hidden && !over ? "" : `${result}${sentence({ ...this.view, over })}`;
    fill(this.said, told);
    hands(this.hand, said.board);
    fill(this.list, moveGroups(shown, (move) => this.play(move)), hidden || over ? null : reasons(moves, this.look));
    this.turn.hidden = !said.passed;
    for (const button of [...this.tools.children].slice(0, 2)) button.hidden = !said.board;
    playing.undo.disabled = line.here === 0;
    line.draw();
    announce([title(this.view), told, this.message.textContent].filter(Boolean).join(": "));
    this.reply();
  }

  /** Makes a move of the user. Against the program, it begins another line, to which the program answers. */
  play(move) {
    // The moves on the page are those of the position before.
    if (this.verdict.ariaBusy === "true") return;
    if (this.playing.side !== null) this.line.end();
    this.line.play(stopOf(move));
  }

  /** Goes back to the last position in which the user was to move. The line ends there. */
  takeBack() {
    const { line, playing } = this;
    let to = line.here - 1;
    while (to > 0 && playing.side !== null && line.stops[to].playerToMove !== playing.side) to -= 1;
    if (to >= 0) line.cut(to);
  }

  /** The program moves: now, or if its side is to move at the end of the line. */
  reply(now = false) {
    const { view, line, playing } = this;
    const due = now || (playing.isProgram(this.playerToMove) && line.here === line.stops.length - 1);
    if (!view || view.moves.length === 0 || !due) return;
    setTimeout(() => {
      if (this.view !== view) return;
      this.line.play(stopOf(playing.choose(view.moves)));
    }, now ? 0 : 450);
  }
}
