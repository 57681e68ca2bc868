import type { ClientDescription, ClientResource } from "@bifocal/core";
import { BifocalError, isBifocalError } from "./client-error.ts";
import { decodeField } from "./decode.ts";
import { decodeRow } from "./decode-row.ts";
import { resourceNamed } from "./description.ts";
import { loadGroups } from "./groups.ts";
import { formatId, parseId } from "./id.ts";
import type { Call, Lens, Options, Result, Row } from "./lens.ts";
import type { LiveLists, LiveSource } from "./live/live-source.ts";
import { FUNCTIONS } from "./shared-functions.ts";
import type { Transport } from "./transport.ts";
import type { Versions } from "./versions.ts";
import { loadPart } from "./load-part.ts";
import { type OpenChanges, watch, type WatchQuery } from "./watch.ts";

export interface CallParts {
  readonly lens: Lens;
  readonly transport: Transport;
  readonly describe: () => Promise<ClientDescription>;
  readonly versions: Versions;
  readonly live?: LiveLists | undefined;
  readonly watch?: OpenChanges | undefined;
}

type Ask = (
  operation: Call["operation"],
  options: (Options & { readonly ifMatch?: unknown }) | undefined,
  parts?: (resource: ClientResource, description: ClientDescription) => Partial<Call>,
) => Promise<{ readonly call: Call; readonly result: Result }>;

/** The calls and the description of a resource that `callMember` needs. */
export interface MemberParts extends Pick<CallParts, "describe"> {
  readonly name: string;
  readonly ask: Ask;
  readonly toItem: (call: Call, row: Row, version?: string) => Row;
  readonly toPage: (asked: Awaited<ReturnType<Ask>>) => object;
}
export type CallMember = (operation: "act" | "query", member: string, given: readonly unknown[]) => Promise<unknown>;

/** Creates the methods of a resource. `ClientCalls` in @bifocal/core has their types. */
export function createCalls(parts: CallParts, name: string): object {
  const { lens, live, transport, describe, versions } = parts;
  const ask: Ask = async (operation, { ifMatch, ...options } = {}, parts = () => ({})) => {
    options.signal?.throwIfAborted();
    const description = await describe();
    const resource = resourceNamed(description, name);
    const more = parts(resource, description);
    const groups = await loadGroups(options);
    const call = { operation, resource, description, options, groups, versions: versions.read(ifMatch), ...more };
    return { call, result: await lens.run(withVersion(call), transport) };
  };

  function toItem({ description, resource, options, groups }: Call, row: Row, version?: string): Row {
    const item = decodeRow(description, resource, row, options.select, groups);
    const own = resource.version === undefined ? undefined : (row[resource.version] as number | null | undefined);
    const known = version ?? own?.toString();
    if (known !== undefined) versions.remember(item, known);
    return item;
  }

  const askRow = async (...asked: Parameters<Ask>): Promise<unknown> => {
    const { call, result } = await ask(...asked);
    return result.row ? toItem(call, result.row, result.version) : null;
  };
  const at = (id: unknown, input?: unknown) => (resource: ClientResource) => ({
    id: formatId(resource, id),
    ...(input === undefined ? {} : { input }),
  });
  const askIds = async (...asked: Parameters<Ask>): Promise<unknown> => {
    const { call, result } = await ask(...asked);
    return result.ids?.map((id) => parseId(call.resource, id));
  };
  const change =
    (operation: "replace" | "update") =>
    async (id: unknown, input: unknown, options?: Options): Promise<unknown> =>
      askRow(operation, options, at(id, input));
  const link =
    (operation: "link" | "unlink") => async (id: unknown, member: string, other: unknown, options?: Options) => {
      await ask(operation, options, (resource, description) => {
        const relation = resource.relations[member];
        if (relation === undefined) throw new BifocalError("BAD_REQUEST", `'${name}' has no '${member}'.`);
        return { id: formatId(resource, id), member, target: formatId(resourceNamed(description, relation.to), other) };
      });
    };

  const toPage = ({ call, result }: Awaited<ReturnType<Ask>>): object => ({
    ...result.page,
    items: result.page?.items.map((row) => toItem(call, row)),
  });

  const callMember: CallMember = async (...called) => {
    const { callMember: call } = await loadPart(import("./call-member.ts"));
    return call({ name, describe, ask, toItem, toPage, ...FUNCTIONS }, ...called);
  };
  const methods = (operation: "act" | "query"): object =>
    new Proxy(
      {},
      {
        get:
          (_, member) =>
          async (...given: unknown[]) =>
            callMember(operation, String(member), given),
      },
    );

  const list = async (query?: Options): Promise<object> => toPage(await ask("list", query));
  const watchRows = (query?: WatchQuery) => watch({ ...parts, name }, query);

  return {
    list(query?: Options) {
      if (!query?.live) return list(query);
      if (!live) throw new BifocalError("BAD_REQUEST", "Pass 'live' to createClient.");
      return live({ name, describe, list, watch: watchRows } as LiveSource, query);
    },
    async aggregate(query?: Options) {
      const { call, result } = await ask("aggregate", { group: [], ...query });
      const { items = [], totalIsExact: _, ...page } = result.page ?? {};
      return {
        groups: items.map((group) =>
          call.groups?.decodeGroup(call.description, call.resource, call.options, group, decodeField),
        ),
        ...page,
      };
    },
    async get(id: unknown, options?: Options) {
      try {
        return await askRow("get", options, at(id));
      } catch (thrown) {
        if (isBifocalError(thrown) && thrown.status === 404) return null;
        throw thrown;
      }
    },
    history: async (id: unknown, options?: Options) => (await ask("history", options, at(id))).result.page,
    create: async (input: unknown, options?: Options) => askRow("create", options, () => ({ input })),
    replace: change("replace"),
    update: change("update"),
    async delete(id: unknown, options?: Options) {
      await ask("delete", options, at(id));
    },
    async createMany(input: readonly unknown[], options?: Options) {
      const { call, result } = await ask("createMany", options, () => ({ input }));
      return result.rows?.map((row) => row && toItem(call, row));
    },
    updateMany: async (filter: Row, input: unknown, options?: Options) =>
      askIds("updateMany", { ...options, filter }, () => ({ input })),
    deleteMany: async (filter: Row, options?: Options) => askIds("deleteMany", { ...options, filter }),
    link: link("link"),
    unlink: link("unlink"),
    watch: watchRows,
    restore: async (id: unknown) => callMember("act", "restore", [id]),
    actions: methods("act"),
    queries: methods("query"),
  };
}

/** Also selects the version of the row, for `ifMatch`. */
function withVersion(call: Call): Call {
  const { resource, options } = call;
  const { select } = options;
  if (select === undefined || resource.version === undefined) return call;
  return { ...call, options: { ...options, select: { ...select, [resource.version]: true } } };
}
