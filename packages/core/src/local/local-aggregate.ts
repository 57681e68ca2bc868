import { refuse } from "../errors/refuse.ts";
import { lowerAggregation } from "../lowering/lower-aggregation.ts";
import type { LoweringTarget } from "../lowering/lower-filter.ts";
import type { PageInput } from "../lowering/lower-page.ts";
import type { Limits } from "../limits/limits.ts";
import { groupTermName, measureName } from "../model/measure.ts";
import type { ResourceModel } from "../model/model.ts";
import type { Group } from "../operation/group.ts";
import type { GroupPage } from "../operation/visible-rows.ts";
import type { AggregateOperation } from "../operation/operation.ts";
import type { Json } from "../util/json.ts";
import { checkNames, lowerLocalCondition } from "./local-options.ts";

type Options = Readonly<Record<string, unknown>>;

const KNOWN = ["aggregate", "group", "filter", "search", "having", "sort", "page", "signal"];

/** Lowers the options of a local aggregate. */
export function lowerLocalAggregate(target: LoweringTarget, options: Options, limits: Limits): AggregateOperation {
  checkNames(options, KNOWN, []);
  const { resource } = target;
  const condition = lowerLocalCondition(target, options, limits, []);
  const parts = {
    aggregate: namesIn(options, "aggregate"),
    group: namesIn(options, "group"),
    having: options["having"],
    sort: namesIn(options, "sort"),
    page: (options["page"] ?? {}) as PageInput,
  };
  const aggregation = lowerAggregation(resource, parts, { form: "value", limits, path: [] });
  return { kind: "aggregate", resource: resource.name, ...condition, ...aggregation };
}

function namesIn(options: Options, name: string): readonly string[] {
  const value = options[name] ?? [];
  if (Array.isArray(value)) return value as readonly string[];
  return refuse([name], "malformed", `'${name}' must be a list of names.`);
}

/** Returns a page of groups with decoded values. */
export function toLocalGroups(resource: ResourceModel, operation: AggregateOperation, page: GroupPage): object {
  const { length, total, hasNext, hasPrevious } = page;
  const decode = decoderOf(resource, operation);
  return {
    groups: page.groups.map(decode),
    total,
    hasNext,
    hasPrevious,
    startCursor: length === 0 ? null : page.cursor(0),
    endCursor: length === 0 ? null : page.cursor(length - 1),
  };
}

function decoderOf({ aggregates }: ResourceModel, { groupBy, measures }: AggregateOperation): (group: Group) => object {
  const terms = groupBy.map(groupTermName).filter((name) => aggregates.groups.get(name)?.codec !== undefined);
  const coded = measures.filter((measure) => aggregates.measures.get(measureName(measure))?.codec !== undefined);
  if (terms.length === 0 && coded.length === 0) return (group) => group;
  return (group) => {
    const keys: Record<string, unknown> = { ...group.group };
    for (const name of terms) keys[name] = decoded(aggregates.groups.get(name)?.codec, group.group[name]);
    const copy: Record<string, unknown> = { ...group, group: keys };
    for (const measure of coded) {
      if (measure.field === undefined) continue;
      const { function: name, field } = measure;
      const values = { ...(copy[name] as Record<string, unknown>) };
      values[field] = decoded(aggregates.measures.get(measureName(measure))?.codec, group[name]?.[field]);
      copy[name] = values;
    }
    return copy;
  };
}

type Codec = { readonly toValue: (stored: Json) => unknown } | undefined;

function decoded(codec: Codec, value: Json | undefined): unknown {
  return value === null || value === undefined ? null : codec?.toValue(value);
}
