// Questions go to the server that this page comes from. The page without a server has another file of this name: wasm/page/transport.js.

/** Whether there is a server with documents of its own. @type {boolean} */
export const SERVER = true;

/** Opens other tables than those of the server: only the page without a server does that. @type {((source: { address?: string, files?: File[] }) => Promise<any>) | null} */
export const openTables = null;

/** The address of the tables that come with the page without a server. @type {string | null} */
export const TABLES = null;

const open = new Set();

/** Asks; returns the status and what is said. `POST` if there is a body. */
export async function request(path, /** @type {object | undefined} */ body) {
  const control = new AbortController();
  const options = body === undefined ? {} : { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  open.add(control);
  try {
    const answer = await fetch(path, { ...options, signal: control.signal });
    return { status: answer.status, said: await answer.json().catch(() => ({})) };
  } catch {
    throw new Error(control.signal.aborted ? "stopped" : "the server does not answer");
  } finally {
    open.delete(control);
  }
}

/** Stops waiting for answers. */
export function cancel() {
  for (const control of open) control.abort();
}

/** Calls back with the share of a solve that is done. A server does not tell. */
export function onProgress(/** @type {(share: number) => any} */ _listener) {}
