import { resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
export default {
  turbopack: { root },
  outputFileTracingRoot: root,
  // Compression changes `Vary` of some responses only.
  compress: false,
  // `/api/` is the index of the API.
  skipTrailingSlashRedirect: true,
  // The bookstore is at the root, where the Pages Router has no API routes.
  rewrites: () => ({ fallback: [{ source: "/:path*", destination: "/api/:path*" }] }),
};
