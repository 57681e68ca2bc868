// Makes every module of the process use the same copy of graphql, as in an application that has only one: `GRAPHQL=16`
// or `17`.
import { registerHooks } from "node:module";

const copy = process.env["GRAPHQL"] === "17" ? "graphql17" : "graphql";

registerHooks({
  resolve(specifier, context, next) {
    if (specifier !== "graphql" && !specifier.startsWith("graphql/")) return next(specifier, context);
    return next(specifier.replace("graphql", copy), { ...context, parentURL: import.meta.url });
  },
});
