import type { HttpRequest } from "../../message/message.ts";
import type { ProtocolContext } from "../../message/protocol.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { Idempotency, Operation, Selected } from "../../operation/operation.ts";
import type { Outcome } from "../../operation/outcome.ts";
import type { Selection } from "../../operation/selection.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import type { Format } from "../formats/format.ts";
import { withKeys } from "../formats/view-rows.ts";
import { parseQuery, type QueryTree } from "./parse-query.ts";
import { rejectUnknownParameters } from "./parameters.ts";
import type { Preferences } from "./negotiate.ts";
import type { RouteTarget } from "../routes/route-target.ts";

/** The state of handling one request. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly context: ProtocolContext;
  readonly target: RouteTarget;
  /** The format of the response. Absent: JSON. */
  readonly format: Format | undefined;
  readonly preferences: Preferences;
  /** Set if the request must take effect only once. */
  readonly idempotency?: Idempotency;
  /** Data for later steps, such as the parsed body. */
  readonly notes: { body?: unknown };
}

type Succeeded = Exclude<Outcome, { kind: "failure" }>;

/** Parses the query string. Unknown parameters are rejected, or ignored with `handling=lenient`. */
export function readQuery({ request, format, preferences, target }: Exchange, known: readonly string[]): QueryTree {
  const query = format?.ignoresEmpty === true ? withoutEmpty(request.query) : request.query;
  const tree = parseQuery(query);
  if (preferences.handling === "lenient") {
    return Object.fromEntries(Object.entries(tree).filter(([name]) => known.includes(name)));
  }
  rejectUnknownParameters(tree, known, target);
  return tree;
}

function withoutEmpty(query: string): string {
  return query
    .split("&")
    .filter((part) => !part.endsWith("=") && part.includes("="))
    .join("&");
}

/** Returns the selection to read. Formats write links, so they need the keys of all rows. */
export function readSelection({ format, target }: Exchange, { selection }: Selected): Selection {
  return format === undefined
    ? selection
    : withKeys(target.model, target.resource, formatSelection(format, target, selection));
}

/** Returns what the views of a format contain. */
export function formatSelection(
  { select }: Format,
  { model, resource }: Pick<RouteTarget, "model" | "resource">,
  selection: Selection,
): Selection {
  return select === undefined ? selection : select(model, resource, selection);
}

/** Runs an operation. Throws its failure, which is converted to a problem in a single place. */
export function run({ context }: Exchange, operation: Operation): MaybePromise<Succeeded> {
  return mapMaybePromise(context.run(operation, context.caller), succeeded);
}

function succeeded(outcome: Outcome): Succeeded {
  if (outcome.kind === "failure") throw outcome.error;
  return outcome;
}

/** Returns the `idempotency` property for an operation that must take effect only once. */
export function idempotencyOf({ idempotency }: Exchange): { readonly idempotency?: Idempotency } {
  return idempotency === undefined ? {} : { idempotency };
}

/** Copies an exchange for another resource. */
export function about(exchange: Exchange, resource: ResourceModel): Exchange {
  return { ...exchange, target: { ...exchange.target, resource } };
}
