// The chess pieces, drawn for this page. A piece is a letter as in FEN, upper case for white.

import { svg } from "./common.js";

const BASE = "M10 39h25v-3.2c0-1.6-1.4-2.6-3-2.6H13c-1.6 0-3 1-3 2.6z";
const CROSS = "M22.500 10.500V3M19 6.300h7";
const SHAPES = {
  p: [BASE, "M15 33c1.2-5.2 3.6-7.4 4.4-11h-3.6v-2.6h3a6.2 6.2 0 1 1 7.4 0h3V22h-3.6c.8 3.6 3.2 5.8 4.4 11z"],
  r: [BASE, "M13 33l2-14h15l2 14z", "M12 8h5v3.4h3.4V8h4.2v3.4H28V8h5v8l-3 3H15l-3-3z"],
  n: [
    BASE,
    "M13.5 33c-.3-7 3.4-9.800 7.200-12.600-3.400.4-5.300 2.600-8 4.200-1.700 1-3.600.2-3.900-1.800-.3-1.900 4.500-9.600 7-12.200L15.500 6l4.800 2.600C29.500 8.400 34.500 15.500 33.300 25c-.4 3-1 5.400-1.300 8z",
  ],
  b: [
    BASE,
    "M15.500 33c.5-3 1.600-4.600 2.600-6-3.400-2.200-4.600-4.800-4.600-7.700 0-4.700 4.600-7.900 9-12.300 4.400 4.400 9 7.600 9 12.300 0 2.900-1.200 5.500-4.600 7.700 1 1.400 2.100 3 2.600 6z",
    "M22.500 7a2.400 2.400 0 1 1 0-4.800 2.400 2.400 0 0 1 0 4.800z",
    "M22.500 14.500v8M18.800 18.300h7.400",
  ],
  q: [
    BASE,
    "M13 33c-.6-5.600-3-11-5.500-16.500l7 4.700L16.200 10l6.300 9.600L28.800 10l1.700 11.200 7-4.700C35 22 32.600 27.400 32 33z",
    "M7 16a2.300 2.300 0 1 1 .1 0zM15.900 9.600a2.300 2.300 0 1 1 .1 0zM29 9.600a2.300 2.300 0 1 1 .1 0zM38 16a2.300 2.300 0 1 1 .1 0z",
  ],
  k: [
    BASE,
    "M13 33c-4.500-5.500-7-8.600-7-12.300 0-3.500 2.700-5.900 6-5.900 4.200 0 7.600 2.700 10.500 7.200 2.900-4.500 6.300-7.200 10.500-7.200 3.300 0 6 2.400 6 5.900 0 3.700-2.500 6.800-7 12.300z",
    "M22.500 21.500c-3-3.400-3.800-5.300-3.800-7a3.800 3.800 0 0 1 7.600 0c0 1.700-.8 3.600-3.800 7z",
    CROSS,
  ],
};
const LETTERS = { king: "k", queen: "q", rook: "r", bishop: "b", knight: "n", pawn: "p" };
/** The kinds of men by their letters. @type {Record<string, string>} */
export const KINDS = Object.fromEntries(Object.entries(LETTERS).map(([name, letter]) => [letter, name]));

/** `white queen`. */
export function pieceName(piece) {
  return `${piece === piece.toUpperCase() ? "white" : "black"} ${KINDS[piece.toLowerCase()]}`;
}

/** Whether men of this kind are drawn as a piece. */
export const isPiece = (kind) => kind in LETTERS;

/** A piece of this letter or kind. A stroke without an area, such as the cross of a king, has a rim of its own. */
export function drawing(piece, light = piece === piece.toUpperCase(), place = {}) {
  const letter = LETTERS[piece] ?? piece.toLowerCase();
  const paths = SHAPES[letter].map((d) => svg("path", { d }));
  if (letter === "k") paths.splice(-1, 1, svg("path", { d: CROSS, class: "rim" }), svg("path", { d: CROSS, class: "cross" }));
  return svg("svg", { viewBox: "0 0 45 45", class: `piece piece-${light ? "w" : "b"}`, "aria-hidden": "true", ...place }, paths);
}
