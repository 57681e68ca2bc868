import { nodeHttp } from "@bifocal/node-http";
import { createServed } from "../served.ts";
import { toNodeListener } from "../to-node-listener.ts";

const { api, options } = createServed();
export const handler = nodeHttp(api, { prefix: options.prefix, fallback: toNodeListener(options.fallback) });
