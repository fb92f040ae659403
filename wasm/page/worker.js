// Answers questions with the module, beside the page, so that the page never waits.

let told = 0;

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
  const { instance } = await WebAssembly.instantiate(await bytes.arrayBuffer(), imports);
  return instance.exports;
}

const module = load();

onmessage = async ({ data: { id, question } }) => {
  let exports;
  try {
    exports = await module;
  } catch (error) {
    postMessage({ id, failed: `the module of this page cannot be loaded: ${error.message}` });
    return;
  }
  try {
    const bytes = new TextEncoder().encode(question);
    const at = exports.question_at(bytes.length);
    new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
    const length = exports.answer();
    const answer = new Uint8Array(exports.memory.buffer, exports.answer_at(), length);
    postMessage({ id, answer: JSON.parse(new TextDecoder().decode(answer)) });
  } catch (error) {
    postMessage({ id, failed: `the solve has failed, perhaps for lack of memory (${error.message}): the program solves larger games` });
  }
};
