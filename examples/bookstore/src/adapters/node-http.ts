import { createServer } from "node:http";
import { nodeHttp, SERVER_OPTIONS } from "@bifocal/node-http";
import { type Listen, listening } from "./listen.ts";

export const listenWithNodeHttp: Listen = async (api, { port, host }) => {
  const listener = nodeHttp(api);
  const server = createServer(SERVER_OPTIONS, listener);
  listener.attach(server);
  const url = await listening(server.listen(port, host));
  return { url, close: () => listener.close(server) };
};
