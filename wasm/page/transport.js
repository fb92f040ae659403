// Questions go to a worker of this page, which answers them by itself. No server is asked.

/** Whether there is a server with documents of its own. @type {boolean} */
export const SERVER = false;

const waiting = new Map();
let last = 0;
let worker = null;
let hear = (/** @type {number} */ _share) => {};
/** What was opened last: the worker that follows a stopped one opens it again. */
let opened = null;

function start() {
  // A worker of the page's own text has the policy of the page, which says whom it may ask. A worker of a file has none.
  const text = new Blob([`import ${JSON.stringify(new URL("./worker.js", import.meta.url).href)};`], { type: "text/javascript" });
  worker = new Worker(URL.createObjectURL(text), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.share !== undefined) {
      hear(data.share);
      return;
    }
    const { settle, fail } = waiting.get(data.id) ?? {};
    waiting.delete(data.id);
    if (data.failed === undefined) settle?.(data.answer);
    else {
      fail?.(new Error(data.failed));
      cancel();
    }
  };
  worker.onerror = () => {
    for (const { fail } of waiting.values()) fail(new Error("the module of this page cannot be loaded: load the page again"));
    waiting.clear();
  };
  if (opened) post(opened);
}

function post({ path, body, files = /** @type {File[]} */ ([]) }) {
  const address = new URL(path, "https://page");
  const query = Object.fromEntries(address.searchParams);
  const question = { path: decodeURIComponent(address.pathname), query: { state: query.state, fen: query.fen, seed: Math.random() }, body };
  const id = ++last;
  worker.postMessage({ id, question, files });
  return id;
}

/** Asks; returns the status and what is said. @returns {Promise<{ status: number, said: any }>} */
export function request(path, /** @type {object | undefined} */ body) {
  if (!worker) start();
  return new Promise((settle, fail) => waiting.set(post({ path, body }), { settle, fail }));
}

/**
 * Opens tables: the address of a table or of a folder of them, or chosen files. Returns the status and what is said, which lists
 * the tables.
 *
 * @param {{ address?: string, files?: File[] }} source
 */
export async function openTables({ address, files = [] }) {
  const [, folder, file] = /^(.*\/)([^/]*\.table)?$/.exec(address ?? "") ?? [null, `${address}/`];
  const open = (about) => {
    opened = null;
    if (!worker) start();
    const question = { path: "/open", body: { ...about, attempt: Date.now() + Math.random() }, files };
    opened = question;
    return new Promise((settle, fail) => waiting.set(post(question), { settle, fail }));
  };
  if (address === undefined) return open({ name: "the chosen files", online: false, files: files.map(({ name, size }) => [name, size]) });
  const online = (wanted) => open({ name: folder.replace(/\/$/, ""), online: true, files: wanted });
  if (!file) return online([]);
  // An endgame leads to other tables, so it is opened with its folder, if there is one.
  const name = decodeURIComponent(file);
  const all = await online([]);
  const isThere = all.status < 400 && all.said.tables.some((table) => `${table.name}.table` === name);
  return isThere ? all : online([[name, null]]);
}

/** The address of the tables that come with this page, if there are any. */
export const TABLES = document.querySelector("meta[name='retrograde-tables']")?.getAttribute("content") ?? null;

/** Stops the solve: its worker ends, and the next question starts another. */
export function cancel() {
  worker?.terminate();
  worker = null;
  for (const { fail } of waiting.values()) fail(new Error("stopped"));
  waiting.clear();
}

/** Calls back with the share of a solve that is done. */
export function onProgress(listener) {
  hear = listener;
}
