/** A document and its variables. */
export interface Asked {
  readonly document: string;
  readonly variables?: Readonly<Record<string, unknown>>;
}

/** The result that a client returns to its user. */
export interface Told {
  /** Without `__typename`, which clients add to selections automatically. */
  readonly data: unknown;
  readonly errors: readonly {
    readonly code: unknown;
    readonly path?: readonly (string | number)[];
    /** `extensions.errors`, without the messages. */
    readonly issues?: readonly { readonly code: string; readonly path: readonly string[] }[];
  }[];
  /** An error outside of GraphQL, such as a network error. */
  readonly failed?: string;
}

/** A GraphQL client of another project, with one transport and one caller. */
export interface Client {
  /** Sends a query or a mutation. */
  readonly ask: (asked: Asked) => Promise<Told>;
  /** Returns a function that ends the subscription. */
  readonly subscribe: (asked: Asked, next: (told: Told) => void) => () => void;
  readonly close: () => void;
}

export interface Connection {
  /** The URL of the endpoint. */
  readonly url: string;
  /** The API key. Undefined for an anonymous caller. */
  readonly key?: string | undefined;
  readonly fetch?: typeof fetch;
}

interface GraphqlError {
  readonly path?: readonly (string | number)[] | undefined;
  // Clients type extensions as whatever a server sends.
  readonly extensions?: { readonly code?: unknown; readonly errors?: unknown } | undefined;
}

export function told(data: unknown, errors: readonly GraphqlError[] = []): Told {
  return {
    data: withoutTypenames(data ?? null),
    errors: errors.map(({ path, extensions: { code, errors: issues } = {} }) => ({
      code,
      ...(path === undefined ? {} : { path }),
      ...(Array.isArray(issues) ? { issues: issues.map(({ code, path }) => ({ code, path })) } : {}),
    })),
  };
}

export function failed(thrown: unknown): Told {
  return { data: null, errors: [], failed: thrown instanceof Error ? thrown.message : String(thrown) };
}

function withoutTypenames(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value, (key, inner: unknown) => (key === "__typename" ? undefined : inner)));
}

export function authorization(key: string | undefined): Record<string, string> {
  return key === undefined ? {} : { authorization: `Bearer ${key}` };
}

/** The endpoint's URL for WebSockets. */
export function socketUrl(url: string): string {
  return url.replace(/^http/, "ws");
}
