import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLSchema } from "graphql";
import type { VisibleRow } from "../../definition/local-select.ts";
import type { Local } from "../../definition/local.ts";
import type { Principal } from "../../definition/principal.ts";
import type { AnyResource } from "../../definition/resource.ts";

/**
 * The context (third argument) of a host's resolver. It also contains everything that the server put into its own
 * context.
 */
export interface HostContext<All extends AnyResource = AnyResource> {
  readonly principal: Principal | null;
  /** Local calls as that principal. They are canceled when the request ends. */
  readonly local: Local<All>;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal | undefined;
}

type HostArguments = Readonly<Record<string, unknown>>;

/** Declared as a method so that hosts can type their arguments: `(book, args: { length: number }) => …`. */
interface Resolves<Source, All extends AnyResource> {
  resolve(source: Source, args: HostArguments, context: HostContext<All>, info: GraphQLResolveInfo): unknown;
}

/**
 * Returns the value of a field. If the type of the field is a resource, it returns the id of a row or an object with
 * its key (for a list, a list of these). Bifocal then reads the row as the caller, with the client's selection.
 */
export type HostResolver<Source = unknown, All extends AnyResource = AnyResource> = Resolves<Source, All>["resolve"];

/**
 * A row in a host's resolver: its key and the fields that the resolver needs, without those that the caller is not
 * allowed to read.
 */
export type HostRow<R extends AnyResource> = Partial<VisibleRow<R>>;

/** A field that the host adds to a derived type. */
export type HostField<R extends AnyResource, All extends AnyResource> =
  | HostResolver<HostRow<R>, All>
  | (Resolves<HostRow<R>, All> & {
      /**
       * The fields of the row that the resolver reads. They are loaded even if the client does not select them.
       * Default: only the key.
       */
      readonly needs?: readonly (keyof VisibleRow<R> & string)[];
    });

/** A field of one of the host's own types. `subscribe` is for fields of `Subscription`. */
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

/** An extension of the derived schema. */
export interface GraphqlExtension<All extends AnyResource = AnyResource> {
  /** Types, `extend type …` and directives, as SDL. */
  readonly typeDefs?: string | readonly string[];
  /**
   * Resolvers of `Query`, `Mutation`, `Subscription` and the host's own types. Scalars are given as
   * `GraphQLScalarType`.
   */
  readonly resolvers?: {
    readonly [type: string]: { readonly [field: string]: HostTypeField<All> } | GraphQLScalarType;
  };
  /** Resolvers of fields that `typeDefs` adds to derived types, by the name of the resource. */
  readonly fields?: {
    readonly [R in All as R["name"]]?: { readonly [field: string]: HostField<R, All> };
  };
  /**
   * A schema to merge: its types and root fields are added. If a type has the name of a resource's type, its additional
   * fields are added to that type. Such a field declares the fields that it needs with `extensions: { bifocal: { needs:
   * ["title"] } }`.
   */
  readonly schema?: GraphQLSchema;
  /** Transforms the complete schema at the end, for directives that wrap resolvers. */
  readonly transform?: (schema: GraphQLSchema) => GraphQLSchema;
}

/** One extension, or a list with one per module. */
export interface ExtendSettings<All extends AnyResource> {
  readonly extend?: GraphqlExtension<All> | readonly GraphqlExtension<All>[];
}
