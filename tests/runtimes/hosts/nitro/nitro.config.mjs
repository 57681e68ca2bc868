import { defineNitroConfig } from "nitro/config";

export default defineNitroConfig({
  preset: "node-server",
  // Its middleware for files replaces `Vary`.
  serveStatic: false,
  handlers: [
    { route: "/api", handler: "./route.mjs" },
    { route: "/api/**", handler: "./route.mjs" },
    // The bookstore is at the root.
    { route: "/**", handler: "./route.mjs" },
  ],
});
