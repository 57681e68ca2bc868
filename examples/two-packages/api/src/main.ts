import { createServer } from "node:http";
import { nodeHttp } from "@bifocal/node-http";
import { api } from "./api.ts";

const { PORT = "3000" } = process.env;
if (!/^\d+$/.test(PORT)) throw new Error(`PORT must be a number; received "${PORT}".`);
const server = createServer(nodeHttp(api, { prefix: "/api" })).listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  console.log(`http://127.0.0.1:${typeof address === "object" ? address?.port : PORT}/api`);
});
