import { defaultClientConditions, defineConfig } from "vite";

export default defineConfig({
  server: { port: 5174, proxy: { "/api": process.env["API"] ?? "http://127.0.0.1:3000" } },
  // Only this repository needs the condition: its packages resolve to their sources, so they need no build.
  resolve: { conditions: ["@bifocal/source", ...defaultClientConditions] },
});
