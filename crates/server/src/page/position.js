// A position of any game: its board, what it is worth, its moves in groups, and the line one is on.

import { announce, chip, el, fill, iconButton, latest, problem, shareButton, words } from "./common.js";
import { Board, stopOf } from "./board.js";
import { Line } from "./line.js";
import { moveGroups } from "./moves.js";
import { go } from "./route.js";

/** How a state is said in short: who is to move, where its text begins with that; the text itself where there is no board. */
function title(view) {
  const over = view.moves.length === 0;
  if (view.side && view.picture) return over ? `${view.side} to move, and the game is over` : `${view.side} to move`;
  return view.state;
}

/**
 * The parts of the page for a position. `look(state)` answers a view of the server, `best(state)` the states of best play, and
 * `at(state)` the address of a state.
 */
export class PositionView {
  constructor({ look, best, at, drawn = (view) => view }) {
    Object.assign(this, { look, at, drawn });
    this.once = latest();
    this.verdict = el("div", { class: "verdict" });
    this.message = el("div");
    this.list = el("div");
    this.state = el("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "State" });
    this.board = new Board({ make: (move) => this.play(move), say: announce });
    this.line = new Line({
      show: (state, quietly) => go(at(state), quietly),
      best: async (state) => (await best(state)).slice(1).map((stop) => ({ ...stop, name: null })),
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
    this.left = el("div", {}, this.board.element, this.board.choices, this.tools, form);
    this.right = el("div", {},
      el("section", { class: "card", "aria-label": "Value" }, this.verdict, this.message, this.list),
      el("section", { class: "card", "aria-label": "Line" }, el("h3", {}, "Line"), this.line.element));
  }

  /** Shows a state. */
  open(state) {
    this.line.stand(state);
    this.once(() => this.look(state), (said) => {
      const view = this.drawn(said);
      // Moves to mirror images of one position are one move.
      const first = view.moves.filter((move, place) => move.to === null || view.moves.findIndex(({ to }) => to === move.to) === place);
      const moves = first.map((move) => ({ ...move, name: move.move }));
      this.view = { ...view, moves };
      this.board.show(this.view);
      for (const move of moves) move.name = this.board.nameOf(move) ?? move.name;
      this.line.rename(view.state);
      this.state.value = view.state;
      fill(this.message);
      fill(this.verdict, title(view), chip(view));
      fill(this.list, moveGroups(moves, (move) => this.play(move)));
      this.turn.hidden = !view.passed;
      for (const button of [...this.tools.children].slice(0, 2)) button.hidden = !view.picture;
      this.line.draw();
      announce(`${title(view)}: ${words(view)}`);
    }, (error) => {
      this.state.value = state;
      fill(this.verdict);
      fill(this.list);
      fill(this.message, problem(error));
    });
  }

  play(move) {
    if (move.to === null) {
      announce("this move leads out of the game");
      return;
    }
    this.board.made(move);
    this.line.play(stopOf(move));
  }
}
