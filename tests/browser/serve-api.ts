import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { nodeHttp } from "@bifocal/node-http";

type ServedApi = Parameters<typeof nodeHttp>[0] & { readonly close: () => Promise<void> };

/** Serves an API on a free port. `close` also ends streams that are open. */
export async function serveApi(
  api: ServedApi,
  prefix = "",
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = createServer(nodeHttp(api, { prefix })).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await api.close();
    },
  };
}
