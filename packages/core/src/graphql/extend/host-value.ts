import {
  getNamedType,
  getNullableType,
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  isAbstractType,
  isListType,
  isNonNullType,
} from "graphql";
import type { Key, ResourceModel } from "../../model/model.ts";
import { lowerKey } from "../../operation/key.ts";
import type { ExecutionContext } from "../context.ts";
import type { FieldTarget } from "../lower/field-target.ts";
import { createRowLoader, type LoadRow } from "../row-loader.ts";

type Reads = (value: unknown, context: ExecutionContext, info: GraphQLResolveInfo) => unknown;

/**
 * Creates a function that reads the rows whose ids a host's resolver returns. Returns undefined if the type contains no
 * resource.
 */
export function readsRows(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  targetOf: (typeName: string) => FieldTarget | undefined,
): Reads | undefined {
  const named = getNamedType(type);
  const target = targetOf(named.name);
  if (target !== undefined) {
    const load = createRowLoader(target);
    return eachOf(type, (value, context, info) => loadValue(target.resource, load, value, context, info));
  }
  if (!isAbstractType(named)) return undefined;
  const loaders = new Map<string, { readonly resource: ResourceModel; readonly load: LoadRow }>();
  for (const { name } of schema.getPossibleTypes(named)) {
    const possible = targetOf(name);
    if (possible !== undefined) loaders.set(name, { resource: possible.resource, load: createRowLoader(possible) });
  }
  if (loaders.size === 0) return undefined;
  return eachOf(type, async (value, context, info) => {
    const name = isObject(value) ? value["__typename"] : undefined;
    const loader = typeof name === "string" ? loaders.get(name) : undefined;
    if (loader === undefined) return value;
    const node = await loadValue(loader.resource, loader.load, value, context, info);
    // graphql-js reads the type from `__typename`. The node is copied because it may be the store's own row.
    return node === null ? null : { ...node, __typename: name };
  });
}

async function loadValue(
  resource: ResourceModel,
  load: LoadRow,
  value: unknown,
  context: ExecutionContext,
  info: GraphQLResolveInfo,
): ReturnType<LoadRow> {
  const key = keyOfValue(resource, value);
  return key === undefined ? null : load(context, info, key);
}

/** Accepts a key as in local calls, or an object that contains it. */
function keyOfValue(resource: ResourceModel, value: unknown): Key | undefined {
  const [only] = resource.key;
  const isRow = isObject(value) && only !== undefined && Object.hasOwn(value, only);
  return lowerKey(resource, resource.key.length === 1 && isRow ? value[only] : value);
}

/** Applies `read` to each item of a list. Missing rows are left out of a list whose items are non-null. */
function eachOf(type: GraphQLOutputType, read: Reads): Reads {
  const nullable = getNullableType(type);
  const item = isListType(nullable) ? nullable.ofType : undefined;
  const readItem = item === undefined ? read : eachOf(item, read);
  return async (given, context, info) => {
    const value: unknown = await given;
    if (value === null || value === undefined) return null;
    if (item === undefined) return read(value, context, info);
    const items =
      Symbol.iterator in Object(value) && typeof value !== "string" ? [...(value as Iterable<unknown>)] : value;
    if (!Array.isArray(items)) return items;
    const found = await Promise.all(items.map((one) => readItem(one, context, info)));
    return isNonNullType(item) ? found.filter((one) => one !== null) : found;
  };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
