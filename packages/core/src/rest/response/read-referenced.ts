import type { BifocalError } from "../../errors/bifocal-error.ts";
import { selectFields } from "../../lowering/lower-selection.ts";
import type { Key, ResourceModel } from "../../model/model.ts";
import { keyToken, lowerInputKey } from "../../operation/key.ts";
import { keysFilter } from "../../operation/keys-filter.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import type { ReadReferenced } from "../formats/format.ts";
import { ROW_VIEW } from "../formats/view-rows.ts";
import type { Exchange } from "../request/exchange.ts";
import type { Dependence } from "./view.ts";

/** Databases limit the values of a statement. The rows of further keys are not read. */
const MAX_KEYS = 1_000;
const UNREADABLE: ReadonlySet<BifocalError["code"]> = new Set(["FORBIDDEN", "UNAUTHENTICATED"]);

/** Returns a function with which a format reads the rows of foreign keys. It can set `noted.personal`. */
export function askReferenced({ context, target: { model } }: Exchange, noted: Dependence): ReadReferenced {
  return async (relation, values, names) => {
    // A rule of the relation can depend on the row that holds the key, and groups have no such row.
    if (relation.read.kind !== "allow") return [];
    const far = model.resources.get(relation.target) as ResourceModel;
    const keys = distinctKeys(far, values);
    if (keys.length === 0) return [];
    const selection = { fields: selectFields(far, [...far.key, ...names]), relations: [] };
    const filter = keysFilter(far, keys);
    const page = { size: keys.length };
    const operation = { kind: "list", resource: far.name, filter, sort: [], page, selection } as const;
    const outcome = await context.run(operation, context.caller);
    if (outcome.kind === "failure") {
      if (!UNREADABLE.has(outcome.error.code)) throw outcome.error;
      noted.personal = true;
      return [];
    }
    if (outcome.kind !== "page") return unexpectedOutcome(outcome);
    if (outcome.personal) noted.personal = true;
    return outcome.page.write(ROW_VIEW, selection);
  };
}

function distinctKeys(far: ResourceModel, values: readonly unknown[]): readonly Key[] {
  const keys = new Map<string, Key>();
  for (const value of values) {
    const key = value === null ? undefined : lowerInputKey(far, value, "wire");
    if (key !== undefined && keys.size < MAX_KEYS) keys.set(keyToken(key), key);
  }
  return [...keys.values()];
}
