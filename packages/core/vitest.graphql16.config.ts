import { createRequire } from "node:module";
import { configDefaults, defineProject, mergeConfig } from "vitest/config";
import shared from "../../vitest.shared.ts";
import { ALONE } from "./vitest.alone.ts";

// Runs the same tests on graphql 16. It aliases graphql to the CommonJS entry that Node itself would pick, and inlines
// every package that imports graphql, so that all share one copy ("realm").
const graphql16 = createRequire(import.meta.url).resolve("graphql16");

export default mergeConfig(
  shared,
  defineProject({
    resolve: { alias: [{ find: /^graphql$/, replacement: graphql16 }] },
    test: {
      name: "core-graphql16",
      // graphql 16 doesn't support incremental delivery. Other tests cover its behavior there.
      exclude: [
        ...configDefaults.exclude,
        ...ALONE,
        "test/graphql/incremental/{counts,empty-pages,groups,incremental,rows,store-calls}.test.ts",
      ],
      isolate: false,
      server: { deps: { inline: [/graphql-(http|ws|sse)/] } },
    },
  }),
);
