import { createServer } from "node:http";
import { nodeHttp } from "@bifocal/node-http";
import { ready } from "../ready.ts";
import { api } from "../ten/bifocal-api.ts";

const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1", () => ready(server));
