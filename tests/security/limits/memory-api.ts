// Started with a small heap by memory.test.ts: an API that strangers can reach, without a rate limit that would stop them.
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
