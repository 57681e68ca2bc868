import type { z } from "zod";
import { hasMany } from "../../definition/relations.ts";
import { allow, deny } from "../../definition/rules.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { historyName, historySchemas, TENANT_FIELD } from "../history.ts";
import { createDraft } from "./collect-resources.ts";
import type { Draft, Drafts, RawConfig, Report } from "./draft.ts";
import { isObject } from "./read-config.ts";
import { keyNames, pascalCase } from "./resolve-names.ts";
import { uuid } from "../../definition/generated.ts";
import { tenantField } from "./tenant-field.ts";

/**
 * Adds a resource for the entries of each resource with `history`, and the relation `history` that leads to them.
 * Stores, pages, formats and schemas then treat entries like other rows (docs/adr/0062).
 */
export function addHistories(drafts: Drafts, report: Report): Drafts {
  const all = new Map<string, Draft>();
  for (const draft of drafts.values()) {
    const history = readHistory(draft, drafts, report) ? historyDraft(draft) : undefined;
    all.set(draft.name, history === undefined ? draft : withRelation(draft, history));
    if (history !== undefined) all.set(history.name, history);
  }
  return all;
}

/** Returns whether a resource has a history whose names are free. */
function readHistory(draft: Draft, drafts: Drafts, report: Report): boolean {
  const { name, config } = draft;
  const { history, access } = config;
  if (history !== undefined && typeof history !== "boolean" && keepForOf(history) === undefined) {
    const fix = "Write history: true, or { keepFor: 31_536_000 } to delete entries after a year.";
    report(`${name}.history`, "Expected true, false, or an object with a positive number of seconds, keepFor.", fix);
  }
  if (history !== true && !isObject(history)) {
    if (!isObject(access) || access["history"] === undefined) return false;
    report(`${name}.access.history`, "This resource has no history.", "Set history: true, or remove the rule.");
    return false;
  }
  const taken = takenName(draft);
  if (taken !== undefined) {
    report(taken, "'history: true' adds a relation with this name.", "Rename it.");
  }
  const own = historyName(name);
  const isFree = !drafts.has(own);
  if (!isFree) report(own, `'${name}' keeps its history in a resource with this name.`, "Rename this resource.");
  return taken === undefined && isFree;
}

const NAMED = ["fields", "computed", "relations", "actions", "queries"] as const;

function keepForOf(history: unknown): number | undefined {
  const keepFor = isObject(history) ? history["keepFor"] : undefined;
  return typeof keepFor === "number" && keepFor > 0 ? keepFor : undefined;
}

/** Returns the place of a member that has the name or the path of the history. */
function takenName({ name, config }: Draft): string | undefined {
  for (const option of NAMED) {
    const members = config[option];
    if (!isObject(members)) continue;
    const member = Object.keys(members).find((one) => kebabCase(one) === "history");
    if (member !== undefined) return `${name}.${option}.${member}`;
  }
  return undefined;
}

/** Returns the field of an entry that holds a key field of its row. */
export function rowKeyField(resource: string, field: string): string {
  return `${resource}${pascalCase(field)}`;
}

function historyDraft({ name, config, schemas }: Draft): Draft {
  const fields = new Map<string, z.ZodType>(Object.entries(historySchemas().fields));
  for (const field of keyNames(config).map(String)) {
    const schema = schemas.get(field);
    // An unknown key field is reported with the key.
    if (schema !== undefined) fields.set(rowKeyField(name, field), schema);
  }
  for (const [field, schema] of Object.entries(historySchemas().stored)) fields.set(field, schema);
  const tenant = schemas.get(String(tenantField(config)));
  if (tenant !== undefined) fields.set(TENANT_FIELD, tenant);
  const own: RawConfig = {
    fields: Object.fromEntries(fields),
    generated: { id: uuid() },
    access: { read: allow, create: deny, update: deny, delete: deny },
    operations: [],
    filterable: ["at", "by", "operation", "action"],
    description: `A change of a ${name}.`,
    ...(tenant === undefined ? {} : { tenant: { ...(config["tenant"] as object), field: TENANT_FIELD } }),
  };
  return { ...createDraft(historyName(name), own, fields, name), keepFor: keepForOf(config["history"]) };
}

function withRelation(draft: Draft, history: Draft): Draft {
  const { name, config } = draft;
  const access = isObject(config["access"]) ? config["access"] : {};
  const columns = keyNames(config)
    .map(String)
    .map((field) => rowKeyField(name, field));
  const { history: rule, ...rules } = access;
  const own = Object.hasOwn(access, "history") ? { history: { read: rule } } : {};
  const relations = isObject(access["relations"]) ? access["relations"] : {};
  return {
    ...draft,
    history: history.name,
    config: {
      ...config,
      relations: { ...(config["relations"] as object | undefined), history: hasMany(history.name, columns) },
      ...(isObject(config["access"]) ? { access: { ...rules, relations: { ...relations, ...own } } } : {}),
    },
  };
}
