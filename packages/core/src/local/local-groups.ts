import { type Path, refuse } from "../errors/refuse.ts";
import type { Limits } from "../limits/limits.ts";
import { lowerAggregation } from "../lowering/lower-aggregation.ts";
import type { PageInput } from "../lowering/lower-page.ts";
import { groupTermName, measureName } from "../model/measure.ts";
import type { ResourceModel } from "../model/model.ts";
import type { Aggregation } from "../operation/aggregation.ts";
import type { Group } from "../operation/group.ts";
import type { Json } from "../util/json.ts";

type Options = Readonly<Record<string, unknown>>;

/** The options of groups, at the top or of a relation. */
export const GROUP_OPTIONS = ["aggregate", "group", "filter", "search", "having", "sort", "page"];

/** Whether a query selects groups instead of rows. */
export function selectsGroups(query: Options): boolean {
  return query["aggregate"] !== undefined || query["group"] !== undefined;
}

/** Lowers `aggregate`, `group`, `having`, `sort` and `page`. */
export function lowerLocalGroups(resource: ResourceModel, options: Options, limits: Limits, path: Path): Aggregation {
  const parts = {
    aggregate: namesIn(options, "aggregate", path),
    group: namesIn(options, "group", path),
    having: options["having"],
    sort: namesIn(options, "sort", path),
    page: (options["page"] ?? {}) as PageInput,
  };
  return lowerAggregation(resource, parts, { form: "value", limits, path });
}

function namesIn(options: Options, name: string, path: Path): readonly string[] {
  const value = options[name] ?? [];
  if (Array.isArray(value)) return value as readonly string[];
  return refuse([...path, name], "malformed", `'${name}' must be a list of names.`);
}

/** Returns the function that decodes the values of groups. */
export function decoderOf({ aggregates }: ResourceModel, { groupBy, measures }: Aggregation): (group: Group) => object {
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
