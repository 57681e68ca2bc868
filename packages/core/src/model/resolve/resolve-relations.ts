import type { BelongsTo, HasMany, HasOne, ManyToMany, OnDelete, Relation } from "../../definition/relations.ts";
import type { RelationRules } from "../../definition/resource-config.ts";
import type { RelationModel } from "../model.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName, readEntries, suggest } from "./read-config.ts";
import { readLinks, readWrites } from "./read-relation-writes.ts";
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
  const nullable = columns.local.some((field) => draft.fields.get(field)?.type.nullable ?? true);
  const onDelete = relation.kind === "belongsTo" ? relation.onDelete : undefined;
  if (onDelete !== undefined && !ON_DELETE.includes(onDelete)) {
    report(at, `onDelete can't be ${quoteName(onDelete)}.`, suggest(onDelete, ON_DELETE));
  }
  if (onDelete === "setNull" && !nullable) {
    const isOne = columns.local.length === 1;
    report(
      at,
      `onDelete: "setNull" sets '${columns.local.join(", ")}' to null, but ${isOne ? "the field is not" : "none of the fields is"} nullable.`,
      isOne ? "Make the field .nullable()." : "Make one of the fields .nullable().",
    );
  }
  return {
    name,
    creates: readCreates({ at, draft, relation, target, report }, columns),
    links: readLinks(at, relation, report),
    writes: readWrites({ at, relation, target, report }, columns.foreign),
    source: draft.name,
    target: target.name,
    kind: relation.kind,
    many: relation.kind === "hasMany" || relation.kind === "manyToMany",
    ...columns,
    // A deleted row can reference another one, which only a read of deleted rows shows.
    nullable: relation.kind === "belongsTo" ? nullable || (isSoft(draft) && isSoft(target)) : true,
    onDelete,
    read: resolveOwnRule(rule, "read", ALLOW, ruleAt, report),
    link: resolveOwnRule(rule, "link", updating, ruleAt, report),
  };
}

function isSoft({ config }: Draft): boolean {
  return config["softDelete"] !== undefined;
}

/**
 * Reads how many rows can be created along a relation. Requires that callers, or the engine for them, can write its
 * fields.
 */
function readCreates(
  { at, draft, relation, target, report }: Omit<Place, "name" | "rules">,
  { local, foreign }: Pick<RelationModel, "local" | "foreign">,
): number {
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
  const decided = relation.kind === "belongsTo" ? [] : foreign;
  if (![...target.fields.values()].some(({ name, writable }) => writable && !decided.includes(name))) {
    report(at, `A new ${target.name} has no fields that a caller could set.`, "Remove 'creates'.");
    return 0;
  }
  const others = [...draft.relations.values()].filter(({ kind, creates: own }) => kind === "belongsTo" && own > 0);
  const shared = (other: RelationModel): string | undefined => local.find((field) => other.local.includes(field));
  const other = relation.kind === "belongsTo" && others.find((one) => shared(one) !== undefined);
  if (typeof other === "object") {
    const problem = `'${other.name}' already sets '${shared(other)}' of a new row.`;
    report(at, problem, "Remove 'creates' from one of the two relations.");
    return 0;
  }
  const [holder, holding] = relation.kind === "belongsTo" ? [draft, local] : [target, foreign];
  const readonly = holding.find((field) => holder.fields.get(field)?.writable === false);
  if (readonly !== undefined) {
    const problem = `Callers can't write '${holder.name}.${readonly}', so no row can be created through this relation.`;
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
  belongsTo: namesOf<OptionsOf<BelongsTo>>({ onDelete: true, creates: true, references: true }),
  hasMany: namesOf<OptionsOf<HasMany>>({ creates: true, writes: true, references: true }),
  hasOne: namesOf<OptionsOf<HasOne>>({ creates: true, references: true }),
  manyToMany: namesOf<OptionsOf<ManyToMany>>({ through: true, from: true, to: true, links: true }),
};

function checkOptions(relation: Relation, at: string, report: Report): void {
  const { kind, target: _target, ...options } = relation;
  const { field: _field, ...own } = options as { readonly field?: unknown };
  checkMembers(own, OPTIONS[kind], at, report);
}

function isRelation(value: unknown): value is Relation {
  if (!isObject(value) || typeof value["target"] !== "string") return false;
  return ["belongsTo", "hasMany", "hasOne", "manyToMany"].includes(String(value["kind"]));
}
