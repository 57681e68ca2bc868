import { GraphQLError, type GraphQLFieldResolver, type GraphQLResolveInfo } from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import { contextOf } from "../context.ts";
import { toGraphQLError } from "../graphql-error.ts";
import type { Node } from "../../operation/outcome.ts";
import { withPlaces } from "../incremental/read-late.ts";
import type { Host } from "./host.ts";
import type { readsRows } from "./host-value.ts";

type Arguments = Readonly<Record<string, unknown>>;
/** A resolver as the host wrote it; what it takes and answers was its type's business. */
export type GivenResolver = (source: unknown, args: Arguments, context: object, info: GraphQLResolveInfo) => unknown;

export interface HostResolverParts {
  readonly host: Host;
  readonly contextFor: (contextValue: unknown) => object;
  readonly resolve: GivenResolver;
  /** What the resolver is given as its source. */
  readonly viewOf: (source: unknown) => unknown;
  /** What it needs of a row. */
  readonly needs: readonly string[];
  /** Where the type is, or may be, a resource's. */
  readonly reads: ReturnType<typeof readsRows>;
}

/** A resolver of the host, as graphql-js calls it. */
export function hostResolver(parts: HostResolverParts): GraphQLFieldResolver<unknown, unknown> {
  const { contextFor, viewOf, needs, reads } = parts;
  return async (source, args, contextValue, info) => {
    try {
      const row = needs.length === 0 ? source : await withPlaces(source as Node, needs, contextValue, info);
      const value = parts.resolve(viewOf(row), args as Arguments, contextFor(contextValue), info);
      return await (reads === undefined ? value : reads(value, contextOf(contextValue), info));
    } catch (thrown) {
      throw refusal(parts.host, thrown, contextValue);
    }
  };
}

/** A `GraphQLError` is the host's own words; whatever else was not meant for callers is masked. */
function refusal(host: Host, thrown: unknown, contextValue: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown;
  return toGraphQLError(host.maskError(thrown, contextOf(contextValue).caller));
}

/** What a host sees of a row: its key and what the field needs, in the form that rules and actions see. */
export function rowView(resource: ResourceModel, needs: readonly string[]): (source: unknown) => object {
  const names = [...new Set([...resource.key, ...needs])];
  return (source) => {
    const node = source as Readonly<Record<string, Json | undefined>>;
    const row: Record<string, unknown> = {};
    for (const name of names) {
      const value = node[name];
      // Denied to this caller.
      if (value === undefined) continue;
      const codec = resource.fields.get(name)?.codec;
      row[name] = codec === undefined ? value : codec.toValue(value);
    }
    return row;
  };
}
