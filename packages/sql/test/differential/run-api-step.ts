import type { Principal } from "@bifocal/core";
import { isBifocalError, type Json, type Key, type Model, type ResourceModel, type Row } from "@bifocal/core/store";
import type { ApiCall, ApiStep } from "./api-steps.ts";
import { CALLERS } from "./callers.ts";
import { GENERATED } from "./model.ts";
import type { Said } from "./run-step.ts";

type Calls = Readonly<Record<string, (...args: unknown[]) => Promise<unknown>>>;

/** The part of an API whose types don't depend on its resources. */
export interface UntypedApi {
  readonly model: Model;
  readonly as: (principal: Principal) => Readonly<Record<string, Calls>>;
  readonly local: Readonly<Record<string, Calls>>;
  readonly transaction: <T>(
    work: (local: Readonly<Record<string, Calls>>) => Promise<T>,
    options: { readonly principal: Principal | null },
  ) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** Ends a transaction that is drawn to be rolled back. */
class RollBack extends Error {}

/** Makes the call. Errors are reduced to what callers can see. */
export async function runApiStep(api: UntypedApi, step: ApiStep): Promise<Said> {
  const principal: Principal | null = CALLERS[step.who];
  const make = async (local: Readonly<Record<string, Calls>>, one: ApiCall): Promise<Said> =>
    (await call(local[one.of] as Calls, api.model.resources.get(one.of) as ResourceModel, one)) ?? null;
  try {
    if (step.kind !== "transaction") return await make(principal === null ? api.local : api.as(principal), step);
    const work = async (local: Readonly<Record<string, Calls>>): Promise<Said> => {
      const said: Said[] = [];
      for (const one of step.calls) said.push(await make(local, one));
      if (step.isRolledBack) throw new RollBack();
      return said;
    };
    return await api.transaction(work, { principal });
  } catch (thrown) {
    if (thrown instanceof RollBack) return "rolled back";
    if (!isBifocalError(thrown)) throw thrown;
    const { code, message, issues } = thrown;
    // A row can violate several unique groups, of which the error names one.
    return code === "CONFLICT" ? { code } : { code, message, issues };
  }
}

function call(calls: Calls, resource: ResourceModel, step: ApiCall): Promise<unknown> | undefined {
  const id = idOf(resource, step.key);
  switch (step.kind) {
    case "create":
      return calls["create"]?.(inputOf(resource, step.row));
    case "update": {
      const set = Object.entries(step.row).filter(([name], at) => step.chosen[at] && !resource.key.includes(name));
      return calls["update"]?.(id, inputOf(resource, Object.fromEntries(set)));
    }
    case "replace": {
      const set = Object.entries(step.row).filter(([name]) => !resource.key.includes(name));
      return calls["replace"]?.(id, inputOf(resource, Object.fromEntries(set)));
    }
    case "deleteMany":
      return calls["deleteMany"]?.({ [resource.key[0] as string]: { isNull: false } });
    case "count":
      return calls["aggregate"]?.({ aggregate: ["count"] });
    case "link":
    case "unlink":
      return calls[step.kind]?.(id, step.relation, idOf(resource, step.other));
    case "get":
      return calls["get"]?.(id, { ...shown(step), select: everything(resource) });
    case "list": {
      const { related } = step;
      const filter = related && { [related.relation]: { [related.quantifier]: {} } };
      const query = { ...shown(step), select: everything(resource), page: { size: 50 } };
      return calls["list"]?.({ ...query, ...(filter && { filter }) });
    }
    default:
      return calls[step.kind]?.(id);
  }
}

function shown({ kind, deleted }: ApiCall & { readonly kind: "get" | "list" }): object {
  return deleted === undefined || (kind === "get" && deleted === "only") ? {} : { deleted };
}

/** Selects all fields, the rows of all relations, and their numbers. Calls of the store compute other values. */
function everything({ whole, computed, relations }: ResourceModel): object {
  const fields = whole.fields.filter((name) => !computed.has(name) || name.endsWith("Count"));
  return Object.fromEntries([...fields, ...relations.keys()].map((name) => [name, true]));
}

function idOf({ key: fields }: ResourceModel, key: Key): unknown {
  return Array.isArray(key) ? Object.fromEntries(fields.map((name, at) => [name, key[at]])) : key;
}

function inputOf({ fields }: ResourceModel, row: Row): object {
  const given = Object.entries(row).filter(([name]) => !GENERATED.has(name));
  const decode = (name: string, value: Json): unknown =>
    value === null ? null : (fields.get(name)?.codec?.toValue(value) ?? value);
  return Object.fromEntries(given.map(([name, value]) => [name, decode(name, value)]));
}
