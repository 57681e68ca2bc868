// Runs the library with global ids on node:http, and writes its schema to the file in the first argument.
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "../../../packages/node-http/src/index.ts";
import { createLibrary } from "../foreign/library.ts";

const [file = "schema.graphql"] = process.argv.slice(2);
const { api } = createLibrary({ globalIds: true });
writeFileSync(file, api.graphql.sdl());
const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1");
await once(server, "listening");
console.log(`READY ${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/graphql` })}`);
