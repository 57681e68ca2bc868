import type { ClientResource } from "@bifocal/core";
import { formatId, parseId } from "../id.ts";
import type { Options } from "../lens.ts";
import { isPlainObject } from "../plain-object.ts";
import type { AdminRecord, Identifier, ListParams, UpdateParams, Values } from "./params.ts";

const hasPlainId = ({ key }: ClientResource): boolean => key.length === 1 && key[0] === "id";

/** Adds the `id` that react-admin needs: the text of the key, if the key has another name or several fields. */
export function toRecord<R extends AdminRecord>(resource: ClientResource, row: Values): R {
  const { key } = resource;
  const own = key.length === 1 ? row[key[0] as string] : row;
  return (hasPlainId(resource) ? row : { ...row, id: formatId(resource, own) }) as unknown as R;
}

/** Returns the key of an `id`. Ids in the addresses of pages are texts. */
export function toKey(resource: ClientResource, id: Identifier): unknown {
  if (resource.key.length === 1 && !hasPlainId(resource) && typeof id === "string") id = decodeURIComponent(id);
  return parseId(resource, id);
}

/** Returns the query of a list. */
export function toQuery(resource: ClientResource, { pagination, sort, filter = {}, signal }: ListParams): Options {
  const { q, ...values } = filter;
  const field = sort?.field ?? "";
  // By default, react-admin sorts by `id`. Rows are sorted by their key anyway.
  const isDefault = field === "" || (field === "id" && !Object.hasOwn(resource.sort, field));
  return {
    count: true,
    filter: Object.fromEntries(Object.entries(values).flatMap(([name, value]) => toCondition(name, value))),
    ...(typeof q === "string" && q !== "" ? { search: q } : {}),
    ...(isDefault ? {} : { sort: [sort?.order === "DESC" ? `-${field}` : field] }),
    ...(pagination && { page: { size: pagination.perPage, offset: (pagination.page - 1) * pagination.perPage } }),
    ...(signal && { signal }),
  };
}

/** An empty input doesn't filter. A list matches any of its values. */
function toCondition(name: string, value: unknown): readonly (readonly [string, unknown])[] {
  if (value === undefined || value === null || value === "") return [];
  if (Array.isArray(value)) return value.length === 0 ? [] : [[name, { in: value }]];
  if (!isPlainObject(value)) return [[name, value]];
  const members = Object.entries(value).filter(([, one]) => one !== undefined && one !== null && one !== "");
  return members.length === 0 ? [] : [[name, Object.fromEntries(members)]];
}

/** Returns what a form changed, without the fields that react-admin sends along. */
export function changesOf(resource: ClientResource, { data, previousData = {} }: Omit<UpdateParams, "id">): Values {
  const isKnown = (name: string): boolean => name in resource.fields || name in resource.relations;
  return Object.fromEntries(
    Object.entries(data).filter(([name, value]) => isKnown(name) && !isSame(value, previousData[name])),
  );
}

function isSame(a: unknown, b: unknown): boolean {
  if (a instanceof Date || b instanceof Date || isPlainObject(a) || Array.isArray(a)) return textOf(a) === textOf(b);
  return a === b;
}

const textOf = (value: unknown): string =>
  JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? String(one) : one));
