import { fetchHandler } from "@bifocal/fetch";
import { createServed } from "../served.ts";

const { api, options } = createServed();

/** Next.js sets the header if no proxy has. */
export const handler = fetchHandler(api, {
  address: ({ headers }) => headers.get("x-forwarded-for")?.split(",").at(-1),
  ...options,
});
