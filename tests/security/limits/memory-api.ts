// memory.test.ts starts this file with a small heap: a public API without a rate limit.
import { apiKeys } from "@bifocal/core";
import { createLibrary, serve } from "./library.ts";

const api = createLibrary({
  auth: apiKeys({ "0123456789012345678901234567": { id: "ann" } }),
  graphql: { batching: true, persisted: { automatic: true } },
  trustedProxies: ["127.0.0.1"],
  rateLimit: false,
});
const { url } = await serve(api);
process.on("message", () => {
  globalThis.gc?.();
  process.send?.(process.memoryUsage());
});
process.send?.(url);
