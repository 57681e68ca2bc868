import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLSchema } from "graphql";
import type { RowOf } from "../../definition/fields.ts";
import type { Local } from "../../definition/local.ts";
import type { Principal } from "../../definition/principal.ts";
import type { AnyResource, TypesOf } from "../../definition/resource.ts";

/** What a host's resolver finds as its third argument, beside whatever else the server put into its context. */
export interface HostContext<All extends AnyResource = AnyResource> {
  readonly principal: Principal | null;
  /** Local calls as that principal; they end with the request. */
  readonly local: Local<All>;
  /** Aborted when the caller has gone. */
  readonly signal: AbortSignal | undefined;
}

type HostArguments = Readonly<Record<string, unknown>>;

/** A method, so that a host may say what its arguments are: `(book, args: { length: number }) => …`. */
interface Resolves<Source, All extends AnyResource> {
  resolve(source: Source, args: HostArguments, context: HostContext<All>, info: GraphQLResolveInfo): unknown;
}

/**
 * Answers the value of a field. A field whose type is a resource's answers the id of a row, or an object that holds
 * its key (a list of them for a list): the row is read as the caller, with whatever is selected.
 */
export type HostResolver<Source = unknown, All extends AnyResource = AnyResource> = Resolves<Source, All>["resolve"];

type VisibleRow<R extends AnyResource> = Omit<RowOf<TypesOf<R>["fields"]>, TypesOf<R>["internal"]>;

/** A row as a host's resolver sees it: its key and what the field needs, except what the caller may not read. */
export type HostRow<R extends AnyResource> = Partial<VisibleRow<R>>;

/** A field of the host's on a derived type. */
export type HostField<R extends AnyResource, All extends AnyResource> =
  | HostResolver<HostRow<R>, All>
  | (Resolves<HostRow<R>, All> & {
      /** The fields of the row that it reads, whether they are selected or not. Default: the key alone. */
      readonly needs?: readonly (keyof VisibleRow<R> & string)[];
    });

/** A field of a type of the host's own; `subscribe` for those of `Subscription`. */
export type HostTypeField<All extends AnyResource> =
  | HostResolver<unknown, All>
  | {
      resolve?(source: unknown, args: HostArguments, context: HostContext<All>, info: GraphQLResolveInfo): unknown;
      subscribe?(
        source: unknown,
        args: HostArguments,
        context: HostContext<All>,
        info: GraphQLResolveInfo,
      ): AsyncIterable<unknown> | Promise<AsyncIterable<unknown>>;
    };

/** What a host adds to the derived schema. */
export interface GraphqlExtension<All extends AnyResource = AnyResource> {
  /** Types, `extend type …` and directives, as SDL. */
  readonly typeDefs?: string | readonly string[];
  /** Resolvers of `Query`, `Mutation`, `Subscription` and of the host's own types; scalars as they are. */
  readonly resolvers?: {
    readonly [type: string]: { readonly [field: string]: HostTypeField<All> } | GraphQLScalarType;
  };
  /** Resolvers of fields that `typeDefs` adds to derived types, by the name of the resource. */
  readonly fields?: {
    readonly [R in All as R["name"]]?: { readonly [field: string]: HostField<R, All> };
  };
  /**
   * A schema of its own, to be merged: its root fields are added, and its types. A type that is named as a resource's
   * adds its further fields to it; `extensions: { bifocal: { needs: ["title"] } }` says what such a field needs.
   */
  readonly schema?: GraphQLSchema;
  /** The last word on the whole schema, for directives that are implemented by wrapping resolvers. */
  readonly transform?: (schema: GraphQLSchema) => GraphQLSchema;
}

/** One extension, or one of each module. */
export interface ExtendSettings<All extends AnyResource> {
  readonly extend?: GraphqlExtension<All> | readonly GraphqlExtension<All>[];
}
