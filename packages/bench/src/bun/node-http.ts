import { createServer } from "node:http";
import { nodeHttp } from "@bifocal/node-http";
import { api } from "../bifocal-api.ts";
import { ready } from "../ready.ts";

const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1", () => ready(server));
