// A board of cells, each a button: for pursuit, whose boards the user draws.

import { arrows, el, SIGNS } from "./common.js";

/**
 * A grid of so many rows and columns. `look(row, column)` says how to draw a cell: `kind` (classes), `worth`, `longest` (the
 * greatest distance, for the shade), `who`, `label`. `press(row, column)` is called for clicks, Enter and Space, and `drag` for
 * each cell that a pressed pointer enters.
 */
export class Grid {
  constructor(rows, columns, { look, press, drag, label }) {
    this.look = look;
    this.cells = [];
    for (let row = 0; row < rows; row++) {
      for (let column = 0; column < columns; column++) {
        this.cells.push(el("button", {
          type: "button", "data-row": row, "data-column": column, tabindex: row + column === 0 ? 0 : -1,
        }));
      }
    }
    const cells = el("div", { class: "cells", role: "group", "aria-label": `${label}, ${rows} rows and ${columns} columns, numbered from 0. Arrow keys walk over it.` }, this.cells);
    cells.style.setProperty("--columns", columns);
    cells.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
    const edge = (count, kind) => el("div", { class: `edge ${kind}`, "aria-hidden": "true" }, Array.from({ length: count }, (_, at) => el("span", {}, String(at))));
    this.element = el("div", { class: "edged" }, edge(columns, "across"), edge(rows, "down"), cells);
    this.element.style.maxWidth = `max(12rem, min(${Math.max(10, Math.min(38, columns * 4))}rem, (100svh - 20rem) * ${columns / rows}))`;
    arrows(cells);
    const of = (target) => target?.closest?.("[data-row]");
    this.element.addEventListener("click", (event) => {
      const cell = of(event.target);
      if (cell) press(Number(cell.dataset.row), Number(cell.dataset.column));
    });
    if (drag) {
      this.element.addEventListener("pointermove", (event) => {
        if (!(event.buttons & 1)) return;
        const cell = of(document.elementFromPoint(event.clientX, event.clientY));
        if (cell && this.element.contains(cell)) drag(Number(cell.dataset.row), Number(cell.dataset.column));
      });
    }
    this.draw();
  }

  /** Draws every cell again. */
  draw() {
    for (const cell of this.cells) {
      const { kind = "", worth = null, longest = 0, who = [], label } = this.look(Number(cell.dataset.row), Number(cell.dataset.column));
      const shade = worth ? worth.value : "";
      cell.className = `${kind} ${shade}`;
      const deep = worth?.distance !== null && worth?.distance !== undefined && longest > 0 ? 62 * (1 - worth.distance / longest) : 0;
      cell.style.setProperty("--deep", deep.toFixed(0));
      cell.replaceChildren(...who.map(([name, letter]) => el("span", { class: `who ${name}`, "aria-hidden": "true" }, letter)));
      // The label says it in words.
      cell.dataset.worth = worth ? `${SIGNS[worth.value]}${worth.distance ?? ""}` : "";
      cell.setAttribute("aria-label", label);
    }
  }
}
