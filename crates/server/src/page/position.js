// A position of any game: its board, its value, its moves in groups, and the current line.

import { announce, chip, choice, el, field, fill, iconButton, latest, problem, sentence, shareButton, words } from "./common.js";
import { Board, stopOf } from "./board.js";
import { hands } from "./hands.js";
import { Line } from "./line.js";
import { moveGroups } from "./moves.js";
import { go } from "./route.js";

/** A short name of a state: the side to move, if its text begins with that; the text itself if there is no board. */
function title({ side, board, moves, state }) {
  if (side && board) return moves.length === 0 ? `${side} to move, and the game is over` : `${side} to move`;
  return state;
}

/**
 * The parts of the page for a position. `look(state)` returns a view of the server, `best(state)` the states of best play, and
 * `at(state)` the address of a state.
 */
export class PositionView {
  constructor({ look, best, at }) {
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
        return `${place}. ${name ?? (value ? `${state} (${words({ value, distance })})` : state)}`;
      },
    });
    this.turn = iconButton("turn", "Other side to move", () => this.view?.passed && go(at(this.view.passed)));
    this.tools = el("div", { class: "row tools", role: "group", "aria-label": "Board" },
      iconButton("flip", "Flip", () => this.board.flip()), iconButton("mirror", "Mirror", () => this.board.mirror()), this.turn, shareButton());
    /** Who answers the user's moves. */
    this.opponent = choice([["none", "no opponent: you move both"], ["perfect", "the program, without a mistake"], ["weak", "the program, with mistakes"]]);
    const form = el("form", { class: "row", onsubmit: (event) => {
      event.preventDefault();
      go(at(this.state.value.trim()));
    } }, el("div", { class: "field wide" }, this.state), el("button", { type: "submit" }, "Show"));
    this.left = el("div", {}, this.board.element, this.hand, this.line.controls, this.board.choices, this.tools);
    this.right = el("div", {},
      el("section", { class: "card", "aria-label": "Value" }, this.verdict, this.said, this.message),
      el("section", { class: "card", "aria-label": "Line" }, el("h3", {}, "Line"), this.line.element),
      el("section", { class: "card", "aria-label": "Moves" }, el("div", { class: "row" }, field("Who answers", this.opponent, "wide"),
        el("button", { type: "button", onclick: () => this.reply(true) }, "Let the program move")), this.list),
      el("section", { class: "card", "aria-label": "Position as text" }, el("h3", {}, "Position as text"), form));
  }

  /** Shows a state. */
  open(state) {
    this.line.stand(state);
    this.once(() => this.look(state), (said) => this.show(said), (error) => {
      // What is drawn belongs to another address.
      this.board.element.inert = true;
      this.state.value = state;
      fill(this.verdict);
      fill(this.said);
      fill(this.list);
      fill(this.message, problem(error));
    });
  }

  show(said) {
    const { line } = this;
    const moves = said.moves.map((move) => ({ ...move, name: move.move }));
    this.view = { ...said, moves };
    this.board.element.inert = false;
    this.board.show(this.view);
    line.rename(said.state);
    const over = moves.length === 0;
    this.state.value = said.state;
    fill(this.message);
    fill(this.verdict, title(this.view), chip(said));
    fill(this.said, sentence({ ...this.view, over }));
    hands(this.hand, said.board);
    fill(this.list, moveGroups(moves, (move) => this.play(move)));
    this.turn.hidden = !said.passed;
    for (const button of [...this.tools.children].slice(0, 2)) button.hidden = !said.board;
    line.draw();
    announce(`${title(this.view)}: ${sentence({ ...this.view, over })}`);
    this.reply();
  }

  /** Makes a move of the user. If the program is the opponent, it answers once the next position is there. */
  play(move) {
    this.turnOf = this.view?.side ?? null;
    this.answers = this.opponent.value !== "none";
    this.line.play(stopOf(move));
  }

  /** The program moves: now, or in answer to a move of the user that has passed the turn. */
  reply(now = false) {
    const { view } = this;
    const kept = view?.side !== null && view?.side === this.turnOf;
    if (!view || view.moves.length === 0 || (!now && (!this.answers || kept))) return;
    this.answers = false;
    setTimeout(() => {
      if (this.view !== view) return;
      const { moves } = view;
      const slip = this.opponent.value === "weak" && Math.random() < 0.35;
      this.line.play(stopOf(slip ? moves[Math.floor(Math.random() * moves.length)] : moves[0]));
    }, now ? 0 : 450);
  }
}
