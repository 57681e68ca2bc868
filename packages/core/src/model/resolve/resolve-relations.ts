import type { BelongsTo, HasMany, HasOne, ManyToMany, OnDelete, Relation } from "../../definition/relations.ts";
import type { RelationRules } from "../../definition/resource-config.ts";
import type { RelationModel } from "../model.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName, readEntries, suggest } from "./read-config.ts";
import { resolveColumns } from "./relation-columns.ts";
import { checkName } from "./resolve-names.ts";
import { ALLOW, resolveOwnRule, resolveRule } from "./resolve-access.ts";

/** Resolves each relation and its target. Needs the fields of all resources. */
export const resolveRelations: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const rules = relationRules(draft, report);
    for (const [name, relation] of readEntries(draft.config["relations"], `${draft.name}.relations`, report)) {
      const at = `${draft.name}.relations.${name}`;
      checkName(name, at, report);
      if (draft.schemas.has(name)) report(at, "A field already has this name.", "Rename the relation.");
      if (!isRelation(relation)) {
        report(at, "Expected a relation.", "Use belongsTo, hasMany, hasOne or manyToMany with the name of a resource.");
        continue;
      }
      checkOptions(relation, at, report);
      draft.declared.set(name, relation);
      const target = drafts.get(relation.target);
      if (target === undefined) {
        report(at, `Unknown resource ${quoteName(relation.target)}.`, missingTarget(relation.target, drafts));
        continue;
      }
      const model = resolveRelation({ at, draft, name, relation, target, rules, report });
      if (model !== undefined) draft.relations.set(name, model);
    }
    for (const name of Object.keys(rules)) {
      if (draft.declared.has(name)) continue;
      const at = `${draft.name}.access.relations.${name}`;
      report(at, `Unknown relation ${quoteName(name)}.`, suggest(name, [...draft.declared.keys()]));
    }
  }
};

interface Place {
  readonly at: string;
  readonly draft: Draft;
  readonly name: string;
  readonly relation: Relation;
  readonly target: Draft;
  readonly rules: Readonly<Record<string, unknown>>;
  readonly report: Report;
}

const ON_DELETE: readonly OnDelete[] = ["restrict", "cascade", "setNull"];

function resolveRelation({ at, draft, name, relation, target, rules, report }: Place): RelationModel | undefined {
  const columns = resolveColumns(at, draft, relation, target, report);
  if (columns === undefined) return undefined;
  const rule = readRelationRules(rules, draft, name, report);
  const ruleAt = `${draft.name}.access.relations.${name}`;
  const access = draft.config["access"];
  const update: unknown = isObject(access) ? access["update"] : undefined;
  // A missing `update` rule is reported with the access rules of the resource.
  const updating = resolveRule(update, `${ruleAt}.link`, () => {});
  const nullable = draft.fields.get(columns.local)?.type.nullable ?? true;
  const onDelete = relation.kind === "belongsTo" ? relation.onDelete : undefined;
  if (onDelete !== undefined && !ON_DELETE.includes(onDelete)) {
    report(at, `onDelete can't be ${quoteName(onDelete)}.`, suggest(onDelete, ON_DELETE));
  }
  if (onDelete === "setNull" && !nullable) {
    report(
      at,
      `onDelete: "setNull" sets '${columns.local}' to null, but the field is not nullable.`,
      "Make the field .nullable().",
    );
  }
  return {
    name,
    creates: readCreates(at, draft, relation, target, report),
    source: draft.name,
    target: target.name,
    kind: relation.kind,
    many: relation.kind === "hasMany" || relation.kind === "manyToMany",
    ...columns,
    nullable: relation.kind === "belongsTo" ? nullable : true,
    onDelete,
    read: resolveOwnRule(rule, "read", ALLOW, ruleAt, report),
    link: resolveOwnRule(rule, "link", updating, ruleAt, report),
  };
}

/**
 * Reads how many rows can be created along a relation. Requires that callers, or the engine for them, can write its
 * fields.
 */
