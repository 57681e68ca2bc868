import { parseId } from "../../operation/key.ts";
import type { Answered } from "../../operation/operation.ts";
import type { PermissionsOutcome } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import { type Exchange, run, unexpected } from "../request/exchange.ts";
import type { View } from "../formats/format.ts";
import { withKeys } from "../formats/view-rows.ts";
import type { Shape } from "../request/lower-shape.ts";

/** What a format knows of an answer besides its rows. */
export function createView({ request, target }: Exchange, { selection, fieldsets }: Shape): View {
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

/** What an answer depends on besides its rows. */
export interface Dependence {
  personal: boolean;
}

/** Asks what the caller may do, when a format wants to know; from then on the answer may be this caller's alone, which `noted` tells. */
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

/** What to read for an answer: formats write links, so they need the keys of all rows. */
export function readSelection({ format, target }: Exchange, { selection }: Shape): Selection {
  return format === undefined ? selection : withKeys(target.model, target.resource, selection);
}

/** What a write is to be answered with. */
export function answered(exchange: Exchange, shape: Shape): Answered {
  const selection = readSelection(exchange, shape);
  return shape.named.length === 0 ? { selection } : { selection, named: shape.named };
}
