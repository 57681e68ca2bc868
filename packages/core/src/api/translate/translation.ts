import type { Operation } from "../../operation/operation.ts";

/** An operation in each style. */
export interface Translation {
  readonly operation: Operation;
  readonly rest: RestForm | NotExpressible;
  readonly graphql: GraphqlForm | NotExpressible;
  /** A call of `@bifocal/client`. `api.local` has the same methods. */
  readonly client: ClientForm | NotExpressible;
}

export interface RestForm {
  readonly method: string;
  /** The path with the query string: `/books?filter[price][lt]=20`. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: unknown;
}

export interface GraphqlForm {
  readonly document: string;
  readonly variables: Readonly<Record<string, unknown>>;
}

export interface ClientForm {
  /** An expression in TypeScript that uses a variable `client`. */
  readonly code: string;
}

export interface NotExpressible {
  /** Why the style has no such request. */
  readonly reason: string;
}

/** Prints an operation in each style. With `isQuery`, a read by REST is a `QUERY`. */
export type PrintOperation = (operation: Operation, options?: { readonly isQuery?: boolean }) => Translation;

/** A request to translate. */
export type TranslationSource = string | RestSource | GraphqlSource;

export interface RestSource {
  /** Default: `GET`. */
  readonly method?: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: unknown;
}

export interface GraphqlSource {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
  /** The operation to translate, if the document has several. */
  readonly operationName?: string;
}

/** Translates an operation, or a request: one translation for each of its operations. */
export type Translate = (source: Operation | TranslationSource) => Promise<readonly Translation[]>;
