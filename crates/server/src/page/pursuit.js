// What pursuit has besides its view: walls, exits and players that the user paints on the board.

import { el } from "./common.js";

/** The sides and places of a state such as `police 3,0 5,4`. */
const read = (state) => state.split(" ");

/** The rows of the text of a board, without a first line that says its size. */
const rowsOf = (text) =>
  text
    .replace(/\r/g, "")
    .split("\n")
    .map((row) => row.trimEnd())
    .filter((row, at) => row !== "" && !(at === 0 && /^\d/.test(row)));

/**
 * The values of all places of the thief, as states to ask about; `name` is the point.
 *
 * @param {import("./board.js").View} view
 */
export function placesOfThief({ state, board }) {
  const [side, ...places] = read(state);
  const floor = (board?.points ?? []).filter(({ ground }) => ground !== "wall");
  return floor.map(({ name }) => ({ name, state: [side, ...places.slice(0, -1), name].join(" ") }));
}

/**
 * The buttons that say what a click does. `position` is the view, `text()` the text of the board, and `change(text, state)` shows
 * another board or position.
 */
export function painter(position, text, change) {
  /** The cells without players: the cell under a player may be an exit. */
  const bare = () => rowsOf(text()).map((row) => [...row].map((letter) => ("*E".includes(letter) ? letter : ".")));
  /** The players stand in this order in a state: police, and the thief. */
  function put(brush, name) {
    const [side, ...places] = read(position.view.state);
    const [row, column] = name.split(",").map(Number);
    const cells = bare();
    const before = cells[row][column];
    if (brush === "T") places.splice(-1, 1, name);
    else if (brush === "P") places.splice(0, 1, name);
    if ("TP".includes(brush) && before === "*") cells[row][column] = ".";
    if ("*E".includes(brush)) cells[row][column] = before === brush ? "." : brush;
    change(cells.map((each) => each.join("")).join("\n"), [side, ...places].join(" "));
  }
  const brushes = [
    ["", "Play"],
    ["*", "Wall"],
    ["E", "Exit"],
    ["P", "Police"],
    ["T", "Thief"],
  ].map(([brush, label]) =>
    el(
      "button",
      {
        type: "button",
        "aria-pressed": String(brush === ""),
        onclick: (event) => {
          for (const button of event.currentTarget.parentElement.children)
            button.setAttribute("aria-pressed", String(button === event.currentTarget));
          position.board.paint =
            brush === ""
              ? null
              : (point, isDragged) => {
                  const { name, ground } = position.view.board.points[point];
                  if (!isDragged || (brush === "*" && ground !== "wall") || (brush === "E" && ground !== "exit")) put(brush, name);
                };
          position.board.draw();
        },
      },
      label,
    ),
  );
  return el("div", { class: "row", role: "group", "aria-label": "What a click does" }, brushes);
}
