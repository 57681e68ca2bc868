import type { diff } from "@graphql-inspector/core";
import { buildSchema, type GraphQLSchema, printSchema } from "graphql";

/** A change between two versions of a schema. */
export interface SchemaChange {
  /**
   * `breaking`: a valid document may become invalid or return something else. `dangerous`: clients might not expect the
   * change.
   */
  readonly criticality: "breaking" | "dangerous" | "safe";
  readonly message: string;
  /** The type or field that changed, such as `Book.title`. Undefined if the change concerns the whole schema. */
  readonly path: string | undefined;
}

const CRITICALITY = { BREAKING: "breaking", DANGEROUS: "dangerous", NON_BREAKING: "safe" } as const;

/**
 * Lists the changes from one schema to another, breaking ones first. Each side is a schema or its SDL, as
 * `api.graphql.sdl()` returns it. Needs `@graphql-inspector/core`, an optional peer dependency.
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
 * Throws an error that lists the breaking changes, if there are any. `allow` names the paths that may break.
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

/** Builds both sides from text, because the comparison finds directives only in schemas that were parsed. */
function toSchema(schema: GraphQLSchema | string): GraphQLSchema {
  return buildSchema(typeof schema === "string" ? schema : printSchema(schema));
}

async function loadInspector(): Promise<{ readonly diff: typeof diff }> {
  try {
    return await import("@graphql-inspector/core");
  } catch (cause) {
    throw new Error(
      "Comparing schemas requires @graphql-inspector/core. Run: npm install --save-dev @graphql-inspector/core",
      { cause },
    );
  }
}
