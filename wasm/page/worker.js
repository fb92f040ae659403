// Answers questions with the module, beside the page, so that the page never waits. It fetches the bytes of tables that the
// module lacks.

let told = 0;
/** Where the bytes of opened tables are: `{ base }`, the address of a folder, or `{ files }`, chosen files by their names. */
let source = null;
/** The hosts that the policy of the page forbids. @type {Set<string>} */
const forbidden = new Set();
self.addEventListener("securitypolicyviolation", ({ blockedURI }) =>
  forbidden.add(URL.canParse(blockedURI) ? new URL(blockedURI).host : blockedURI),
);
/** What is under way, by file and place: two questions may lack the same bytes. */
const fetches = new Map();

/** The module calls this at the end of each level. */
function progress(done, states) {
  const now = Date.now();
  if (now - told < 100) return;
  told = now;
  postMessage({ share: states > 0 ? done / states : 0 });
}

async function load() {
  const imports = { page: { progress } };
  const bytes = await fetch(new URL("./retrograde.wasm", import.meta.url));
  if (!bytes.ok) throw new Error(`retrograde.wasm: status ${bytes.status}`);
  // A server that names the type lets the browser compile while the bytes come, and keep what it has compiled.
  const { instance } = await (bytes.headers.get("content-type") === "application/wasm"
    ? WebAssembly.instantiateStreaming(bytes, imports)
    : WebAssembly.instantiate(await bytes.arrayBuffer(), imports));
  return instance.exports;
}

const module = load();

/** Writes bytes where the module expects them. */
function write(exports, ...parts) {
  const at = exports.question_at(parts.reduce((sum, part) => sum + part.length, 0));
  let written = 0;
  for (const part of parts) {
    new Uint8Array(exports.memory.buffer, at + written, part.length).set(part);
    written += part.length;
  }
}

/** Reads the text that the module has written. */
const read = (exports, length) => new TextDecoder().decode(new Uint8Array(exports.memory.buffer, exports.answer_at(), length));

function call(exports, question) {
  write(exports, new TextEncoder().encode(JSON.stringify(question)));
  return JSON.parse(read(exports, exports.answer()));
}

/** Gives the module bytes of a file that has `length` bytes; there is no such file if that is negative. */
function supply(exports, file, from, length, bytes) {
  const name = new TextEncoder().encode(file);
  write(exports, name, bytes);
  const wrong = exports.supply(name.length, from, length);
  if (wrong > 0) throw new Error(read(exports, wrong));
}

/** Fetches missing bytes; returns `[length of the file, bytes]`. */
async function bytesOf({ file, from, to, whole, listing }) {
  if (source.files) {
    const chosen = source.files.get(file);
    if (!chosen) return [-1, new Uint8Array()];
    try {
      return [chosen.size, new Uint8Array(await chosen.slice(from, to).arrayBuffer())];
    } catch {
      throw new Error(`${file} cannot be read any more: it was changed or removed; open it again`);
    }
  }
  const address = listing ? source.base : source.base + encodeURIComponent(file);
  const { host } = new URL(address);
  /** @type {Record<string, string>} */
  const headers = whole || listing ? {} : { range: `bytes=${from}-${to - 1}` };
  const known = source.tags.get(file);
  let answer;
  try {
    // The browser keeps whole files, and asks the server whether they are still the same. It would mix kept parts of a file with new
    // ones of another.
    answer = await fetch(address, { headers, cache: headers.range ? "no-store" : "no-cache" });
  } catch {
    // The browser says a moment later that it was the policy.
    await new Promise((settle) => setTimeout(settle, 50));
    if (forbidden.has(host))
      throw new Error(`This page may not ask ${host}. Who builds the page allows that: scripts/site --hosts ${new URL(address).origin}`);
    throw new Error(`${host} does not answer. Either it or this machine is offline, or it does not let other pages read its files (CORS)`);
  }
  if (answer.status === 404 || answer.status === 410 || (listing && answer.status === 403)) return [-1, new Uint8Array()];
  if (!answer.ok) throw new Error(`${host} answers with status ${answer.status} for ${file}`);
  const tag = answer.headers.get("etag") ?? answer.headers.get("last-modified");
  if (known && tag && known !== tag) throw new Error(`${file} has changed on ${host} since this page began to read it: open it again`);
  if (tag) source.tags.set(file, tag);
  if (answer.status === 206) {
    const [, begin, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(answer.headers.get("content-range") ?? "") ?? [];
    if (begin !== undefined && Number(begin) !== from)
      throw new Error(`${host} sends another part of ${file} than the one that was asked for`);
    const length = total ?? source.lengths.get(file);
    if (length === undefined)
      throw new Error(
        `${host} hides from this page how long ${file} is: let it send the header Access-Control-Expose-Headers: Content-Range, ETag`,
      );
    source.lengths.set(file, Number(length));
    return [Number(length), new Uint8Array(await answer.arrayBuffer())];
  }
  const length = Number(answer.headers.get("content-length") ?? Infinity);
  if (headers.range && length > to - from) {
    answer.body?.cancel();
    throw new Error(
      `${host} sends all of ${file} when it is asked for a part. Put the tables on a server that answers ranges, such as \`retrograde serve --site\`, or save them and choose the files here`,
    );
  }
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return [bytes.length, bytes];
}

/** Fetches missing bytes and gives them to the module. */
function complete(exports, part) {
  const key = JSON.stringify(part);
  const from = source;
  if (!fetches.has(key)) {
    const fetched = bytesOf(part).then(([length, bytes]) => {
      // Something else may have been opened meanwhile.
      if (source === from) supply(exports, part.file, part.from, length, bytes);
    });
    fetches.set(
      key,
      fetched.finally(() => fetches.delete(key)),
    );
  }
  return fetches.get(key);
}

/** Where the bytes of `/open` are. */
function sourceOf({ name, online, files }, chosen) {
  if (!online) return { files: new Map(chosen.map((file) => [file.name, file])) };
  return { base: name.endsWith("/") ? name : `${name}/`, tags: new Map(), lengths: new Map(files) };
}

self.onmessage = async ({ data: { id, question, files } }) => {
  let exports;
  try {
    exports = await module;
  } catch (error) {
    postMessage({ id, failed: `the module of this page cannot be loaded: ${/** @type {Error} */ (error).message}` });
    return;
  }
  if (question.path === "/open") source = sourceOf(question.body, files);
  let answer;
  for (let again = false; ; again = true) {
    try {
      answer = call(exports, { ...question, again });
    } catch (error) {
      postMessage({
        id,
        failed: `the solve has failed, perhaps for lack of memory (${/** @type {Error} */ (error).message}): the program solves larger games`,
      });
      return;
    }
    if (!answer.missing) break;
    const done = await Promise.allSettled(answer.missing.map((part) => complete(exports, part)));
    const failure = done.find((one) => one.status === "rejected");
    if (failure) {
      answer = { status: 502, said: { error: failure.reason.message } };
      break;
    }
  }
  postMessage({ id, answer });
};
