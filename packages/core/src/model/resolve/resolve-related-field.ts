import { z } from "zod";
import { AGGREGATE_FUNCTIONS, type AggregateFunction } from "../../definition/aggregate-functions.ts";
import type { RelatedField } from "../../definition/related-fields.ts";
import { aggregateType } from "../aggregate-type.ts";
import type { ComputedModel, FieldModel, RelationModel } from "../model.ts";
import { operatorsOf, type WireType } from "../wire-type.ts";
import { allOfRules, computedReadRule } from "./computed-rules.ts";
import type { Draft, Drafts, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, quoteName, suggest } from "./read-config.ts";
import { ALLOW } from "./resolve-access.ts";

interface Place {
  readonly at: string;
  readonly draft: Draft;
  readonly drafts: Drafts;
  readonly name: string;
  readonly option: Readonly<Record<string, unknown>>;
  readonly report: Report;
}

const OPTIONS = namesOf<RelatedField>({
  "~bifocal": true,
  relation: true,
  aggregate: true,
  field: true,
  filter: true,
});

const FUNCTIONS = ["count", ...AGGREGATE_FUNCTIONS] as const;
const COUNT: WireType = { kind: "integer", nullable: false };

/** Resolves a field that is computed from related rows: its relation, and the type of its value. */
export function resolveRelatedField({ at, draft, drafts, name, option, report }: Place): ComputedModel | undefined {
  checkMembers(option, OPTIONS, at, report);
  const relation = relationOf(at, draft, option["relation"], report);
  const target = relation && drafts.get(relation.target);
  if (relation === undefined || target === undefined) return undefined;
  const kind = option["aggregate"] as AggregateFunction | "count";
  if (!FUNCTIONS.includes(kind)) {
    report(at, `Unknown function ${quoteName(kind)}.`, suggest(kind, FUNCTIONS));
    return undefined;
  }
  const field = kind === "count" ? undefined : fieldOfTarget(at, target, option["field"], report);
  const type = kind === "count" ? COUNT : field && aggregateType(kind, field.type);
  if (field !== undefined && type === undefined) {
    const problem = `${kind} can't be computed from '${target.name}.${field.name}', which holds ${field.type.kind} values.`;
    report(at, problem, "Use a field with numbers, or another function.");
  }
  if (type === undefined) return undefined;
  const isListed = (list: string): boolean => {
    const names = draft.config[list];
    return Array.isArray(names) && names.includes(name);
  };
  const flags = { filterable: isListed("filterable"), sortable: isListed("sortable") };
  return {
    name,
    schema: z.unknown(),
    type,
    input: type,
    required: false,
    default: undefined,
    writable: false,
    filledByHook: false,
    immutable: false,
    internal: false,
    secret: false,
    identifies: false,
    generated: undefined,
    ...flags,
    operators: operatorsOf(type),
    read: allOfRules([computedReadRule(draft, name, report) ?? ALLOW, relation.read]),
    write: ALLOW,
    description: undefined,
    deprecated: undefined,
    deprecation: undefined,
    codec: kind === "avg" ? undefined : field?.codec,
    computation: {
      kind: "related",
      from: [],
      relation: relation.name,
      function: kind,
      field: field?.name,
      where: option["filter"],
    },
  };
}

function relationOf(at: string, draft: Draft, name: unknown, report: Report): RelationModel | undefined {
  const relation = typeof name === "string" ? draft.relations.get(name) : undefined;
  const isDeclared = typeof name === "string" && draft.declared.has(name);
  if (!isDeclared) {
    report(at, `'${draft.name}' has no relation ${quoteName(name)}.`, suggest(name, [...draft.declared.keys()]));
  }
  if (relation?.many !== false) return relation;
  report(at, `'${relation.name}' leads to a single row.`, "Name a relation to many rows.");
  return undefined;
}

function fieldOfTarget(at: string, target: Draft, name: unknown, report: Report): FieldModel | undefined {
  const field = typeof name === "string" ? target.fields.get(name) : undefined;
  if (field === undefined) {
    report(at, `Unknown field ${quoteName(name)} of '${target.name}'.`, suggest(name, [...target.fields.keys()]));
  }
  if (field?.secret !== true) return field;
  report(at, `'${target.name}.${field.name}' is secret.`, "Use another field, or remove it from 'secret'.");
  return undefined;
}
