/** A folder with the browser code of pages, and the generated module with its bundle. */
export interface Bundle {
  readonly folder: string;
  readonly output: string;
  /** The entry points in the folder, by the name of the constant with their bundle. */
  readonly entries: Readonly<Record<string, string>>;
}

/** The pages whose bundles are committed. GraphiQL's bundle is built with its package, because it has megabytes. */
export const BUNDLES: readonly Bundle[] = [
  {
    folder: "packages/core/client",
    output: "packages/core/src/rest/formats/html/client-bundle.ts",
    entries: { PAGE_CSS: "style/main.css", PAGE_JS: "main.ts" },
  },
  {
    folder: "packages/swagger-ui/client",
    output: "packages/swagger-ui/src/client-bundle.ts",
    entries: { START: "start.ts" },
  },
  {
    folder: "packages/scalar/client",
    output: "packages/scalar/src/client-bundle.ts",
    entries: { SCALAR_CSS: "scalar.css", START: "start.ts" },
  },
  {
    folder: "packages/console/client",
    output: "packages/console/src/client-bundle.ts",
    entries: { CONSOLE_CSS: "console.css", CONSOLE_JS: "main.ts" },
  },
  {
    folder: "examples/atlas/client",
    output: "examples/atlas/src/page/client-bundle.ts",
    entries: { PAGE_CSS: "style/main.css", PAGE_JS: "main.ts" },
  },
];
