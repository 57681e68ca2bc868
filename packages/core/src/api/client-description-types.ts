import type { Conversion } from "../model/shape/conversion.ts";

/**
 * The description of an API for its clients, at `/client.json`. It contains names and types of the API, but
 * nothing that OpenAPI and the GraphQL schema don't contain.
 */
export interface ClientDescription {
  /** Version of this format. A client rejects other versions. */
  readonly version: 1;
  readonly graphql: {
    readonly path: string;
    /** Whether the server requires, or can learn, documents by their hash. */
    readonly persisted?: "only" | "automatic";
    /** Whether ids are opaque, so that they differ from those of REST. */
    readonly globalIds?: true;
    /** The HTTP status of each error code in REST. */
    readonly statuses: Readonly<Record<string, number>>;
  };
  /** By name. */
  readonly resources: Readonly<Record<string, ClientResource>>;
}

export interface ClientResource {
  readonly name: string;
  /** The path of the collection in REST, such as `/books`. */
  readonly path: string;
  readonly key: readonly string[];
  /** The number of rows of a page, unless a call sets it. */
  readonly pageSize: number;
  /** The field that counts the writes of a row. Its value is the version. */
  readonly version?: string;
  /** The fields of responses, by name. */
  readonly fields: Readonly<Record<string, ClientField>>;
  readonly relations: Readonly<Record<string, ClientRelation>>;
  readonly actions: Readonly<Record<string, ClientAction>>;
  readonly queries: Readonly<Record<string, ClientQuery>>;
  /** The operations that REST offers. */
  readonly rest: readonly string[];
  /** The root fields of GraphQL, by operation. */
  readonly graphql: Readonly<Record<string, ClientRootField>>;
  /** The names of sort and group terms in GraphQL, without `_ASC`: `{ "author.name": "AUTHOR_NAME" }`. */
  readonly sort: Readonly<Record<string, string>>;
}

/** A GraphQL field and the types of its arguments. */
export interface ClientRootField {
  readonly field: string;
  readonly args: Readonly<Record<string, string>>;
  /** Its selection, unless calls choose it. Empty for a value without members. */
  readonly select?: string;
}

/** The differences between an input in GraphQL and its JSON in REST. `options`: the members of a one-of input, by discriminator. */
export type UnionForm =
  | { readonly each: UnionForm }
  | { readonly members: Readonly<Record<string, UnionForm>> }
  | {
      readonly tag: string;
      readonly options: Readonly<Record<string, { readonly name: string; readonly form?: UnionForm }>>;
    };

export interface ClientField {
  readonly form?: Conversion;
  readonly input?: UnionForm;
  /** The selection of the members of an object in GraphQL: `{ street city }`. */
  readonly select?: string;
  /** Whether it is a number that GraphQL sends as the text of an `ID`. */
  readonly isNumericId?: true;
  /** Whether GraphQL doesn't have it. */
  readonly isRestOnly?: true;
}

export interface ClientRelation {
  readonly to: string;
  readonly many: boolean;
  /** Its path segment in REST. */
  readonly path: string;
  /** The types of its arguments in GraphQL. */
  readonly args: Readonly<Record<string, string>>;
  /** The types of the arguments of its groups in GraphQL, if it has groups there. */
  readonly groups?: Readonly<Record<string, string>>;
  /** The GraphQL fields that link and unlink rows, and their argument with the other row's id. */
  readonly link?: ClientRootField;
  readonly unlink?: ClientRootField;
}

export interface ClientAction {
  readonly on: "item" | "collection";
  /** Its path segment in REST. */
  readonly path: string;
  readonly returns: "row" | "value" | "nothing";
  readonly form?: Conversion;
  readonly input?: UnionForm;
  readonly select?: string;
  readonly graphql?: ClientRootField;
}

export interface ClientQuery {
  readonly on: "item" | "collection";
  /** Its path segment in REST. */
  readonly path: string;
  readonly returns: "rows" | "value";
  /** Whether calls pass an input. */
  readonly hasInput?: true;
  /** Whether the result can be null although the row exists. */
  readonly isNullable?: true;
  readonly form?: Conversion;
  readonly input?: UnionForm;
  readonly select?: string;
  /** Whether REST offers it. */
  readonly rest?: true;
  readonly graphql?: ClientRootField;
}
