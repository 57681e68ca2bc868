import { allOf, anyOf, through } from "../../definition/compose-rules.ts";
import { describeRule } from "../../definition/rule-parts.ts";
import type { Rule, RuleAnswer, RuleContext } from "../../definition/rule.ts";
import type { ComputedModel, FieldModel, RelationModel } from "../model.ts";
import { historySchemas, isRecorded, ROW_RELATION } from "../history.ts";
import { operatorsOf } from "../wire-type.ts";
import { rowKeyField } from "./add-histories.ts";
import type { Draft, Pass, Report } from "./draft.ts";
import { ALLOW, DENY } from "./resolve-access.ts";
import { resolveField } from "./resolve-fields.ts";
import { versionOf } from "./resolve-options.ts";

/** Completes the resources of entries: their hidden fields, their relation to the row, and who can read them. */
export const resolveHistories: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const source = draft.historyOf === undefined ? undefined : drafts.get(draft.historyOf);
    if (source !== undefined) resolveHistory(draft, source, report);
  }
};

function resolveHistory(draft: Draft, source: Draft, report: Report): void {
  const columns = source.key.map((field) => rowKeyField(source.name, field));
  for (const name of [...columns, ...Object.keys(historySchemas().stored)]) {
    const field = draft.fields.get(name);
    if (field !== undefined) draft.fields.set(name, hidden(field));
  }
  draft.relations.set(ROW_RELATION, rowRelation(draft, source, columns));
  if (draft.access !== undefined) draft.access = { ...draft.access, read: { kind: "ask", rule: entryRule(source) } };
  const changes = changesField(draft, columns, report);
  if (changes !== undefined) draft.computed.set("changes", changes);
}

/** Only the engine writes entries. */
function hidden(field: FieldModel): FieldModel {
  return { ...field, internal: true, writable: false, required: false, identifies: false };
}

function rowRelation(draft: Draft, source: Draft, columns: readonly string[]): RelationModel {
  return {
    name: ROW_RELATION,
    source: draft.name,
    target: source.name,
    // Unlike belongsTo, it has no foreign key, because entries outlive their row.
    kind: "hasOne",
    many: false,
    local: columns,
    foreign: source.key,
    toKey: true,
    through: undefined,
    nullable: true,
    onDelete: undefined,
    creates: 0,
    links: 0,
    writes: { create: 0, update: 0, delete: 0 },
    read: DENY,
    link: DENY,
  };
}

/**
 * Allows an entry that changed at least one field that the caller can read on the current row. System callers also
 * read the entries of earlier rows with the same key.
 */
function entryRule(source: Draft): Rule {
  const open: string[] = [];
  const ruled = new Map<Rule, string[]>();
  const version = versionOf(source);
  const recorded = [...source.fields.values()].filter((field) => isRecorded({ version }, field));
  for (const { name, read } of recorded) {
    if (read.kind === "allow") open.push(name);
    else ruled.set(read.rule, [...(ruled.get(read.rule) ?? []), name]);
  }
  const changes = [changesAny(open), ...Array.from(ruled, ([rule, names]) => whereAllowed(rule, names))];
  const rule = allOf(() => ({ ended: { eq: false } }), anyOf(...(changes as [Rule])) as never);
  return describeRule((context: RuleContext) => rule(context), "a field of the entry can be read");
}

function changesAny(names: readonly string[]): Rule {
  return () => names.length > 0 && { names: { hasSome: names } };
}

/** Decides by the rule of some fields. A rule that allows every row doesn't need the row, which may be deleted. */
function whereAllowed(rule: Rule, names: readonly string[]): Rule {
  const changed = changesAny(names);
  const decide = (answer: RuleAnswer, context: RuleContext): ReturnType<Rule> => {
    if (answer === true) return changed(context);
    return allOf(through(ROW_RELATION, () => answer) as Rule, changed)(context);
  };
  return (context) => {
    const answer = rule(context);
    return answer instanceof Promise ? answer.then((settled) => decide(settled, context)) : decide(answer, context);
  };
}

function changesField(draft: Draft, columns: readonly string[], report: Report): ComputedModel | undefined {
  const schema = historySchemas().changes;
  const resolved = resolveField(`${draft.name}.computed.changes`, schema, report);
  return (
    resolved && {
      ...resolved,
      name: "changes",
      schema,
      required: false,
      default: undefined,
      writable: false,
      filledByHook: false,
      immutable: false,
      internal: false,
      secret: false,
      identifies: false,
      generated: undefined,
      filterable: false,
      sortable: false,
      operators: operatorsOf(resolved.type),
      read: ALLOW,
      write: ALLOW,
      description: "The changed fields that the caller can read.",
      deprecated: undefined,
      deprecation: undefined,
      computation: { kind: "changes", from: ["entries", ...columns] },
    }
  );
}
