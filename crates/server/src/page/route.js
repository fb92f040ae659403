// Addresses: `#/chess/FEN`, `#/table/NAME/STATE`, `#/game/NAME/STATE?PARAMETERS`. Sharing one shows the same position. A line is part of
// the parameters: `from` is the state that it begins with, and `line` has the place of the position in it, and its moves.

/** A text as a part of an address: spaces become `+`; slashes and commas stay. */
function written(text) {
  return encodeURIComponent(text).replace(/%20/g, "+").replace(/%2F/g, "/").replace(/%2C/g, ",");
}

function read(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch {
    return text;
  }
}

/** The address of a state of a view. */
export function address(view, name, state, parameters) {
  const parts = [view];
  if (name !== undefined) parts.push(written(name).replaceAll("/", "%2F"));
  if (state) parts.push(view === "chess" ? state.replaceAll(" ", "_") : written(state));
  const set = Object.entries(parameters ?? {}).filter(([, value]) => value !== "" && value !== false);
  const query = set.map(([key, value]) => `${key}=${written(String(value))}`).join("&");
  return `#/${parts.join("/")}${query ? `?${query}` : ""}`;
}

/** The same address with the line that has led there. */
export function withLine(to, stops, here) {
  const moves = stops.slice(1).map(({ name }) => name);
  return `${to}${to.includes("?") ? "&" : "?"}from=${written(stops[0].state)}&line=${written([here, ...moves].join("~"))}`;
}

/** The bytes of a stream that goes through another one. */
const through = (text, way) => new Response(new Blob([text]).stream().pipeThrough(way)).arrayBuffer();

/** The address for a link: the text of a game or board is packed, as `z` in place of `board`. */
export async function packed(to) {
  const [, before, board, after] = /^(.*[?&])board=([^&]*)(.*)$/s.exec(to) ?? [];
  if (board === undefined) return to;
  const bytes = new Uint8Array(await through(read(board), new CompressionStream("deflate-raw")));
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
  return `${before}z=${letters.replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")}${after}`;
}

const PACKED = /^(.*[?&])z=([^&]*)(.*)$/s;

/** Whether an address is such a link. */
export const isPacked = (to) => PACKED.test(to);

/** The address of such a link with the text as it is. Fails if the text is damaged. */
export async function unpacked(to) {
  const [, before, letters, after] = /** @type {string[]} */ (PACKED.exec(to));
  const bytes = Uint8Array.from(atob(letters.replace(/-/g, "+").replace(/_/g, "/")), (letter) => letter.charCodeAt(0));
  const text = new TextDecoder().decode(await through(bytes, new DecompressionStream("deflate-raw")));
  return `${before}board=${written(text)}${after}`;
}

/** The parts of an address: the view, its name if it has one, the state and the parameters. */
export function route(hash = location.hash) {
  const cut = hash.indexOf("?");
  const path = (cut < 0 ? hash : hash.slice(0, cut)).replace(/^#\/?/, "");
  const query = cut < 0 ? "" : hash.slice(cut + 1);
  const parameters = Object.fromEntries(
    query
      .split("&")
      .filter(Boolean)
      .map((pair) => pair.split("=").map(read)),
  );
  const [view, ...rest] = path.split("/");
  if (view === "chess") return { view, name: undefined, state: read(rest.join("/")).replaceAll("_", " "), parameters };
  return { view, name: read(rest[0] ?? ""), state: read(rest.slice(1).join("/")), parameters };
}

/** Goes to an address. With `quietly` it leaves no entry in the history, for steps along a line. */
export function go(to, quietly = false) {
  // If the address stays the same, the view may still have to be drawn again.
  if (to === location.hash) quietly = true;
  if (quietly) history.replaceState(null, "", to);
  else history.pushState(null, "", to);
  dispatchEvent(new Event("route"));
}
