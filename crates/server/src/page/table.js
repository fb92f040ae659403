// One table: its positions, and its explorer: histogram, longest wins, a random position, counts of each side.

import { ask, counted, el, fill, iconButton, plies, problem, rulesOf } from "./common.js";
import { explorer } from "./histogram.js";
import { PositionView } from "./position.js";
import { address, go } from "./route.js";

function build(name) {
  /** @type {`/tables/${string}`} */
  const path = `/tables/${encodeURIComponent(name)}`;
  const lead = el("p", { class: "lead" });
  const summary = el("section", { class: "card", "aria-label": "Explorer" });
  const place = el("div");
  const rules = el("div");
  let chess = false;
  let header = null;
  let first = "";
  const at = (state) => (chess ? address("chess", undefined, state) : address("table", name, state));
  const position = new PositionView({
    heading: el("h2", {}, name),
    rules,
    below: summary,
    look: (state) => ask(`${path}/probe?state=${encodeURIComponent(state)}&view=true`),
    // In a game of regions, play continues in another table.
    best: async (state) =>
      (await ask(`/tables/${encodeURIComponent(position.view?.table ?? name)}/line?state=${encodeURIComponent(state)}`)).states,
    at,
    start: () => first,
  });

  async function random() {
    try {
      const { state } = await ask(`${path}/random`);
      go(at(state));
    } catch (error) {
      fill(place, problem(error));
    }
  }

  async function load() {
    const stats = await ask(`${path}/stats`);
    const [about, { states }] = await Promise.all([ask(path), ask(`${path}/longest`)]);
    header = about;
    chess = header.game === "chess";
    first = header.start ?? states[0]?.state ?? "";
    const total = counted(header.states ?? header.numbers, "state");
    fill(
      lead,
      `${header.game}${stats.title ? `, ${stats.title}` : ""}: ${total} in ${counted(header.bytes, "byte")}`,
      stats.longest_win ? `; the longest win takes ${plies(stats.longest_win)}.` : ".",
    );
    fill(rules, lead, rulesOf(header.game, header.game === "text" ? header.board : null));
    fill(
      summary,
      el("div", { class: "row spread" }, el("h3", {}, "Explorer"), iconButton("random", "Random position", random)),
      explorer(stats),
    );
    position.tell(states);
  }

  let loaded = null;

  async function open({ state }) {
    try {
      loaded ??= load();
      await loaded;
    } catch (error) {
      position.element.hidden = true;
      fill(place, problem(error));
      return;
    }
    if (state || first) position.open(state || first);
    else random();
  }

  return { title: name, element: el("div", {}, place, position.element), open };
}

export default { build };
