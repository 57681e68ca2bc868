import { createRequire } from "node:module";
import { configDefaults, defineProject, mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.ts";
import { ALONE } from "./vitest.alone.ts";

// The same tests on graphql 16: alias to the CommonJS entry that Node itself would pick, and inline
// every package that imports graphql, so that one copy ("realm") serves all.
const graphql16 = createRequire(import.meta.url).resolve("graphql16");

export default mergeConfig(
  shared,
  defineProject({
    resolve: { alias: [{ find: /^graphql$/, replacement: graphql16 }] },
    test: {
      name: "core-graphql16",
      // It has nothing to deliver answers in parts with; what it does instead is tested by itself.
      exclude: [...configDefaults.exclude, ...ALONE, "test/graphql/incremental/{incremental,rows,store-calls}.test.ts"],
      isolate: false,
      server: { deps: { inline: [/graphql-(http|ws|sse)/] } },
    },
  }),
);
