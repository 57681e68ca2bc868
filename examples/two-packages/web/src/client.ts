import { createClient, restLens } from "@bifocal/client";
import { liveLists } from "@bifocal/client/live";
// Only types: the bundle contains no code of the server.
import type { api } from "@bifocal/example-library-api";

export const client = createClient<typeof api>({
  url: new URL("/api", location.href).href,
  lens: restLens(),
  live: liveLists,
});