function readCreates(at: string, draft: Draft, relation: Relation, target: Draft, report: Report): number {
  const creates: unknown = "creates" in relation ? relation.creates : 0;
  if (creates === undefined || creates === 0) return 0;
  const most = relation.kind === "hasMany" ? Number.MAX_SAFE_INTEGER : 1;
  if (typeof creates !== "number" || !Number.isInteger(creates) || creates < 0 || creates > most) {
    report(
      at,
      `creates can't be ${quoteName(creates)}.`,
      most === 1 ? "Write 0 or 1." : "Pass a whole number, 0 or more.",
    );
    return 0;
  }
  if (relation.kind === "manyToMany") {
    report(
      at,
      "Rows can't be created through a many-to-many relation.",
      "Remove 'creates'. Create the row first, then link it.",
    );
    return 0;
  }
  const decided = relation.kind === "belongsTo" ? undefined : relation.field;
  if (![...target.fields.values()].some(({ name, writable }) => writable && name !== decided)) {
    report(at, `A new ${target.name} has no fields that a caller could set.`, "Remove 'creates'.");
    return 0;
  }
  const others = [...draft.relations.values()].filter(({ kind, creates: own }) => kind === "belongsTo" && own > 0);
  const other = relation.kind === "belongsTo" && others.find(({ local }) => local === relation.field);
  if (typeof other === "object") {
    const problem = `'${other.name}' already sets '${relation.field}' of a new row.`;
    report(at, problem, "Remove 'creates' from one of the two relations.");
    return 0;
  }
  const holder = relation.kind === "belongsTo" ? draft : target;
  if (holder.fields.get(relation.field)?.writable === false) {
    const problem = `Callers can't write '${holder.name}.${relation.field}', so no row can be created through this relation.`;
    report(at, problem, "Remove 'creates', or make the field writable.");
    return 0;
  }
  return creates;
}

const RULES = namesOf<RelationRules<unknown, string>>({ read: true, link: true });

function readRelationRules(
  rules: Readonly<Record<string, unknown>>,
  { name: resource }: Draft,
  name: string,
  report: Report,
): Readonly<Record<string, unknown>> {
  if (!Object.hasOwn(rules, name)) return {};
  const own = rules[name];
  const at = `${resource}.access.relations.${name}`;
  if (!isObject(own)) {
    report(at, "Expected an object.", "Pass { read: rule, link: rule }.");
    return {};
  }
  checkMembers(own, RULES, at, report);
  const fix = "Set a rule, or remove the entry. Without the entry, the target's rules and the update rule apply.";
  if (Object.keys(own).length === 0) report(at, "The rule is missing.", fix);
  return own;
}

function relationRules({ name, config }: Draft, report: Report): Readonly<Record<string, unknown>> {
  const access = config["access"];
  const rules = isObject(access) ? access["relations"] : undefined;
  return Object.fromEntries(readEntries(rules, `${name}.access.relations`, report));
}

function missingTarget(target: string, drafts: Drafts): string {
  return `${suggest(target, [...drafts.keys()])} Every related resource must be in the list passed to defineApi.`;
}

type OptionsOf<R extends Relation> = Omit<R, "kind" | "target" | "field">;

/** The options of each kind of relation. */
const OPTIONS: Readonly<Record<Relation["kind"], readonly string[]>> = {
  belongsTo: namesOf<OptionsOf<BelongsTo>>({ onDelete: true, creates: true }),
  hasMany: namesOf<OptionsOf<HasMany>>({ creates: true }),
  hasOne: namesOf<OptionsOf<HasOne>>({ creates: true }),
  manyToMany: namesOf<OptionsOf<ManyToMany>>({ through: true, from: true, to: true }),
};

function checkOptions(relation: Relation, at: string, report: Report): void {
  const { kind, target: _target, ...options } = relation;
  const { field: _field, ...own } = options as { readonly field?: string };
  checkMembers(own, OPTIONS[kind], at, report);
}

function isRelation(value: unknown): value is Relation {
  if (!isObject(value) || typeof value["target"] !== "string") return false;
  return ["belongsTo", "hasMany", "hasOne", "manyToMany"].includes(String(value["kind"]));
}
