import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Key, ResourceModel, Row } from "../../model/model.ts";
import { referenceOf, type Token, tokenOf } from "../../model/reference.ts";
import { resourceOf } from "../../model/resource-of.ts";
import { ALWAYS, andFilters } from "../../operation/filter.ts";
import { keyOf, keyToken } from "../../operation/key.ts";
import { valuesFilter } from "../../operation/keys-filter.ts";
import { type GroupedRows, groupRows } from "../../store/aggregate/group-rows.ts";
import { measuresOf, relatedValueFrom } from "../../store/related-value.ts";
import type { NamedRelatedValue } from "../../store/store.ts";
import type { Json } from "../../util/json.ts";
import type { OperationContext } from "../operation-context.ts";
import { eachRow } from "./each-row.ts";
import { totalSort } from "./needed-fields.ts";
import { canCompute, storeFilter } from "./rewrite-related.ts";

/** Maximum number of related rows that the engine reads for a store that can't compute a value itself. */
const MAX_ROWS = 10_000;

/** Returns the values of a row by their names. */
export type RelatedValuesOf = (row: Row) => Readonly<Record<string, Json>>;

/** The part of a plan that names values of related rows. */
interface RelatedPlan {
  readonly resource: ResourceModel;
  readonly computed: readonly { readonly related?: readonly NamedRelatedValue[] }[];
}

/** Returns the values that the store adds to the rows of a read. */
export function storeRelatedValues(
  context: OperationContext,
  plan: RelatedPlan,
): readonly NamedRelatedValue[] | undefined {
  return plan.computed.length === 0 ? undefined : plannedValues(context, plan);
}

function plannedValues(
  context: OperationContext,
  { resource, computed }: RelatedPlan,
): readonly NamedRelatedValue[] | undefined {
  const values = computed.flatMap(({ related = [] }) => related);
  const possible = values.filter((value) => canCompute(context, resource, value));
  return possible.length === 0 ? undefined : possible;
}

/** Reads the values that some rows don't contain yet: written rows, or rows of a store that can't compute them. */
export async function readRelatedValues(
  context: OperationContext,
  resource: ResourceModel,
  values: readonly NamedRelatedValue[],
  rows: readonly Row[],
): Promise<RelatedValuesOf> {
  const possible = values.filter((value) => canCompute(context, resource, value));
  const known = possible.length === 0 ? () => undefined : await readAgain(context, resource, possible, rows);
  const others = values.filter((value) => !possible.includes(value));
  const computed = await Promise.all(others.map((value) => computeHere(context, resource, value, rows)));
  return (row) => {
    const result: Record<string, Json> = {};
    for (const { name, kind } of possible) result[name] = known(row)?.[name] ?? (isCount(kind) ? 0 : null);
    for (const [at, { name }] of others.entries()) result[name] = (computed[at] as (row: Row) => Json)(row);
    return result;
  };
}

function isCount(kind: NamedRelatedValue["kind"]): boolean {
  return kind === "rows" || kind === "values";
}

async function readAgain(
  context: OperationContext,
  resource: ResourceModel,
  relatedValues: readonly NamedRelatedValue[],
  rows: readonly Row[],
): Promise<(row: Row) => Row | undefined> {
  const keys = new Map<string, Key>();
  for (const row of rows) {
    const key = keyOf(resource, row);
    keys.set(keyToken(key), key);
  }
  const query = { resource, keys: [...keys.values()], fields: new Set(resource.key), relatedValues };
  const found = await context.storeOf(resource.name).byKeys(query, context.deadline);
  const byKey = new Map(found.map((row) => [keyToken(keyOf(resource, row)), row]));
  return (row) => byKey.get(keyToken(keyOf(resource, row)));
}

/** Reads the related rows of all rows and computes the value of each. */
async function computeHere(
  context: OperationContext,
  resource: ResourceModel,
  value: NamedRelatedValue,
  rows: readonly Row[],
): Promise<(row: Row) => Json> {
  const { relation, filter } = value;
  const target = resourceOf(context.engine.model, relation.target);
  const parents = new Map<Token, Key>();
  for (const row of rows) {
    const reference = referenceOf(relation.local, row);
    if (reference !== null) parents.set(tokenOf(reference), reference);
  }
  const groups = new Map<Token, GroupedRows>();
  const create = (): GroupedRows => groupRows({ resource: target, groupBy: [], measures: measuresOf(value) });
  const add = (parent: Token, row: Row): void => {
    let group = groups.get(parent);
    if (group === undefined) groups.set(parent, (group = create()));
    group.add(row);
  };
  const where = filter && (await storeFilter(context, target, filter));
  if (parents.size > 0 && relation.through === undefined) {
    let count = 0;
    const own = valuesFilter(relation.foreign, [...parents.values()]);
    await eachRow(context, target, andFilters(own, where ?? ALWAYS), (row) => {
      if (++count > MAX_ROWS) refuseRows(target);
      add(tokenOf(referenceOf(relation.foreign, row) as Key), row);
    });
  } else if (parents.size > 0) {
    const sort = totalSort(target, []);
    const query = { resource: target, relation, parents: [...parents.values()], filter: where, sort, limit: MAX_ROWS };
    const pages = await context.storeOf(relation.source).listPer(query, context.deadline);
    for (const [at, parent] of [...parents.keys()].entries()) {
      const page = pages[at];
      if (page?.more === true) refuseRows(target);
      for (const row of page?.rows ?? []) add(parent, row);
    }
  }
  const valueOf = (group: GroupedRows): Json => relatedValueFrom(value, group.finish()[0]);
  return (row) => {
    const reference = referenceOf(relation.local, row);
    return valueOf((reference === null ? undefined : groups.get(tokenOf(reference))) ?? create());
  };
}

function refuseRows({ plural }: ResourceModel): never {
  const most = MAX_ROWS.toLocaleString("en");
  const message = `A computed field depends on more than ${most} ${plural}, and their store can't compute it. Select fewer rows, or leave the field out.`;
  throw new BifocalError("BAD_REQUEST", message, { issues: [{ path: ["fields"], message, code: "too_many_rows" }] });
}
