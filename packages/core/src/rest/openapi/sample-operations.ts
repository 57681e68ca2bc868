import type { ActionModel, Key, QueryModel, RelationModel, ResourceModel } from "../../model/model.ts";
import type { Filter } from "../../operation/filter.ts";
import type { Measure } from "../../model/measure.ts";
import type { AggregateOperation, ListOperation, Operation } from "../../operation/operation.ts";
import type { Page } from "../../operation/page.ts";
import type { Json } from "../../util/json.ts";
import { answersRow } from "../write/handle-action.ts";
import { fieldExample, inputExample, schemaExample } from "./examples.ts";

const SIZE = 10;
const NOTHING = { fields: [], relations: [] } as const;

/** Returns a list with a filter, a sort and a page size, as far as the resource supports them. */
export function sampleList(resource: ResourceModel): ListOperation {
  const filter = sampleFilter(resource);
  return {
    kind: "list",
    resource: resource.name,
    ...(filter && { filter }),
    sort: sampleSort(resource),
    page: samplePage(resource),
    selection: resource.whole,
  };
}

/** Returns an aggregate with a value and a group, as far as the resource supports them. */
export function sampleGroups(resource: ResourceModel): AggregateOperation {
  const { measures, groups } = resource.aggregates;
  const [, value] = [...measures.values()];
  const [group] = [...groups.values()].filter(({ relation }) => relation === undefined);
  const measured = value?.field === undefined ? [] : [{ function: value.function, field: value.field } as Measure];
  const by = group && { field: group.field, ...(group.part === undefined ? {} : { part: group.part }) };
  return {
    kind: "aggregate",
    resource: resource.name,
    measures: [{ function: "count" }, ...measured],
    groupBy: by === undefined ? [] : [by],
    sort: [{ name: "count", descending: true }],
    page: samplePage(resource),
  };
}

/** Operations on the row with an example key. Undefined if the key has no example. */
export function sampleGet(resource: ResourceModel): Operation | undefined {
  return withKey(resource, (key) => ({ kind: "get", resource: resource.name, key, selection: resource.whole }));
}

export function sampleDelete(resource: ResourceModel): Operation | undefined {
  return withKey(resource, (key) => ({ kind: "delete", resource: resource.name, key }));
}

export function sampleChange(kind: "replace" | "update", resource: ResourceModel): Operation | undefined {
  const input = inputExample(resource, kind);
  if (input === undefined) return undefined;
  return withKey(resource, (key) => {
    return { kind, resource: resource.name, key, input, form: "wire", selection: resource.whole };
  });
}

export function sampleCreate(resource: ResourceModel): Operation | undefined {
  const input = inputExample(resource, "create");
  return input && { kind: "create", resource: resource.name, input, form: "wire", selection: resource.whole };
}

export function sampleUpdateMany(resource: ResourceModel): Operation | undefined {
  const [filter, input] = [sampleFilter(resource), inputExample(resource, "update")];
  return filter && input && { kind: "updateMany", resource: resource.name, filter, input, form: "wire" };
}

export function sampleDeleteMany(resource: ResourceModel): Operation | undefined {
  const filter = sampleFilter(resource);
  return filter && { kind: "deleteMany", resource: resource.name, filter };
}

/** Reads the rows of a relation. */
export function sampleRelated(
  resource: ResourceModel,
  { name, many }: RelationModel,
  target: ResourceModel,
): Operation | undefined {
  const list = many ? { sort: sampleSort(target), page: samplePage(target) } : { sort: [] };
  const relations = [{ relation: name, as: name, ...list, selection: target.whole }];
  return withKey(resource, (key) => {
    return { kind: "get", resource: resource.name, key, relation: name, selection: { fields: [], relations } };
  });
}

/** Creates a row inside a relation. */
export function sampleCreateWithin(
  resource: ResourceModel,
  { name: relation, foreign }: RelationModel,
  target: ResourceModel,
): Operation | undefined {
  const input = inputExample(target, "create", foreign);
  if (input === undefined) return undefined;
  return withKey(resource, (key) => ({
    kind: "create",
    resource: target.name,
    input,
    form: "wire",
    within: { resource: resource.name, key, relation },
    selection: target.whole,
  }));
}

export function sampleLink(
  kind: "link" | "unlink",
  resource: ResourceModel,
  { name: relation }: RelationModel,
  to: ResourceModel,
): Operation | undefined {
  const target = sampleKey(to);
  if (target === undefined) return undefined;
  return withKey(resource, (key) => ({ kind, resource: resource.name, key, relation, target }));
}

export function sampleAction(resource: ResourceModel, action: ActionModel): Operation | undefined {
  const input = action.input && schemaExample(action.input);
  if (action.input !== undefined && input === undefined) return undefined;
  const operation = {
    kind: "act",
    resource: resource.name,
    action: action.name,
    ...(input === undefined ? {} : { input }),
    form: "wire",
    selection: answersRow(action) ? resource.whole : NOTHING,
  } as const;
  return action.on === "item" ? withKey(resource, (key) => ({ ...operation, key })) : operation;
}

export function sampleQuery(resource: ResourceModel, { name, on, input, output }: QueryModel): Operation | undefined {
  const given = input && schemaExample(input);
  if (input !== undefined && given === undefined) return undefined;
  const operation = (key?: Key): Operation => {
    const query = {
      name,
      form: "wire",
      ...(key === undefined ? {} : { key }),
      ...(given === undefined ? {} : { input: given }),
    } as const;
    if (output !== undefined) return { kind: "query", resource: resource.name, query };
    return {
      kind: "list",
      resource: resource.name,
      query,
      sort: [],
      page: samplePage(resource),
      selection: resource.whole,
    };
  };
  return on === "item" ? withKey(resource, operation) : operation();
}

function sampleFilter(resource: ResourceModel): Filter | undefined {
  for (const field of resource.visibleFields) {
    if (!field.filterable || !field.operators.includes("eq") || resource.key.includes(field.name)) continue;
    const value = fieldExample(field, "output");
    if (value === undefined || value === null || typeof value === "object") continue;
    return { kind: "compare", field: field.name, operator: "eq", value };
  }
  return undefined;
}

function sampleSort(resource: ResourceModel): ListOperation["sort"] {
  const field = resource.visibleFields.find(({ name, sortable }) => sortable && !resource.key.includes(name));
  return field === undefined ? [] : [{ path: [field.name], descending: true }];
}

function samplePage({ page }: ResourceModel): Page {
  return { size: Math.min(SIZE, page.max) };
}

function withKey(resource: ResourceModel, create: (key: Key) => Operation): Operation | undefined {
  const key = sampleKey(resource);
  return key === undefined ? undefined : create(key);
}

function sampleKey({ key, fields }: ResourceModel): Key | undefined {
  const parts: Json[] = [];
  for (const name of key) {
    const field = fields.get(name);
    const example = field && fieldExample(field, "output");
    if (example === undefined || example === null) return undefined;
    parts.push(example);
  }
  return (parts.length === 1 ? parts[0] : parts) as Key;
}
