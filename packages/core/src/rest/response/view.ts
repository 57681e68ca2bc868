import { parseId } from "../../operation/key.ts";
import type { Selected } from "../../operation/operation.ts";
import type { PermissionsOutcome } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import { type Exchange, run, unexpected } from "../request/exchange.ts";
import type { View } from "../formats/format.ts";
import { withKeys } from "../formats/view-rows.ts";
import type { ResponseShape } from "../request/lower-shape.ts";

/** Creates the context of a response, without its rows, for formats. */
export function createView({ request, target }: Exchange, { selection, fieldsets }: ResponseShape): View {
  const { api, model, resource } = target;
  const { prefix, path, query } = request;
  return {
    api,
    model,
    resource,
    selection,
    fieldsets,
    prefix,
    path,
    query,
    url: `${prefix}${path}${query === "" ? "" : `?${query}`}`,
  };
}

/** Whether a response depends on the caller. */
export interface Dependence {
  personal: boolean;
}

/**
 * Returns a function with which a format queries the caller's permissions. If they depend on the caller, it sets
 * `noted.personal`.
 */
export function askPermissions(exchange: Exchange, noted: Dependence, id?: string): () => Promise<PermissionsOutcome> {
  return async () => {
    const { resource } = exchange.target;
    const key = id === undefined ? undefined : parseId(resource, id);
    const asked = { kind: "permissions", resource: resource.name } as const;
    const outcome = await run(exchange, key === undefined ? asked : { ...asked, key });
    if (outcome.kind !== "permissions") return unexpected(outcome);
    if (outcome.personal) noted.personal = true;
    return outcome;
  };
}

/** Returns the selection to read. Formats write links, so they need the keys of all rows. */
export function readSelection({ format, target }: Exchange, { selection }: ResponseShape): Selection {
  return format === undefined ? selection : withKeys(target.model, target.resource, selection);
}

/** Returns what the operation has to read for the response. */
export function selectShape(exchange: Exchange, shape: ResponseShape): Selected {
  const selection = readSelection(exchange, shape);
  return shape.named.length === 0 ? { selection } : { selection, named: shape.named };
}
