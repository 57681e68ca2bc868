import { denoSockets, fetchHandler } from "@bifocal/fetch";
import { createServed } from "./served.ts";

declare const Deno: {
  readonly serve: (
    options: {
      readonly port: number;
      readonly hostname: string;
      readonly onListen: (address: { readonly port: number }) => void;
    },
    handler: (request: Request, info: unknown) => Response | Promise<Response>,
  ) => unknown;
};

const { api, options } = createServed();
const handler = fetchHandler(api, { ...options, sockets: denoSockets() });
Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: ({ port }) => console.log(port) }, handler);
process.once("SIGTERM", () => void api.close());
