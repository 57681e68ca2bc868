import { GraphQLError, type GraphQLFieldResolver, type GraphQLResolveInfo } from "graphql";
import type { ResourceModel } from "../../model/model.ts";
import type { Json } from "../../util/json.ts";
import { contextOf } from "../context.ts";
import { toGraphQLError } from "../graphql-error.ts";
import type { Node } from "../node.ts";
import { withPlaces } from "../reader.ts";
import type { Host } from "./host.ts";
import type { readsRows } from "./host-value.ts";

type Arguments = Readonly<Record<string, unknown>>;
/** A resolver as written by the host, without its types. */
export type GivenResolver = (source: unknown, args: Arguments, context: object, info: GraphQLResolveInfo) => unknown;

export interface HostResolverParts {
  readonly host: Host;
  readonly contextFor: (contextValue: unknown) => object;
  readonly resolve: GivenResolver;
  /** Returns the source that the resolver receives. */
  readonly viewOf: (source: unknown) => unknown;
  /** The fields of a row that the resolver needs. */
  readonly needs: readonly string[];
  /** Present if the type of the field is, or may be, a resource. */
  readonly reads: ReturnType<typeof readsRows>;
}

/** Wraps a resolver of the host for graphql-js. */
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

/** A `GraphQLError` is returned to the client unchanged. Any other error that is not meant for clients is masked. */
function refusal(host: Host, thrown: unknown, contextValue: unknown): GraphQLError {
  if (thrown instanceof GraphQLError) return thrown;
  return toGraphQLError(host.maskError(thrown, contextOf(contextValue).caller));
}

/**
 * Creates the row for a host's resolver: its key and the needed fields, with values in the same form as in rules and
 * actions.
 */
export function rowView(resource: ResourceModel, needs: readonly string[]): (source: unknown) => object {
  const names = [...new Set([...resource.key, ...needs])];
  return (source) => {
    const node = source as Readonly<Record<string, Json | undefined>>;
    const row: Record<string, unknown> = {};
    for (const name of names) {
      const value = node[name];
      // The caller is not allowed to read this field.
      if (value === undefined) continue;
      const codec = resource.fields.get(name)?.codec;
      row[name] = codec === undefined ? value : codec.toValue(value);
    }
    return row;
  };
}
