import { GraphQLError, type GraphQLFormattedError } from "graphql";
import type { Denials } from "../context.ts";
import type { Extensions } from "../meter.ts";
import { type ErrorSettings, formatError } from "./format-error.ts";
import { isBifocalError } from "../../errors/bifocal-error.ts";
import type { RootPlan } from "../compile/plan.ts";
import { toGraphQLError } from "../graphql-error.ts";

/** The response to a request, as JSON text. */
export interface ResultText {
  readonly text: string;
  /** Whether the request was not executed: the response has no `data` member, not even null. */
  readonly isRefused: boolean;
  readonly errors?: readonly GraphQLFormattedError[];
  /** The further parts of an incremental response. */
  readonly parts?: AsyncIterableIterator<string, undefined>;
}

/** The result of one root field. */
export interface RootResult {
  readonly text: string;
  /** Whether an error propagated to the root and makes `data` null. */
  readonly isFatal?: boolean;
  readonly errors?: readonly GraphQLFormattedError[];
}

export function refusedResult(refused: readonly GraphQLError[], settings: ErrorSettings): ResultText {
  const errors = refused.map((error) => formatError(error, "BAD_REQUEST", settings));
  return { text: JSON.stringify({ errors }), isRefused: true, errors };
}

/** @param prefixes - the response keys as JSON text */
export function joinResults(
  prefixes: readonly { readonly prefix: string }[],
  results: readonly RootResult[],
  { cost, eventId, kind, replayed, version }: Extensions,
  denials?: Denials,
): ResultText {
  let data = "";
  let isFatal = false;
  let errors: GraphQLFormattedError[] | undefined;
  let index = 0;
  for (const result of results) {
    if (result.errors !== undefined) (errors ??= []).push(...result.errors);
    if (result.isFatal === true) isFatal = true;
    data += `${prefixes[index++]?.prefix ?? ""}${result.text}`;
  }
  const extensions =
    cost === undefined && kind === undefined && replayed === undefined && version === undefined
      ? ""
      : `,"extensions":${JSON.stringify({ cost, eventId, kind, replayed, version })}`;
  const end = `${extensions}}`;
  const text = (isFatal ? '"data":null' : `"data":{${data}}`) + end;
  if (errors === undefined || errors.length === 0) return { text: `{${text}`, isRefused: false };
  const listed = denials === undefined ? errors : limitErrors(errors, denials);
  return { text: `{"errors":${JSON.stringify(listed)},${text}`, isRefused: false, errors: listed };
}

/**
 * Limits the number of errors. If there are too many, the last one contains the number of those that are missing, which
 * includes denied values that were never turned into errors.
 */
export function limitErrors(
  errors: readonly GraphQLFormattedError[],
  { count, most }: Denials,
): readonly GraphQLFormattedError[] {
  const all = errors.length + Math.max(0, count - most);
  if (all <= most) return errors;
  const shown = errors.slice(0, most - 1);
  const code = errors[most - 1]?.extensions?.["code"];
  return [...shown, { message: `${all - shown.length} more errors are not shown.`, extensions: { code } }];
}

/** Reports an error of a root field as graphql-js does for a resolver, with its locations and its path. */
export function failed(settings: ErrorSettings, { key, nodes, isNonNull }: RootPlan, thrown: unknown): RootResult {
  const error = isBifocalError(thrown) ? toGraphQLError(thrown) : (thrown as Error);
  const extensions = error instanceof GraphQLError ? error.extensions : {};
  const located = new GraphQLError(error.message, { nodes, path: [key], originalError: error, extensions });
  return { text: "null", isFatal: isNonNull, errors: [formatError(located, "INTERNAL", settings)] };
}
