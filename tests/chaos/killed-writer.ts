// Serves an API, and kills itself by SIGKILL once WRITES requests have been committed and before any response is
// sent.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { memoryIdempotency } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { createNotesApi } from "./notes-api.ts";

const { DATABASE_URL = "", WRITES = "1" } = process.env;
let committed = 0;

/** Called after the commit of a write and before its response. */
function wait(): Promise<never> {
  committed++;
  if (committed === Number(WRITES)) process.kill(process.pid, "SIGKILL");
  return new Promise(() => {});
}

const store = { ...memoryIdempotency(), complete: wait, release: wait };
const server = createServer(nodeHttp(createNotesApi(DATABASE_URL, { store })));
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
