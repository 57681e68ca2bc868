// Runs one of the servers. A second address returns the store calls since its last request.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createLibrary } from "./library.ts";
import { SERVERS } from "./servers.ts";

const [name = ""] = process.argv.slice(2);
const serve = SERVERS[name];
if (serve === undefined) throw new Error(`There is no server '${name}'.`);
const { api, calls } = createLibrary();
const url = await serve(api);
const counter = createServer((_request, response) => response.end(JSON.stringify(calls.splice(0))));
counter.listen(0, "127.0.0.1");
await once(counter, "listening");
const calledUrl = `http://127.0.0.1:${(counter.address() as AddressInfo).port}`;
console.log(`READY ${JSON.stringify({ url, calledUrl })}`);
