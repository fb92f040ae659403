// The page asks a server or its own worker. Both files of this name have the same functions.
import * as worker from "../../../../wasm/page/transport.js";
import * as server from "../../src/page/transport.js";

export const both: (typeof server)[] = [server, worker];
