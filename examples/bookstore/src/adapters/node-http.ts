import { createServer } from "node:http";
import { nodeHttp } from "@bifocal/node-http";
import { closeServer } from "./close.ts";
import { type Listen, listening } from "./listen.ts";

export const listenWithNodeHttp: Listen = async (api, { port, host }) => {
  const listener = nodeHttp(api);
  const server = createServer(listener);
  listener.attach(server);
  const url = await listening(server.listen(port, host));
  return { url, close: () => closeServer(api, server) };
};
