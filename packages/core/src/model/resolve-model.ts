import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";
import type { Model, ResourceModel, FieldModel, Row, RowCodec } from "./model.ts";
import { addHistories } from "./resolve/add-histories.ts";
import { checkLinks, checkOnes } from "./resolve/check-links.ts";
import { checkRules } from "./resolve/check-rules.ts";
import { collectResources } from "./resolve/collect-resources.ts";
import type { Draft, Drafts, Pass, Report } from "./resolve/draft.ts";
import { resolveAccess, DENY_ALL } from "./resolve/resolve-access.ts";
import { resolveComputed } from "./resolve/resolve-computed.ts";
import { resolveAggregates } from "./resolve/resolve-aggregates.ts";
import { resolveActions } from "./resolve/resolve-actions.ts";
import { resolveFields } from "./resolve/resolve-fields.ts";
import { resolveHistories } from "./resolve/resolve-histories.ts";
import { resolveKeys, resolveNames, pascalCase } from "./resolve/resolve-names.ts";
import { resolveTenants } from "./resolve/resolve-tenants.ts";
import { resolveSoftDelete } from "./resolve/resolve-soft-delete.ts";
import { resolveQueries } from "./resolve/resolve-queries.ts";
import { resolveRelations } from "./resolve/resolve-relations.ts";
import { createFilledParser, createInputParser, nestedRelations } from "./parse/input-parser.ts";
import { resolveDeprecation } from "./resolve/resolve-deprecation.ts";
import { resolveOperations } from "./resolve/resolve-operations.ts";
import { resolveSearch } from "./resolve/resolve-search.ts";
import { resolveReading, resolveWriting } from "./resolve/resolve-options.ts";

const PASSES: readonly Pass[] = [
  resolveNames,
  resolveKeys,
  resolveFields,
  resolveRelations,
  checkLinks,
  resolveAccess,
  checkOnes,
  resolveComputed,
  resolveActions,
  resolveHistories,
  resolveSoftDelete,
  resolveQueries,
  resolveTenants,
  checkRules,
];

/** Resolves definitions into the frozen model. Throws `DefinitionError` with all mistakes and their fixes. */
export function resolveModel(definitions: readonly unknown[]): Model {
  const { report, mistakes } = collectMistakes();
  const drafts = addHistories(collectResources(definitions, report), report);
  for (const pass of PASSES) pass(drafts, report);
  const resources = new Map<string, ResourceModel>();
  for (const draft of drafts.values()) resources.set(draft.name, finishResource(draft, drafts, report));
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
  return Object.freeze({ resources });
}

/** Converts a draft to the final model after all passes. */
function finishResource(draft: Draft, drafts: Drafts, report: Report): ResourceModel {
  const { name, plural, fields, config } = draft;
  const deprecation = resolveDeprecation(config["deprecated"], `${name}.deprecated`, report);
  const writing = resolveWriting(draft, report);
  const storedFields = [...fields.values()].filter((field) => !field.internal);
  const visibleFields = [...storedFields, ...draft.computed.values()];
  return deepFreeze({
    name,
    plural,
    typeName: pascalCase(name),
    pluralTypeName: pascalCase(plural),
    path: draft.path,
    key: draft.key,
    fields,
    visibleFields,
    storedFields,
    computed: draft.computed,
    whole: { fields: visibleFields.map((field) => field.name), relations: [] },
    ruledFields: storedFields.filter(({ read }) => read.kind !== "allow"),
    deprecatedFields: visibleFields.filter((field) => field.deprecation !== undefined),
    writeRuledFields: [...fields.values()].filter(({ write }) => write.kind !== "allow"),
    filledFields: [...fields.values()].filter(({ filledByHook }) => filledByHook),
    secretFields: [...fields.values()].filter(({ secret }) => secret).map((field) => field.name),
    relations: draft.relations,
    nested: nestedRelations([...draft.relations.values()]),
    actions: draft.actions,
    queries: draft.queries,
    softDelete: draft.softDelete,
    tenant: draft.tenant,
    history: draft.history,
    historyOf: draft.historyOf,
    keepFor: draft.keepFor,
    reachesTenants: draft.reachesTenants,
    access: draft.access ?? DENY_ALL,
    unique: draft.unique,
    search: resolveSearch(draft, drafts, report),
    description: typeof config["description"] === "string" ? config["description"] : undefined,
    aggregates: resolveAggregates(draft, drafts, report),
    ...resolveReading(draft, report),
    ...writing,
    operations: resolveOperations(draft, writing, report),
    deprecated: deprecation?.reason,
    deprecation,
    parse: {
      create: createInputParser(draft, "create"),
      replace: createInputParser(draft, "replace"),
      update: createInputParser(draft, "update"),
    },
    parseFilled: createFilledParser(draft),
    codec: rowCodec([...fields.values()]),
  });
}

function rowCodec(fields: readonly FieldModel[]): RowCodec | undefined {
  const converted = fields.flatMap(({ name, codec }) => (codec === undefined ? [] : [{ name, codec }]));
  if (converted.length === 0) return undefined;
  return {
    toValue: (row) => {
      const value: Record<string, unknown> = { ...row };
      for (const { name, codec } of converted) value[name] = codec.toValue(row[name] ?? null);
      return value;
    },
    toStored: (value) => {
      const row = { ...value } as Record<string, unknown>;
      for (const { name, codec } of converted) if (Object.hasOwn(row, name)) row[name] = codec.toStored(row[name]);
      return row as Row;
    },
  };
}

function collectMistakes(): { readonly report: Report; readonly mistakes: DefinitionMistake[] } {
  const mistakes: DefinitionMistake[] = [];
  return { mistakes, report: (at, problem, fix) => mistakes.push({ at, problem, fix }) };
}

/** Freezes plain objects, lists and the values of maps. Class instances, schemas and resources aren't frozen. */
function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  if (value instanceof Map) {
    for (const inner of value.values()) deepFreeze(inner);
    return Object.freeze(value);
  }
  if (!Array.isArray(value) && Object.getPrototypeOf(value) !== Object.prototype) return value;
  if ("_zod" in value || "~bifocal" in value) return value;
  Object.freeze(value);
  for (const inner of Object.values(value)) if (typeof inner === "object") deepFreeze(inner);
  return value;
}
