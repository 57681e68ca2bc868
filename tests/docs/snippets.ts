import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** A fenced block of a page. */
export interface Snippet {
  /** `docs/rest.md:24` */
  readonly at: string;
  readonly language: string;
  readonly text: string;
}

export const PAGES: readonly string[] = [
  "README.md",
  ...["core", "node-http", "express", "fastify", "fetch", "jwt", "opentelemetry", "testing"].map(
    (name) => `packages/${name}/README.md`,
  ),
  ...readdirSync(`${ROOT}docs`)
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];

/** Every fenced block of the README and of all pages. */
export function snippets(): readonly Snippet[] {
  return PAGES.flatMap((page) => {
    const text = readFileSync(ROOT + page, "utf8");
    return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ index, 1: language = "", 2: block = "" }) => ({
      at: `${page}:${text.slice(0, index).split("\n").length}`,
      language,
      text: block,
    }));
  });
}

/** A request in REST and the same request in GraphQL, in blocks that follow each other without text between them. */
export interface Pair {
  readonly at: string;
  readonly http: string;
  readonly graphql: string;
}

export function pairs(): readonly Pair[] {
  return PAGES.flatMap((page) => {
    const text = readFileSync(ROOT + page, "utf8");
    return [...text.matchAll(/^```http\n((?:(?!^```)[\s\S])*)^```\n\s*^```graphql\n((?:(?!^```)[\s\S])*)^```$/gm)].map(
      ({ index, 1: http = "", 2: graphql = "" }) => ({
        at: `${page}:${text.slice(0, index).split("\n").length}`,
        http,
        graphql,
      }),
    );
  });
}

/** Every link of the README and of all pages, with its page and its target. */
export function links(): readonly { readonly page: string; readonly target: string }[] {
  return PAGES.flatMap((page) =>
    [...readFileSync(ROOT + page, "utf8").matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = ""]) => ({ page, target })),
  );
}
