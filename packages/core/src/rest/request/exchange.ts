import type { HttpRequest } from "../../message/message.ts";
import type { ProtocolContext } from "../../message/protocol.ts";
import type { ResourceModel } from "../../model/model.ts";
import type { Once, Operation } from "../../operation/operation.ts";
import type { Outcome } from "../../operation/outcome.ts";
import { type MaybePromise, thenNow } from "../../util/maybe-promise.ts";
import type { Format } from "../formats/format.ts";
import { parseQuery, type QueryTree } from "./parse-query.ts";
import { checkParameters } from "./parameters.ts";
import type { Preferences } from "./prefer.ts";
import type { Target } from "../routes/target.ts";

/** One request on its way to its answer. */
export interface Exchange {
  readonly request: HttpRequest;
  readonly context: ProtocolContext;
  readonly target: Target;
  /** What the answer is written in. Absent: JSON. */
  readonly format: Format | undefined;
  readonly preferences: Preferences;
  /** Where the request is to be done once only. */
  readonly once?: Once;
  /** What is learned on the way. */
  readonly notes: { body?: unknown };
}

type Succeeded = Exclude<Outcome, { kind: "failure" }>;

/** The parameters of the query string; others than the known ones are refused, or, by `handling=lenient`, left out. */
export function readQuery({ request, format, preferences }: Exchange, known: readonly string[]): QueryTree {
  const query = format?.ignoresEmpty === true ? withoutEmpty(request.query) : request.query;
  const tree = parseQuery(query);
  if (preferences.handling === "lenient") {
    return Object.fromEntries(Object.entries(tree).filter(([name]) => known.includes(name)));
  }
  checkParameters(tree, known);
  return tree;
}

function withoutEmpty(query: string): string {
  return query
    .split("&")
    .filter((part) => !part.endsWith("=") && part.includes("="))
    .join("&");
}

/** Runs an operation; a failure is thrown, for the one place that makes problems of errors. */
export function run({ context }: Exchange, operation: Operation): MaybePromise<Succeeded> {
  return thenNow(context.run(operation, context.caller), succeeded);
}

function succeeded(outcome: Outcome): Succeeded {
  if (outcome.kind === "failure") throw outcome.error;
  return outcome;
}

/** What an operation that is to be done once only says so by. */
export function onceOnly({ once }: Exchange): { readonly once?: Once } {
  return once === undefined ? {} : { once };
}

/** The same exchange about another resource. */
export function about(exchange: Exchange, resource: ResourceModel): Exchange {
  return { ...exchange, target: { ...exchange.target, resource } };
}

/** The engine answers each kind of operation with its own kinds of outcome; another is a bug of ours. */
export function unexpected(outcome: Outcome): never {
  throw new Error(`Internal error: the engine returned an unexpected outcome '${outcome.kind}'.`);
}
