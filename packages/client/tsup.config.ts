import { defineConfig } from "tsup";

export default defineConfig({
  entry: {
    index: "src/index.ts",
    live: "src/live/live-lists.ts",
    websocket: "src/websocket/web-sockets.ts",
    tanstack: "src/tanstack/index.ts",
    "react-admin": "src/react-admin/index.ts",
  },
  format: ["esm"],
  dts: true,
  sourcemap: true,
  // The package contains its source, so the source maps omit it.
  esbuildOptions(options) {
    options.sourcesContent = false;
  },
  clean: true,
  target: "es2022",
  platform: "neutral",
  tsconfig: "../../tsconfig.build.json",
});
