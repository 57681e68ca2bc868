import { DATE_PARTS } from "../../definition/aggregate-functions.ts";
import { aggregateType, functionsOf, isGroupable } from "../aggregate-type.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { groupTermName, type GroupTerm, type Measure, measureName } from "../measure.ts";
import type { AggregatesModel, FieldModel, GroupModel, MeasureModel } from "../model.ts";
import { operatorsOf, type WireType } from "../wire-type.ts";
import { canBeId } from "./can-be-id.ts";
import type { Draft, Drafts, Report } from "./draft.ts";
import { readNames } from "./read-config.ts";

const COUNT: MeasureModel = modelOf({ function: "count" }, { kind: "integer", nullable: false }, undefined);

/** Resolves what callers can compute from groups of rows, and by what they can group them. */
export function resolveAggregates(draft: Draft, drafts: Drafts, report: Report): AggregatesModel {
  const { name, config, fields } = draft;
  const namesIn = (option: string, known: Iterable<string>): ReadonlySet<string> =>
    new Set(readNames(config[option], known, `${name}.${option}`, report));
  const visible = (names: ReadonlySet<string>, option: string): readonly FieldModel[] =>
    [...fields.values()].filter((field) => names.has(field.name) && isVisible(field, `${name}.${option}`, report));
  const measures: MeasureModel[] = [COUNT];
  const aggregatable = visible(namesIn("aggregatable", draft.schemas.keys()), "aggregatable");
  for (const field of aggregatable) {
    const functions = functionsOf(field.type);
    if (functions.length > 0) continue;
    const problem = `'${field.name}' has neither a sum nor an order.`;
    report(`${name}.aggregatable`, problem, "Remove it. Numbers, texts, dates and times can be aggregated.");
  }
  for (const field of aggregatable) {
    for (const each of functionsOf(field.type)) {
      const type = aggregateType(each, field.type) as WireType;
      measures.push(modelOf({ function: each, field: field.name }, type, each === "avg" ? undefined : field.codec));
    }
  }
  measures.sort((a, b) => ORDER.indexOf(a.function) - ORDER.indexOf(b.function));
  const far = farFields(draft, drafts);
  const groupable = namesIn("groupable", [...draft.schemas.keys(), ...far.keys()]);
  const groups = [
    ...visible(groupable, "groupable").flatMap((field) => groupsOf(field, `${name}.groupable`, report)),
    ...[...far].flatMap(([path, { relation, field }]) => {
      if (!groupable.has(path) || !isVisible(field, `${name}.groupable`, report)) return [];
      return groupsOf(field, `${name}.groupable`, report).map((group) => along(relation, group));
    }),
  ];
  const isDeclared = aggregatable.length > 0 || groups.length > 0;
  return {
    isDeclared,
    segment: isDeclared && isFree(draft) ? SEGMENT : undefined,
    measures: new Map(measures.map((measure) => [measure.name, measure])),
    groups: new Map(groups.map((group) => [group.name, group])),
  };
}

const SEGMENT = "aggregate";

/** Whether `/books/aggregate` isn't the path of a row, an action or a query. */
function isFree(draft: Draft): boolean {
  const others = [...draft.actions.values(), ...draft.queries.values()].filter(({ on }) => on === "collection");
  return !others.some(({ name }) => kebabCase(name) === SEGMENT) && !canBeId(draft, SEGMENT);
}

const ORDER: readonly Measure["function"][] = ["count", "sum", "avg", "min", "max"];

function modelOf(measure: Measure, type: WireType, codec: FieldModel["codec"]): MeasureModel {
  return { ...measure, name: measureName(measure), type, codec, operators: operatorsOf(type), identifies: false };
}

interface FarField {
  readonly relation: string;
  readonly field: FieldModel;
}

/** Returns the fields of all to-one relations, by their paths: `author.name`. */
function farFields({ relations }: Draft, drafts: Drafts): ReadonlyMap<string, FarField> {
  const far = new Map<string, FarField>();
  for (const { name: relation, many, target } of relations.values()) {
    if (many) continue;
    for (const field of drafts.get(target)?.fields.values() ?? [])
      far.set(`${relation}.${field.name}`, { relation, field });
  }
  return far;
}

/** The value is missing if there is no related row, or if the caller can't read it. */
function along(relation: string, { name, type, ...group }: GroupModel): GroupModel {
  return { ...group, relation, name: `${relation}.${name}`, type: { ...type, nullable: true } };
}

function isVisible(field: FieldModel, at: string, report: Report): boolean {
  if (!field.internal) return true;
  report(at, `'${field.name}' is internal, so no response can depend on it.`, "Remove it.");
  return false;
}

function groupsOf(field: FieldModel, at: string, report: Report): readonly GroupModel[] {
  const { name, type } = field;
  if (!isGroupable(type)) {
    report(at, `${type.kind} values can't be grouped by.`, "Remove the field.");
    return [];
  }
  if (ORDER.some((word) => word === name)) {
    report(at, `'${name}' is the name of a value of each group.`, "Rename the field.");
    return [];
  }
  const own: GroupModel = { field: name, name, type, codec: field.codec };
  if (type.kind !== "date" && type.kind !== "datetime") return [own];
  const parts = DATE_PARTS.map((part): GroupModel => {
    const term: GroupTerm = { field: name, part };
    const kind = part === "day" ? "date" : "string";
    return { ...term, name: groupTermName(term), type: { kind, nullable: type.nullable }, codec: undefined };
  });
  return [own, ...parts];
}
