import { createServer } from "node:http";
import { nodeHttp } from "@bifocal/node-http";
import { type Listen, listening } from "./listen.ts";

export const listenWithNodeHttp: Listen = async (api, { port, host }) => {
  const listener = nodeHttp(api);
  const server = createServer(listener);
  listener.attach(server);
  const url = await listening(server.listen(port, host));
  return { url, close: () => listener.close(server) };
};
