import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type LoneJudge, runCommand } from "../judge.ts";
import { startProgram } from "../start-program.ts";
import { APPLICATION } from "./application.ts";

interface Page {
  readonly edges: readonly {
    readonly cursor: string;
    readonly node: Readonly<Record<string, unknown>> & { readonly id: string };
  }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/** Compiles the application against the schema, and returns the text of each operation by name. */
function compile(folder: string): ReadonlyMap<string, string> {
  mkdirSync(join(folder, "src"));
  writeFileSync(join(folder, "src", "App.ts"), APPLICATION);
  const config = { src: "./src", schema: "./schema.graphql", language: "typescript", noFutureProofEnums: true };
  writeFileSync(join(folder, "relay.config.json"), JSON.stringify(config));
  writeFileSync(join(folder, "package.json"), "{}");
  runCommand("relay-compiler", ["--noWatchman"], folder);
  const made = join(folder, "src", "__generated__");
  const texts = new Map<string, string>();
  for (const name of readdirSync(made)) {
    const text = /"text": ("(?:[^"\\]|\\.)*")/.exec(readFileSync(join(made, name), "utf8"))?.[1];
    if (text !== undefined) texts.set(name.replace(".graphql.ts", ""), JSON.parse(text) as string);
  }
  return texts;
}

const compiler: LoneJudge = {
  name: "relay-compiler accepts the schema, and its compiled queries run",
  async run() {
    const folder = mkdtempSync(join(tmpdir(), "relay-"));
    const program = fileURLToPath(new URL("main.ts", import.meta.url));
    const { url, stop } = await startProgram<"url">(program, { args: [join(folder, "schema.graphql")] });
    try {
      const texts = compile(folder);
      assert.deepEqual([...texts.keys()].toSorted(), [
        "AppAuthorsPage",
        "AppBookAgain",
        "AppBookSubscription",
        "AppBooksPage",
        "AppNodesQuery",
        "AppQuery",
        "AppRenameMutation",
      ]);
      const ask = async (name: string, variables: object): Promise<Readonly<Record<string, unknown>>> => {
        const body = JSON.stringify({ query: texts.get(name), variables });
        const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body });
        const { data, errors } = (await response.json()) as {
          data: Readonly<Record<string, unknown>>;
          errors?: unknown;
        };
        assert.equal(errors, undefined, `${name}: ${JSON.stringify(errors)}`);
        return data;
      };
      await readAll(ask);
    } finally {
      stop();
    }
  },
};

async function readAll(
  ask: (name: string, variables: object) => Promise<Readonly<Record<string, unknown>>>,
): Promise<void> {
  const first = (await ask("AppQuery", { first: 3 }))["authors"] as Page;
  const rest = (await ask("AppAuthorsPage", { first: 3, after: first.pageInfo.endCursor }))["authors"] as Page;
  assert.deepEqual(
    [first, rest].map(({ edges, pageInfo }) => [edges.length, pageInfo.hasNextPage]),
    [
      [3, true],
      [2, false],
    ],
  );
  const [author] = first.edges;
  const before = author?.node["books"] as Page;
  const refetched = (await ask("AppBooksPage", { id: author?.node.id, count: 3, cursor: before.pageInfo.endCursor }))[
    "node"
  ];
  const more = (refetched as { books: Page }).books;
  assert.deepEqual(
    [...before.edges, ...more.edges].map(({ node }) => node["title"]),
    ["Book 10", "Book 15", "Book 20", "Book 5"],
  );
  const ids = [before.edges[0]?.node.id, author?.node.id, Buffer.from("Book:999").toString("base64url")];
  const { nodes, node } = await ask("AppNodesQuery", { ids, id: ids[0] });
  assert.deepEqual(nodes, [
    { __typename: "Book", id: ids[0], title: "Book 10" },
    { __typename: "Author", id: ids[1], name: "Author 1" },
    null,
  ]);
  assert.equal((node as { title: string }).title, "Book 10");
  const again = await ask("AppBookAgain", { id: ids[0] });
  assert.deepEqual((again["node"] as { author: unknown }).author, { name: "Author 1", id: ids[1] });
}

export const RELAY_JUDGES: readonly LoneJudge[] = [compiler];
