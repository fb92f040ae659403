// Questions go to a worker of this page, which solves them by itself. No server is asked.

/** Whether there is a server with documents of its own. */
export const SERVER = false;

const waiting = new Map();
let last = 0;
let worker = null;
let hear = () => {};

function start() {
  worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
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
}

/** Asks; returns the status and what is said. */
export function request(path, body) {
  if (!worker) start();
  const id = ++last;
  return new Promise((settle, fail) => {
    waiting.set(id, { settle, fail });
    worker.postMessage({ id, question: JSON.stringify({ path, body }) });
  });
}

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
