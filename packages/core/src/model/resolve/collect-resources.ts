import type { z } from "zod";
import type { ConfigTypes } from "../../definition/config-types.ts";
import type { ResourceConfig } from "../../definition/resource-config.ts";
import type { Draft, Drafts, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName } from "./read-config.ts";

const OPTIONS = namesOf<ResourceConfig<ConfigTypes>>({
  fields: true,
  key: true,
  generated: true,
  computed: true,
  relations: true,
  access: true,
  operations: true,
  filterable: true,
  sortable: true,
  aggregatable: true,
  groupable: true,
  search: true,
  internal: true,
  filledByHook: true,
  secret: true,
  immutable: true,
  version: true,
  softDelete: true,
  history: true,
  tenant: true,
  upsert: true,
  exactCount: true,
  requirePrecondition: true,
  bulk: true,
  hooks: true,
  unique: true,
  actions: true,
  queries: true,
  page: true,
  cache: true,
  plural: true,
  path: true,
  description: true,
  deprecated: true,
});

/** Starts a draft for each resource with a valid, unique name. */
export function collectResources(resources: readonly unknown[], report: Report): Drafts {
  const drafts = new Map<string, Draft>();
  for (const [index, resource] of resources.entries()) {
    const at = `resources[${index}]`;
    if (!isObject(resource) || resource["~bifocal"] !== "resource") {
      report(at, "Expected a resource.", 'Create it with defineResource("name", { … }).');
      continue;
    }
    const { name, config } = resource;
    if (typeof name !== "string") {
      report(at, "The name of the resource is missing.", 'Pass it first: defineResource("book", { … }).');
    } else if (!/^[a-z][A-Za-z0-9]*$/.test(name)) {
      report(
        at,
        `${quoteName(name)} is not a valid resource name.`,
        "Use camelCase letters and digits, such as book or bookReview.",
      );
    } else if (drafts.has(name)) {
      report(name, "Two resources have this name.", "Give each resource a unique name.");
    } else if (!isObject(config)) {
      report(name, "The config is missing.", `Write defineResource("${name}", { fields, access }).`);
    } else {
      checkMembers(config, OPTIONS, name, report);
      drafts.set(name, createDraft(name, config, collectSchemas(name, config["fields"], report)));
    }
  }
  return drafts;
}

/** Starts a draft. */
export function createDraft(
  name: string,
  config: Draft["config"],
  schemas: Draft["schemas"],
  historyOf?: string,
): Draft {
  return {
    name,
    config,
    schemas,
    key: [],
    plural: name,
    path: name,
    declared: new Map(),
    fields: new Map(),
    computed: new Map(),
    relations: new Map(),
    actions: new Map(),
    queries: new Map(),
    access: undefined,
    unique: [],
    softDelete: undefined,
    tenant: undefined,
    history: undefined,
    historyOf,
    keepFor: undefined,
    reachesTenants: false,
  };
}

function collectSchemas(name: string, fields: unknown, report: Report): ReadonlyMap<string, z.ZodType> {
  const schemas = new Map<string, z.ZodType>();
  if (!isObject(fields) || Object.keys(fields).length === 0) {
    report(`${name}.fields`, "The resource has no fields.", "Add at least a key: fields: { id: z.uuid() }.");
    return schemas;
  }
  const isSchema = isZodType(fields) && "shape" in fields;
  if (isSchema)
    report(
      `${name}.fields`,
      "Expected an object with a schema for each field.",
      "Write { … } instead of z.object({ … }).",
    );
  for (const [field, schema] of Object.entries(isSchema ? (fields.shape as object) : fields)) {
    if (isZodType(schema)) schemas.set(field, schema);
    else
      report(`${name}.fields.${field}`, "Expected a Zod schema.", "Use a Zod 4 schema, such as z.string() or z.int().");
  }
  return schemas;
}

/** Checks the brand, because an application may load two copies of zod. Version 3 has no `_zod`. */
export function isZodType(schema: unknown): schema is z.ZodType {
  return typeof schema === "object" && schema !== null && "_zod" in schema && "safeParse" in schema;
}
