import { parseId } from "../../operation/key.ts";
import type { PermissionsOutcome } from "../../operation/outcome.ts";
import { type Exchange, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import type { ReadPrincipal, View } from "../formats/format.ts";
import type { ResponseShape } from "../request/lower-shape.ts";

/** Creates the context of a response, without its rows, for formats. */
export function createView({ request, target }: Exchange, { selection, fieldsets }: ResponseShape): View {
  const { api, model, resource, printRequest } = target;
  const { prefix, path, query } = request;
  return {
    requestTexts: () => printRequest(request),
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

/** Returns a function with which a format reads the caller. It sets `noted.personal`. */
export function askPrincipal({ context }: Exchange, noted: Dependence): ReadPrincipal {
  return () => {
    noted.personal = true;
    return context.caller.principal;
  };
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
    if (outcome.kind !== "permissions") return unexpectedOutcome(outcome);
    if (outcome.personal) noted.personal = true;
    const { create, update, delete: deletion } = resource.operations.rest;
    return {
      ...outcome,
      create: outcome.create && create,
      update: outcome.update && update,
      delete: outcome.delete && deletion,
    };
  };
}
