import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "@bifocal/node-http";
import { createServed } from "./served.ts";
import { toNodeListener } from "./to-node-listener.ts";

const { api, options } = createServed();
const { prefix, fallback } = options;
const listener = nodeHttp(api, { prefix, fallback: toNodeListener(fallback) });
const server = createServer(listener);
listener.attach(server);
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));
process.once("SIGTERM", () => void listener.close(server));
