// Serves the library on node:http with incremental responses.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "../../../packages/node-http/src/index.ts";
import { createLibrary } from "../foreign/library.ts";

const { api } = createLibrary({ incremental: true });
const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1");
await once(server, "listening");
console.log(`READY ${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql` })}`);
