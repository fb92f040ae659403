// A game against the program: which side the user plays, how well the program plays, and whether values are shown.

import { choice, el, field, fill } from "./common.js";
import { route } from "./route.js";

/** Whether values are shown, in all views. */
let shown = true;
export const valuesShown = () => shown;

/** The moves without their values, by name: what a player sees who wants to find the best one. */
export function withoutValues(moves) {
  const plain = moves.map(({ value, distance, ...move }) => ({ ...move, hidden: true }));
  return plain.sort((a, b) => a.name.localeCompare(b.name, "en", { numeric: true }));
}

export class Play {
  /**
   * `begin()` starts a new game, `move()` lets the program move, `hint()` shows the best move, `back()` takes the last move of the
   * user back, and `draw()` shows the position again. `sides` are the names of both players.
   */
  constructor({ begin, move, hint, back, draw, sides = ["the first player", "the second player"] }) {
    this.own = choice(
      [
        ["both", "both sides"],
        ["0", sides[0]],
        ["1", sides[1]],
      ],
      {
        onchange: () => {
          keep();
          draw();
        },
      },
    );
    this.strength = choice(
      [
        ["perfect", "perfectly"],
        ["weak", "with mistakes"],
      ],
      { onchange: () => keep() },
    );
    // The choices outlive a reload of the page.
    const { view, name } = route();
    const key = `play ${view} ${name}`;
    const keep = () => sessionStorage.setItem(key, JSON.stringify([this.own.value, this.strength.value]));
    [this.own.value, this.strength.value] = JSON.parse(sessionStorage.getItem(key) ?? '["both","perfect"]');
    /** What is said of the game: a hint, or that a position was there before. It stands below the buttons, which then stay in place. */
    this.note = el("div");
    this.values = el("input", {
      type: "checkbox",
      checked: shown,
      onchange: () => {
        shown = this.values.checked;
        draw();
      },
    });
    this.undo = el("button", { type: "button", onclick: back }, "Take back");
    this.tip = el("button", { type: "button", onclick: hint }, "Hint");
    this.element = el(
      "section",
      { class: "card", "aria-label": "Play" },
      el("h3", {}, "Play"),
      el("div", { class: "row" }, field("You play", this.own, "wide"), field("The program plays", this.strength, "wide")),
      el(
        "div",
        { class: "row" },
        el("button", { type: "button", onclick: begin }, "New game"),
        this.undo,
        this.tip,
        el("button", { type: "button", onclick: move }, "Let the program move"),
        el("label", { class: "check" }, this.values, "Show values"),
      ),
      this.note,
    );
  }

  /** Names the players. */
  name(sides) {
    [...this.own.options].slice(1).forEach((option, number) => {
      option.textContent = sides[number] ?? "";
    });
  }

  /** Shows the values again. */
  reveal() {
    this.values.click();
  }

  /** Says something of the game. */
  say(/** @type {Element | null} */ said) {
    fill(this.note, said);
  }

  /** Another view may have hidden the values. */
  refresh() {
    this.values.checked = shown;
  }

  /** The player of the user, 0 or 1; none if the user moves both. */
  get side() {
    return this.own.value === "both" ? null : Number(this.own.value);
  }

  /** Whether the program is to move. */
  isProgram(turn) {
    return this.side !== null && this.side !== turn;
  }

  /** The move of the program: the best one, or now and then any. */
  choose(moves) {
    const slip = this.strength.value === "weak" && Math.random() < 0.35;
    return slip ? moves[Math.floor(Math.random() * moves.length)] : moves[0];
  }

  /** `You have won.`: what a game that is over means for the user; nothing for a user who moves both. */
  outcome(value, turn) {
    if (this.side === null) return "";
    if (value === "draw") return "A draw. ";
    return (value === "win") === (this.side === turn) ? "You have won. " : "You have lost. ";
  }
}

/** The place of the stop before `here` with the same state; nothing if there is none. */
export function repeated(stops, here) {
  const before = stops.slice(0, here).findLastIndex(({ state }) => state === stops[here]?.state);
  return before < 0 ? null : before;
}

/** Says that a position was there before. */
export function repetition(stops, here) {
  const before = repeated(stops, here);
  if (before === null) return null;
  return el(
    "p",
    { class: "note", role: "status" },
    `This position was there ${before === 0 ? "at the start" : `after ply ${before}`}. Play that repeats positions without end is a draw.`,
  );
}
