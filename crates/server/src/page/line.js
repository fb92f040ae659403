// A line of play: the moves so far, and best play from there. Buttons and arrow keys step through it.

import { el, fill, iconButton } from "./common.js";
import { withLine } from "./route.js";

/** The line that is on the page. The keys are its own. @type {Line | null} */
let current = null;
document.addEventListener("keydown", (event) => current?.press(event));

export class Line {
  /**
   * `at(state)` is the address of a state. `show(state, quietly)` is called when the user steps to a stop. `best(state)` returns the stops of best play after a state,
   * and `fail(error)` shows why it cannot. `name(stop, place, stops)` is the name of a stop in the list.
   */
  constructor({ at, show, best, fail, name }) {
    this.at = at;
    this.show = show;
    this.best = best;
    this.fail = fail;
    this.name = name;
    /** @type {any[]} */
    this.stops = [];
    this.here = 0;
    const button = (icon, label, to) => iconButton(icon, label, () => this.step(to), { quiet: true });
    /** @type {[HTMLButtonElement, () => boolean][]} */
    this.buttons = [
      [button("first", "To the beginning", () => 0), () => this.here === 0],
      [button("back", "One ply back", () => this.here - 1), () => this.here === 0],
      [button("next", "One ply on", () => this.here + 1), () => this.here >= this.stops.length - 1],
      [button("last", "To the end", () => this.stops.length - 1), () => this.here >= this.stops.length - 1],
    ];
    /** It stands below the board, where nothing moves it. */
    this.controls = el(
      "div",
      { class: "row stepper", role: "group", "aria-label": "Step through the line" },
      iconButton("best", "Best line", () => this.extend(), { class: "best" }),
      this.buttons.map(([button_]) => button_),
    );
    this.element = el("div");
  }

  /** The current state. The line may be there already, or have it elsewhere; otherwise a new line begins. */
  stand(state) {
    current = this;
    if (this.stops[this.here]?.state !== state) {
      const near = [...this.stops.keys()].filter((at) => this.stops[at].state === state);
      near.sort((a, b) => Math.abs(a - this.here) - Math.abs(b - this.here));
      if (near.length > 0) [this.here] = near;
      else [this.stops, this.here] = [[{ state }], 0];
    }
    this.draw();
  }

  /** The current stop. */
  get stop() {
    return this.stops[this.here];
  }

  /** The state has another text now. */
  rename(state) {
    if (this.stop) this.stop.state = state;
  }

  /** The user has made a move. If it is the next one of the line, the rest of the line stays. */
  play(stop) {
    const next = this.stops[this.here + 1];
    if (next?.state === stop.state) Object.assign(next, stop);
    else this.stops = [...this.stops.slice(0, this.here + 1), stop];
    this.here += 1;
    this.show(stop.state, false);
  }

  go(to) {
    const place = Math.max(0, Math.min(this.stops.length - 1, to));
    if (place === this.here) return;
    this.here = place;
    this.show(this.stops[place].state, true);
  }

  /** The next position begins another line. */
  restart() {
    [this.stops, this.here] = [[], 0];
  }

  /** Drops what comes after the current stop. */
  end() {
    this.stops = this.stops.slice(0, this.here + 1);
  }

  /** Goes back to a stop, and drops what came after it. */
  cut(to) {
    this.here = to;
    this.end();
    this.show(this.stops[to].state, true);
  }

  /** Best play from here to the end. */
  async extend() {
    const from = this.stop.state;
    try {
      const stops = await this.best(from);
      if (this.stop.state !== from) return;
      this.stops = [...this.stops.slice(0, this.here + 1), ...stops];
      this.draw();
    } catch (error) {
      this.fail(error);
    }
  }

  press(event) {
    if (!this.controls.isConnected || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, textarea")) return;
    if (event.target.matches("[data-place]") && event.target.matches(":focus-visible")) return;
    const to = { ArrowLeft: this.here - 1, ArrowRight: this.here + 1, Home: 0, End: this.stops.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.go(to);
  }

  draw() {
    const { stops, here } = this;
    if (stops.length > 1 && current === this) history.replaceState(null, "", withLine(this.at(this.stop.state), stops, here));
    for (const [button, off] of this.buttons) button.disabled = off();
    const items = stops.map((stop, place) =>
      el(
        "li",
        {},
        el(
          "button",
          {
            type: "button",
            "aria-current": place === here ? "step" : null,
            tabindex: place === here ? 0 : -1,
            onclick: () => this.go(place),
          },
          this.name(stop, place, stops),
        ),
      ),
    );
    const list = el("ol", { class: "line", "aria-label": "Line" }, items);
    fill(
      this.element,
      stops.length > 1 ? list : el("p", { class: "empty" }, "No move is made yet. “Best line” shows best play to the end."),
    );
    const stop = /** @type {HTMLElement | null} */ (list.querySelector("[aria-current]"));
    if (stop && list.scrollHeight > list.clientHeight) list.scrollTop = stop.offsetTop - list.offsetTop - 40;
  }

  /** When a button at an end becomes disabled, it loses the keyboard focus; its neighbour gets it. */
  step(to) {
    const focused = /** @type {HTMLButtonElement | null} */ (document.activeElement);
    this.go(to());
    this.draw();
    if (focused?.disabled) /** @type {HTMLElement | null} */ (this.controls.querySelector("button:not(.best):not(:disabled)"))?.focus();
  }
}
