import type { OnDelete, Relation } from "../../definition/relations.ts";
import type { RelationModel } from "../model.ts";
import type { Draft, Drafts, Pass, Report } from "./draft.ts";
import { checkMembers, isObject, quote, readEntries, suggest } from "./read-config.ts";
import { resolveColumns } from "./relation-columns.ts";
import { checkName } from "./resolve-keys.ts";
import { ALLOW, resolveOwnRule, resolveRule } from "./resolve-rule.ts";

/** Links each relation to its target; needs the fields of all resources. */
export const resolveRelations: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const rules = relationRules(draft, report);
    for (const [name, relation] of readEntries(draft.config["relations"], `${draft.name}.relations`, report)) {
      const at = `${draft.name}.relations.${name}`;
      checkName(name, at, report);
      if (draft.schemas.has(name)) report(at, "It is a field already.", "Give the relation another name.");
      if (!isRelation(relation)) {
        report(at, "It is no relation.", "Write belongsTo, hasMany, hasOne or manyToMany with the name of a resource.");
        continue;
      }
      draft.declared.set(name, relation);
      const target = drafts.get(relation.target);
      if (target === undefined) {
        report(at, `There is no resource ${quote(relation.target)}.`, missingTarget(relation.target, drafts));
        continue;
      }
      const model = resolveRelation({ at, draft, name, relation, target, rules, report });
      if (model !== undefined) draft.relations.set(name, model);
    }
    for (const name of Object.keys(rules)) {
      if (draft.declared.has(name)) continue;
      const at = `${draft.name}.access.relations.${name}`;
      report(at, `There is no relation ${quote(name)}.`, suggest(name, [...draft.declared.keys()]));
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
  // A missing `update` is reported where the access of the resource is resolved.
  const updating = resolveRule(update, `${ruleAt}.link`, () => {});
  const nullable = draft.fields.get(columns.local)?.type.nullable ?? true;
  const onDelete = relation.kind === "belongsTo" ? relation.onDelete : undefined;
  if (onDelete !== undefined && !ON_DELETE.includes(onDelete)) {
    report(at, `onDelete cannot be ${quote(onDelete)}.`, suggest(onDelete, ON_DELETE));
  }
  if (onDelete === "setNull" && !nullable) {
    report(at, `onDelete: "setNull" empties '${columns.local}', which is not nullable.`, "Make the field .nullable().");
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

/** How many rows may be created along a relation: they need a field that a caller, or who writes for it, may set. */
function readCreates(at: string, draft: Draft, relation: Relation, target: Draft, report: Report): number {
  const creates: unknown = "creates" in relation ? relation.creates : 0;
  if (creates === undefined || creates === 0) return 0;
  const most = relation.kind === "hasMany" ? Number.MAX_SAFE_INTEGER : 1;
  if (typeof creates !== "number" || !Number.isInteger(creates) || creates < 0 || creates > most) {
    report(at, `creates cannot be ${quote(creates)}.`, most === 1 ? "Write 0 or 1." : "Write a whole number from 0.");
    return 0;
  }
  if (relation.kind === "manyToMany") {
    report(at, "Nothing is created along links.", "Leave 'creates' out: create the row, then link it.");
    return 0;
  }
  const decided = relation.kind === "belongsTo" ? undefined : relation.field;
  if (![...target.fields.values()].some(({ name, writable }) => writable && name !== decided)) {
    report(at, `Of a new ${target.name} there is nothing that an input could say.`, "Leave 'creates' out.");
    return 0;
  }
  const others = [...draft.relations.values()].filter(({ kind, creates: own }) => kind === "belongsTo" && own > 0);
  const other = relation.kind === "belongsTo" && others.find(({ local }) => local === relation.field);
  if (typeof other === "object") {
    const problem = `'${other.name}' already says what '${relation.field}' of a new row is made of.`;
    report(at, problem, "Leave 'creates' out of one of them.");
    return 0;
  }
  const holder = relation.kind === "belongsTo" ? draft : target;
  if (holder.fields.get(relation.field)?.writable === false) {
    const problem = `'${holder.name}.${relation.field}' is not the caller's to write, so nothing is created along it.`;
    report(at, problem, "Leave 'creates' out, or let the field be written.");
    return 0;
  }
  return creates;
}

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
    report(at, "It is not an object.", "Write { read: rule, link: rule }.");
    return {};
  }
  checkMembers(own, ["read", "link"], at, report);
  const fix = "Give it a rule, or take it out: the rules of the target and of updates then hold.";
  if (Object.keys(own).length === 0) report(at, "There is no rule.", fix);
  return own;
}

function relationRules({ name, config }: Draft, report: Report): Readonly<Record<string, unknown>> {
  const access = config["access"];
  const rules = isObject(access) ? access["relations"] : undefined;
  return Object.fromEntries(readEntries(rules, `${name}.access.relations`, report));
}

function missingTarget(target: string, drafts: Drafts): string {
  return `${suggest(target, [...drafts.keys()])} Every resource that is named stands in the list given to defineApi.`;
}

function isRelation(value: unknown): value is Relation {
  if (!isObject(value) || typeof value["target"] !== "string") return false;
  return ["belongsTo", "hasMany", "hasOne", "manyToMany"].includes(String(value["kind"]));
}
