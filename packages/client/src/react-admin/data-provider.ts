import type { ClientResource } from "@bifocal/core";
import { BifocalError, isBifocalError } from "../client-error.ts";
import { describeApi, requireClient } from "../describe-api.ts";
import { resourceNamed } from "../description.ts";
import type { Options, Page } from "../lens.ts";
import { changesOf, toKey, toQuery, toRecord } from "./admin-rows.ts";
import { toHttpError } from "./http-error.ts";
import type { AdminRecord, Identifier, ListParams, ReferenceParams, UpdateParams, Values } from "./params.ts";

interface Calls {
  readonly list: (query: Options) => Promise<Page>;
  readonly get: (id: unknown, options?: Options) => Promise<Values | null>;
  readonly create: (input: Values) => Promise<Values | null>;
  readonly update: (id: unknown, changes: Values, options: { readonly ifMatch?: string }) => Promise<Values | null>;
  readonly delete: (id: unknown) => Promise<void>;
}

interface Rows<R> {
  readonly data: R[];
}

interface RowPage<R> extends Rows<R> {
  readonly total: number;
}

interface One<R> {
  readonly data: R;
}

/** The data provider of react-admin 5. Names of resources are those of the API, such as `book`. */
export interface BifocalDataProvider {
  getList<R extends AdminRecord>(name: string, params: ListParams): Promise<RowPage<R>>;
  getOne<R extends AdminRecord>(name: string, params: { readonly id: Identifier }): Promise<One<R>>;
  getMany<R extends AdminRecord>(name: string, params: { readonly ids: readonly Identifier[] }): Promise<Rows<R>>;
  getManyReference<R extends AdminRecord>(name: string, params: ReferenceParams): Promise<RowPage<R>>;
  create<R extends AdminRecord>(name: string, params: { readonly data: Values }): Promise<One<R>>;
  update<R extends AdminRecord>(name: string, params: UpdateParams): Promise<One<R>>;
  updateMany(
    name: string,
    params: { readonly ids: readonly Identifier[]; readonly data: Values },
  ): Promise<Rows<Identifier>>;
  delete<R extends AdminRecord>(
    name: string,
    params: { readonly id: Identifier; readonly previousData?: unknown },
  ): Promise<One<R>>;
  deleteMany(name: string, params: { readonly ids: readonly Identifier[] }): Promise<Rows<Identifier>>;
}

/**
 * Creates the data provider of react-admin from a client, over either lens.
 * @example
 * <Admin dataProvider={createDataProvider(client)}>…</Admin>
 */
export function createDataProvider(client: object): BifocalDataProvider {
  requireClient(client);
  async function on<T>(name: string, work: (calls: Calls, resource: ClientResource) => Promise<T>): Promise<T> {
    try {
      const resource = resourceNamed(await describeApi(client), name);
      return await work((client as Readonly<Record<string, Calls>>)[name] as Calls, resource);
    } catch (thrown) {
      throw toHttpError(thrown);
    }
  }
  const getList = async <R extends AdminRecord>(name: string, params: ListParams): Promise<RowPage<R>> =>
    on(name, async (calls, resource) => {
      const { items, total = items.length } = await calls.list(toQuery(resource, params));
      return { data: items.map((row) => toRecord<R>(resource, row)), total };
    });

  const update = async <R extends AdminRecord>(name: string, { id, ...params }: UpdateParams): Promise<One<R>> =>
    on(name, async (calls, resource) => {
      const { data, previousData } = params;
      const key = toKey(resource, id);
      const version = resource.version === undefined ? undefined : previousData?.[resource.version];
      const ifMatch = typeof version === "number" ? { ifMatch: `${version}` } : {};
      const row = await calls.update(key, changesOf(resource, params), ifMatch);
      return { data: row === null ? ({ ...data, id } as unknown as R) : toRecord<R>(resource, row) };
    });

  return {
    getList,
    getOne: async (name, { id }) =>
      on(name, async (calls, resource) => {
        const row = await calls.get(toKey(resource, id));
        return { data: toRecord(resource, row ?? missing(name, id)) };
      }),
    getMany: async (name, { ids }) =>
      on(name, async (calls, resource) => {
        const rows = await readMany(
          calls,
          resource,
          ids.map((id) => toKey(resource, id)),
        );
        return { data: rows.map((row) => toRecord(resource, row)) };
      }),
    getManyReference: async (name, { target, id, ...params }) =>
      getList(name, { ...params, filter: { ...params.filter, ...nest(target, id) } }),
    create: async (name, { data }) =>
      on(name, async (calls, resource) => {
        const row = await calls.create(data);
        return { data: toRecord(resource, row ?? data) };
      }),
    update,
    async updateMany(name, { ids, data }) {
      await Promise.all(ids.map((id) => update(name, { id, data })));
      return { data: [...ids] };
    },
    delete: async <R extends AdminRecord>(name: string, { id, previousData }: DeleteParams) =>
      on(name, async (calls, resource) => {
        await calls.delete(toKey(resource, id));
        return { data: (previousData ?? { id }) as R };
      }),
    deleteMany: async (name, { ids }) =>
      on(name, async (calls, resource) => {
        await Promise.all(ids.map((id) => calls.delete(toKey(resource, id))));
        return { data: [...ids] };
      }),
  };
}

/** `author.id` names a field along a relation. */
function nest(path: string, value: unknown): Values {
  const [first = "", ...rest] = path.split(".");
  return { [first]: rest.length === 0 ? value : nest(rest.join("."), value) };
}

interface DeleteParams {
  readonly id: Identifier;
  readonly previousData?: unknown;
}

/** Reads rows by one list if their key can be filtered, otherwise one by one. */
async function readMany(calls: Calls, { key }: ClientResource, ids: readonly unknown[]): Promise<readonly Values[]> {
  const [name = "", ...others] = key;
  if (others.length === 0 && ids.length > 1) {
    try {
      return (await calls.list({ filter: { [name]: { in: ids } }, page: { size: ids.length } })).items;
    } catch (thrown) {
      // The key isn't filterable, or there are more ids than a page may have.
      if (!isBifocalError(thrown) || thrown.code !== "BAD_REQUEST") throw thrown;
    }
  }
  const rows = await Promise.all(ids.map(async (id) => calls.get(id)));
  return rows.filter((row) => row !== null);
}

function missing(name: string, id: Identifier): never {
  throw new BifocalError("NOT_FOUND", `'${name}' has no row with the id '${id}'.`, { status: 404 });
}
