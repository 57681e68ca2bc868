import { nodeHttp } from "@bifocal/node-http";
import { createServed } from "../served.ts";
import { toNodeListener } from "../to-node-listener.ts";

const { api, endless, options } = createServed();
const fallback = nodeHttp(endless, { prefix: "/endless", fallback: toNodeListener(options.fallback) });
export const handler = nodeHttp(api, { prefix: options.prefix, fallback });
