// The one view for a position of any game or table: its board, its value, its moves best first, the opponent, and the line.

import { announce, capital, chip, el, fill, iconButton, latest, pending, problem, sentence, shareButton, tabs, words } from "./common.js";
import { Board, stopOf } from "./board.js";
import { hands } from "./hands.js";
import { longestWins } from "./histogram.js";
import { Line } from "./line.js";
import { moveList, reasons } from "./moves.js";
import { Play, repetition, valuesShown, withoutValues } from "./play.js";
import { go, route } from "./route.js";

/** A short name of a state: the side to move, if its text begins with that; the text itself if there is no board. */
function title({ side, board, moves, state }) {
  if (side && board) return moves.length === 0 ? `${capital(side)} to move, and the game is over` : `${capital(side)} to move`;
  return state;
}

/**
 * `look(state)` returns a view of the server, and `shades(view)` what its board shows besides men, if anything. `best(state)` returns
 * the states of best play, and `at(state)` the address of a state. A new game begins at `start()`. `share()` is the address that
 * others get. `below` stands under the board, and `rules` in a tab. `outline(state)` is the board of a state, if the page can read it.
 */
export class PositionView {
  /** @param {Record<string, any>} parts */
  constructor({
    heading,
    look,
    shades = async () => null,
    best,
    at,
    start,
    rules,
    below = null,
    share = () => location.href,
    outline = () => null,
  }) {
    this.look = look;
    this.shades = shades;
    this.at = at;
    this.outline = outline;
    /** Whether the user sets a position up, so that no side moves. */
    this.isSetUp = false;
    this.once = latest();
    this.said = el("p", { class: "said" });
    this.verdict = el("div", { class: "verdict" });
    this.message = el("div");
    this.list = el("div");
    this.hand = el("div", { class: "hands", hidden: true });
    this.state = el("input", { type: "text", spellcheck: "false", autocomplete: "off", "aria-label": "State" });
    this.board = new Board({ make: (move) => this.play(move), say: announce });
    this.why = el("div");
    this.longest = el("div");
    this.line = new Line({
      at,
      show: (state, quietly) => go(at(state), quietly),
      best: async (state) => (await best(state)).slice(1).map((stop) => ({ ...stop, name: stop.move })),
      fail: (error) => fill(this.message, problem(error)),
      name: ({ name, state, value, distance }, place) => {
        if (place === 0) return "start";
        return `${place}. ${name ?? (value && valuesShown() ? `${state} (${words({ value, distance })})` : state)}`;
      },
    });
    this.turn = iconButton("turn", "Other side to move", () => this.view?.passed && go(at(this.view.passed)));
    this.tools = el(
      "div",
      { class: "row tools", role: "group", "aria-label": "Board" },
      iconButton("flip", "Flip", () => this.board.flip()),
      iconButton("mirror", "Mirror", () => this.board.mirror()),
      this.turn,
      shareButton(share),
    );
    this.playing = new Play({
      begin: () => {
        // The line may say where the game began.
        const from = start();
        this.line.restart();
        go(at(from));
      },
      move: () => this.reply(true),
      hint: () => this.hint(),
      back: () => this.takeBack(),
      draw: () => this.view && this.verdict.ariaBusy !== "true" && this.show(this.view),
    });
    /** The view that is shown. @type {any} */
    this.view = null;
    /** The names of the players, once they are known. @type {(string | null)[] | null} */
    this.sides = null;
    /** Ends the mark of what is out of date. */
    this.settled = () => {};
    const form = el(
      "form",
      {
        class: "row",
        onsubmit: (event) => {
          event.preventDefault();
          go(at(this.state.value.trim()));
        },
      },
      el("div", { class: "field wide" }, this.state),
      el("button", { type: "submit" }, "Show"),
    );
    this.element = el(
      "div",
      { class: "play" },
      heading,
      el("div", { class: "left" }, this.board.element, this.hand, this.line.controls, this.board.choices, this.tools),
      el(
        "div",
        { class: "right" },
        el("section", { "aria-label": "Value" }, this.verdict, this.message),
        el("section", { "aria-label": "Moves" }, this.list),
        this.playing.element,
        tabs("About this position", [
          ["Line", this.line.element],
          ["Why", this.why],
          ["Longest", this.longest],
          ["Rules", rules],
        ]),
      ),
      el(
        "div",
        { class: "below" },
        below,
        el("section", { class: "card", "aria-label": "Position as text" }, el("h3", {}, "Position as text"), form),
      ),
    );
  }

  /** Shows the states with the longest wins. */
  tell(states) {
    fill(this.longest, longestWins(states, this.at));
  }

  /** Brings the verdict into sight, or the error: the user has asked for it from below. */
  reveal() {
    this.verdict.parentElement?.scrollIntoView({ block: "nearest" });
  }

