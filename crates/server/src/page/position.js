// A position of any game: its board, its value, its moves in groups, and the current line.

import { announce, chip, el, fill, iconButton, latest, problem, sentence, shareButton, words } from "./common.js";
import { Board, stopOf } from "./board.js";
import { hands } from "./hands.js";
import { Line } from "./line.js";
import { moveGroups } from "./moves.js";
import { go } from "./route.js";

/** A short name of a state: the side to move, if its text begins with that; the text itself if there is no board. */
function title({ side, picture, moves, state }) {
  if (side && picture) return moves.length === 0 ? `${side} to move, and the game is over` : `${side} to move`;
  return state;
}

/**
 * The parts of the page for a position. `look(state)` returns a view of the server, `best(state)` the states of best play, and
 * `at(state)` the address of a state.
 */
export class PositionView {
  constructor({ look, best, at, drawn = (view) => view }) {
    Object.assign(this, { look, at, drawn });
    this.once = latest();
    this.verdict = el("div", { class: "verdict" });
    this.said = el("p", { class: "said" });
    this.message = el("div");
    this.list = el("div");
    this.hand = el("div", { class: "hands", hidden: true });
    this.state = el("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "State" });
    this.board = new Board({ make: (move, made) => this.play(move, made), say: announce });
    this.line = new Line({
      show: (state, quietly) => go(at(state), quietly),
      best: async (state) => this.board.along((await best(state)).slice(1).map((stop) => ({ ...stop, name: stop.move }))),
      fail: (error) => fill(this.message, problem(error)),
      name: ({ name, state, value, distance }, place) => {
        if (place === 0) return "start";
        return `${place}. ${name ?? (value ? `${state} (${words({ value, distance })})` : state)}`;
      },
    });
    this.turn = iconButton("turn", "Other side to move", () => this.view?.passed && go(at(this.view.passed)));
    this.tools = el("div", { class: "row tools", role: "group", "aria-label": "Board" },
      iconButton("flip", "Flip", () => this.board.flip()), iconButton("mirror", "Mirror", () => this.board.mirror()), this.turn, shareButton());
    const form = el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      go(at(this.state.value.trim()));
    } }, el("div", { class: "field wide" }, this.state), el("button", { type: "submit" }, "Show"));
    this.left = el("div", {}, this.board.element, this.hand, this.line.controls, this.board.choices, this.tools);
    this.right = el("div", {},
      el("section", { class: "card", "aria-label": "Value" }, this.verdict, this.said, this.message),
      el("section", { class: "card", "aria-label": "Line" }, el("h3", {}, "Line"), this.line.element),
      el("section", { class: "card", "aria-label": "Moves" }, this.list),
      el("section", { class: "card", "aria-label": "Position as text" }, el("h3", {}, "Position as text"), form));
  }

  /** Shows a state. */
  open(state) {
    this.line.stand(state);
    this.once(() => this.look(state), (said) => this.show(this.drawn(said)), (error) => {
      this.state.value = state;
      fill(this.verdict);
      fill(this.said);
      fill(this.list);
      fill(this.message, problem(error));
    });
  }

  show(said) {
    const { line } = this;
    // Moves to mirror images of one position count as one move.
    const first = said.moves.filter((move, place) => move.to === null || said.moves.findIndex(({ to }) => to === move.to) === place);
    const moves = first.map((move) => ({ ...move, name: move.move }));
    this.view = { ...said, moves };
    // At each ply of a line the other player is to move, even if the letters of the position do not show it.
    const swapped = line.here % 2 === 1;
    const seen = line.stop?.seen ?? line.stops[line.here - 1]?.ahead?.get(said.state);
    this.board.show(this.view, { seen, swapped });
    if (this.board.round) [this.view.side, this.view.opponent] = swapped ? ["o", "x"] : ["x", "o"];
    for (const move of moves) move.name = this.board.nameOf(move) ?? move.name;
    line.rename(said.state);
    if (this.board.round) {
      line.stop.seen = this.board.text;
      line.stop.ahead = new Map(this.board.moves.map(({ move, there }) => [move.to, there]));
    }
    const over = moves.length === 0;
    this.state.value = said.state;
    fill(this.message);
    fill(this.verdict, title(this.view), chip(said));
    fill(this.said, sentence({ ...this.view, over }));
    hands(this.hand, said.hand);
    fill(this.list, moveGroups(moves, (move) => this.play(move)));
    this.turn.hidden = !said.passed;
    for (const button of [...this.tools.children].slice(0, 2)) button.hidden = !said.picture;
    line.draw();
    announce(`${title(this.view)}: ${sentence({ ...this.view, over })}`);
  }

  /** Makes a move. For a move that was clicked on the board, the look of the board after it identifies the way. */
  play(move, { there, name } = {}) {
    if (move.to === null) {
      announce("this move leads out of the game");
      return;
    }
    const way = this.board.moves?.find((one) => one.move === move);
    const seen = this.board.round ? there ?? way?.there : undefined;
    this.line.play(stopOf({ ...move, name: name ?? move.name, seen }));
  }
}
