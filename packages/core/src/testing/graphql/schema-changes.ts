import type { diff } from "@graphql-inspector/core";
import { buildSchema, type GraphQLSchema, printSchema } from "graphql";

/** What one build of a schema changed against another. */
export interface SchemaChange {
  /** `breaking`: a document that was valid may not be so, or be answered otherwise. `dangerous`: a client may be surprised. */
  readonly criticality: "breaking" | "dangerous" | "safe";
  readonly message: string;
  /** `Book.title`, where it is about one place. */
  readonly path: string | undefined;
}

const CRITICALITY = { BREAKING: "breaking", DANGEROUS: "dangerous", NON_BREAKING: "safe" } as const;

/**
 * Every change from one schema to another, breaking ones first, as `diff` of `@graphql-inspector/core` finds them;
 * that package is an optional peer. Each side is a schema, or its SDL as `api.graphql.sdl()` gives it.
 */
export async function schemaChanges(
  before: GraphQLSchema | string,
  after: GraphQLSchema | string,
): Promise<readonly SchemaChange[]> {
  const inspector = await loadInspector();
  const changes = (await inspector.diff(toSchema(before), toSchema(after))).map(
    ({ criticality, message, path }): SchemaChange => ({
      criticality: CRITICALITY[criticality.level],
      message,
      path,
    }),
  );
  const order = Object.values(CRITICALITY);
  return changes.sort((a, b) => order.indexOf(a.criticality) - order.indexOf(b.criticality));
}

/**
 * Throws what breaks, in words, where a schema breaks clients of another. `allow` names paths that may.
 *
 * @example await assertCompatible(readFileSync("schema.graphql", "utf8"), api.graphql.sdl());
 */
export async function assertCompatible(
  before: GraphQLSchema | string,
  after: GraphQLSchema | string,
  { allow = [] }: { readonly allow?: readonly string[] } = {},
): Promise<void> {
  const breaking = (await schemaChanges(before, after)).filter(
    ({ criticality, path }) => criticality === "breaking" && (path === undefined || !allow.includes(path)),
  );
  if (breaking.length === 0) return;
  const lines = breaking.map(({ path, message }) => `  ${path ?? "schema"}: ${message}`);
  throw new Error(`${breaking.length} breaking ${breaking.length === 1 ? "change" : "changes"}\n${lines.join("\n")}`);
}

/** Both sides from text: the comparison looks at directives where SDL has them. */
function toSchema(schema: GraphQLSchema | string): GraphQLSchema {
  return buildSchema(typeof schema === "string" ? schema : printSchema(schema));
}

async function loadInspector(): Promise<{ readonly diff: typeof diff }> {
  try {
    return await import("@graphql-inspector/core");
  } catch (cause) {
    throw new Error("Comparing schemas needs a package: npm install --save-dev @graphql-inspector/core", { cause });
  }
}
