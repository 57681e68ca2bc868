import { fetchHandler } from "@bifocal/fetch";
import { createServed } from "../served.ts";

const { api, options } = createServed();

/** Nitro's server reports the address of a client in the request. */
export const handler = fetchHandler(api, {
  address: (request: Request & { readonly ip?: string }) => request.ip,
  ...options,
});