  /** Shows a state; done once it is shown. */
  open(state) {
    this.line.stand(state);
    this.settled();
    const outline = this.outline(state);
    if (outline) this.board.show({ board: outline, moves: [] });
    const clear = () => {
      fill(this.verdict);
      fill(this.list);
      fill(this.why);
    };
    this.settled = pending(this.verdict, () => {
      clear();
      fill(this.verdict, el("p", { class: "said" }, "Reading …"));
    });
    return this.once(
      async () => {
        await this.restore();
        const view = await this.look(state);
        return { ...view, shades: await this.shades(view) };
      },
      (said) => {
        this.settled();
        this.show(said);
      },
      (error) => {
        this.settled();
        // What is drawn belongs to another address.
        this.board.element.inert = !outline;
        this.state.value = state;
        clear();
        fill(this.message, problem(error));
      },
    );
  }

  /** The page has been loaded with a line in its address: finds its positions. What is no line is left. */
  async restore() {
    const { from = "", line = "" } = route().parameters;
    const [here, ...moves] = line.split("~");
    if (this.line.stops.length > 1 || moves.length === 0) return;
    const stops = [{ state: from }];
    for (const [at, name] of moves.entries()) {
      const view = await this.look(stops[at].state).catch(() => null);
      const move = view?.moves.find((each) => each.move === name);
      if (!move) return;
      stops[at].playerToMove = this.playerOf(view, at);
      stops.push(stopOf({ ...move, name }));
    }
    const isLeft = this.line.stops.length > 1;
    if (!isLeft && stops[here]?.state === this.line.stop.state) [this.line.stops, this.line.here] = [stops, Number(here)];
  }

  /** The player to move in a view at a place of the line: 0 or 1. */
  playerOf({ side, opponent }, place) {
    if (side === null) return place % 2;
    if (!this.sides?.includes(side)) {
      this.sides = [side, opponent];
      this.playing.name(this.sides);
    }
    return this.sides.indexOf(side);
  }

  /** The player to move: 0 or 1. */
  get playerToMove() {
    return this.playerOf(this.view, this.line.here);
  }

  show(said) {
    const { line, playing } = this;
    const hidden = !valuesShown();
    const moves = said.moves.map((move) => ({ ...move, name: move.move }));
    this.view = { ...said, moves };
    playing.refresh();
    line.rename(said.state);
    line.stop.playerToMove = this.playerToMove;
    const shown = hidden ? withoutValues(moves) : moves;
    this.board.element.inert = false;
    this.board.show({ ...this.view, moves: this.isSetUp ? [] : shown, shades: hidden ? null : said.shades });
    const over = moves.length === 0;
    this.state.value = said.state;
    fill(this.message);
    playing.say(repetition(line.stops, line.here) ?? (said.note ? el("p", { class: "note", role: "status" }, said.note) : null));
    const result = over ? playing.outcome(said.value, this.playerToMove) : "";
    const told = hidden && !over ? "Values are hidden." : `${result}${sentence({ ...this.view, over })}`;
    fill(this.said, told);
    const worth = hidden && !over ? el("button", { type: "button", onclick: () => playing.reveal() }, "Show them") : chip(said);
    fill(this.verdict, this.said, el("p", { class: "turn" }, title(this.view), worth));
    hands(this.hand, said.board);
    fill(
      this.list,
      moveList(
        shown,
        (move) => this.play(move),
        (move) => this.board.hint(move ? move.points : []),
      ),
    );
    fill(
      this.why,
      hidden || over ? el("p", { class: "empty" }, over ? "The game is over." : "Values are hidden.") : reasons(moves, this.look),
    );
    this.turn.hidden = !said.passed;
    for (const button of [...this.tools.children].slice(0, 2)) /** @type {HTMLElement} */ (button).hidden = !said.board;
    playing.undo.disabled = line.here === 0;
    playing.tip.disabled = over;
    line.draw();
    announce([title(this.view), told, playing.note.textContent].filter(Boolean).join(": "));
    this.reply();
  }

  /** Shows the best move. */
  hint() {
    const [best] = this.view?.moves ?? [];
    if (!best) return;
    this.playing.say(
      el("p", { class: "note", role: "status" }, `The best move is ${best.name}${valuesShown() ? `: ${words(best)}` : ""}.`),
    );
    this.board.hint(best.points);
    // On a phone the board is above the button.
    this.board.element.scrollIntoView({ block: "nearest" });
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
    if (!view || view.moves.length === 0 || !due || this.isSetUp) return;
    setTimeout(
      () => {
        if (this.view !== view) return;
        this.line.play(stopOf(playing.choose(view.moves)));
      },
      now ? 0 : 450,
    );
  }
}
