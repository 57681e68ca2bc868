import type { GraphQLSchema } from "graphql";
import type { AnyApi } from "../http/any-api.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Local, SystemLocal } from "../definition/local.ts";
import type { Principal, SystemPrincipal } from "../definition/principal.ts";
import type { AnyResource } from "../definition/resource.ts";
import type { Bus } from "../events/bus.ts";
import type { ExtendSettings } from "../graphql/extend/extension.ts";
import type { GraphqlSettings } from "../graphql/settings.ts";
import type { CorsOptions } from "../http/cors.ts";
import type { Handle } from "../http/handler.ts";
import type { Model } from "../model/model.ts";
import type { LimitOptions } from "../limits/limits.ts";
import type { Operation } from "../operation/operation.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Run } from "../operation/run.ts";
import type { Format } from "../rest/formats/format.ts";
import type { ApiInfo, OpenApiFormats, OpenApiVersion } from "../rest/openapi/openapi-types.ts";
import type { IdempotencyStore } from "../lowering/idempotency/idempotency-store.ts";
import type { ConsolePage } from "../rest/routes/console.ts";
import type { ReferencePage } from "../rest/routes/reference.ts";
import type { Route } from "../message/protocol.ts";
import type { Store } from "../store/store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { JsonObject } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import type { Translate } from "./translate/translation.ts";
import type { Warning, WarningSettings } from "../errors/warning.ts";

export interface ApiOptions<All extends readonly AnyResource[]> {
  /** All resources, including those that relations refer to. */
  readonly resources: readonly [...All];
  /** Stores the rows. Default: in memory, lost when the process ends. */
  readonly store?: Store;
  /** Stores for single resources, by the name of the resource. */
  readonly stores?: { readonly [K in All[number]["name"]]?: Store };
  /**
   * Delivers changes to subscribers on other instances: a bus, or settings. Default: the bus of the store (PostgreSQL
   * has one), otherwise none, which suits a single instance.
   */
  readonly events?: Bus | EventOptions;
  /** Identifies callers. Authenticators are tried in order. Default: none, so that all callers are anonymous. */
  readonly auth?: Authenticator | readonly Authenticator[];
  /**
   * Signs cursors. Default: a random secret per start. Set it if cursors must survive restarts, or if several instances
   * share them.
   */
  readonly secret?: string;
  readonly limits?: LimitOptions;
  /**
   * Limits the points that callers can spend per period: `rateLimit()` of `@bifocal/core/rate-limit`, or `false` for no
   * limit. Default: `rateLimit()` if `NODE_ENV` is `production`, otherwise `false`.
   */
  readonly rateLimit?: RateLimiter | false;
  /**
   * Addresses and networks of proxies whose `X-Forwarded-For` is trusted (`["10.0.0.0/8"]`). Bifocal uses it to find
   * the address of a client. Default: none, so that the client's address is that of its socket.
   */
  readonly trustedProxies?: readonly string[];
  /** Formats that REST reads and writes in addition to JSON. Default: all built-in formats (`DEFAULT_FORMATS`). */
  readonly formats?: readonly Format[];
  /** Stores responses to requests with an `Idempotency-Key`, for `ttl` seconds. Default: in memory, for one day. */
  readonly idempotency?: { readonly store?: IdempotencyStore; readonly ttl?: number };
  /** Which pages of other origins may call the API (REST and GraphQL). Default: none. */
  readonly cors?: CorsOptions;
  readonly log?: Log;
  /**
   * Whether settings that are unsafe in production are logged at start with `log.warn`. `{ except }` lists codes to
   * leave out. Default: true if `NODE_ENV` is `production`.
   */
  readonly warnings?: WarningSettings;
  /**
   * Observes requests, operations and store calls, for example `openTelemetry()` of `@bifocal/opentelemetry`. Default:
   * none.
   */
  readonly telemetry?: Telemetry | undefined;
  /**
   * Adds `Server-Timing` (W3C) to REST and GraphQL responses, except streams. Every client then sees how long each part
   * took. `true` leaves out responses that shared caches may store; `"public"` includes them. Default: false.
   */
  readonly serverTiming?: boolean | "public";
  /** Describes the API in OpenAPI, at `GET /` and on pages. Defaults: the title `"API"` and the version `"0.0.0"`. */
  readonly info?: Partial<ApiInfo>;
  /**
   * Version of the document at `/openapi.json`. `"3.2"` can also describe `QUERY` and, with `formats=all`, the events of
   * event streams. Default: `"3.1"`.
   */
  readonly openapi?: OpenApiVersion;
  /**
   * The page at `/docs`: `scalar()` of `@bifocal/scalar`, or `swaggerUi()` of `@bifocal/swagger-ui`. For production, see
   * `developerPages`. Default: none.
   */
  readonly docs?: ReferencePage;
  /** The page at `/console`: `apiConsole()` of `@bifocal/console`. For production, see `developerPages`. Default: none. */
  readonly console?: ConsolePage;
  readonly graphql?: GraphqlSettings & NoInfer<ExtendSettings<All[number]>>;
  /** Short for `graphql: { introspection }`. */
  readonly introspection?: boolean;
  /**
   * Whether `docs`, `console`, `graphql.graphiql`, the schema at `/-/schema` and translations at `/-/translate` are served.
   * The schema also needs introspection. Default: true unless `NODE_ENV` is `production`.
   */
  readonly developerPages?: boolean;
  /**
   * Whether developer pages and `/-/translate` show the SQL statements of a read, the access rules that decide about
   * a request, and those of the whole schema. Needs `developerPages`. Default: true unless `NODE_ENV` is `production`.
   */
  readonly explain?: boolean;
}

export interface EventOptions {
  /** Notifies other instances of changes. Default: the bus of the store, if it has one. */
  readonly bus?: Bus;
  /** Interval in milliseconds at which a store's log is polled even without a message. Default: 1,000. */
  readonly poll?: number;
  /**
   * Number of changes per resource that are kept for resuming subscribers, if the store doesn't keep changes. Default:
   * 1,000.
   */
  readonly keep?: number;
}

export interface TransactionOptions {
  /** The principal for calls of `local`. Default: null, which is an anonymous caller. */
  readonly principal?: Principal | null;
  readonly signal?: AbortSignal;
}

/** Returns typed calls as a principal. A system principal bypasses the rules, so its writes always return their row. */
export interface LocalAs<All extends AnyResource> {
  (principal: SystemPrincipal): SystemLocal<All>;
  (principal: Principal | null): Local<All>;
}

// A type and not an interface: editors show the name of an interface, with all of its arguments, before each property.
/** An API for REST, GraphQL and local calls. Mount it with an adapter. */
export type Api<All extends AnyResource> = AnyApi & {
  readonly model: Model;
  /** The resources, for types only. */
  readonly "~resources"?: All;
  /** Typed calls within the process, as an anonymous caller. */
  readonly local: Local<All>;
  /** Returns typed calls as a principal: `api.as(asSystem("seeding")).book.create(…)`. */
  readonly as: LocalAs<All>;
  /**
   * Runs local calls in one transaction of the API's store. If `work` throws, all of its changes are rolled back;
   * events are sent after the commit. `work` may run again after a conflict with another transaction, so it must not
   * have other side effects that cannot be repeated. Resources with their own stores are not part of the transaction.
   * Throws what `work` throws, or the error of the commit.
   *
   * @example
   * await api.transaction(async (local) => {
   *   const author = await local.author.create({ name: "Jane Austen" });
   *   await local.book.create({ title: "Emma", authorId: author.id });
   * }, { principal });
   */
  readonly transaction: <T>(
    work: (local: Local<All>, as: LocalAs<All>) => Promise<T>,
    options?: TransactionOptions,
  ) => Promise<T>;
  /** Runs an operation in the engine, for front ends of your own. Never throws. */
  readonly run: Run;
  /** Calls `listener` with every operation before it runs. Returns a function that ends this. */
  readonly observe: (listener: (operation: Operation) => void) => () => void;
  /**
   * Translates an operation or a request to REST, GraphQL and a client call. Nothing is run. Returns one translation for
   * each operation. Throws the error that the request would get if it is invalid.
   * @example const [{ graphql }] = await api.translate("GET /books?filter[price][lt]=20");
   */
  readonly translate: Translate;
  /** Handles one neutral request. Returns `null` if the path is not part of this API. */
  readonly handle: Handle;
  readonly routes: readonly Route[];
  /**
   * Returns the OpenAPI document. `prefix` is the path at which the API is mounted. `formats` is what it describes, as
   * at `/openapi.json?formats=all`: `"json"` (default), or `"all"` formats, partial rows, creates of several rows and
   * event streams.
   */
  readonly openapi: (prefix?: string, version?: OpenApiVersion, formats?: OpenApiFormats) => JsonObject;
  readonly graphql: {
    /** The graphql-js schema, for other servers and tools. */
    readonly schema: GraphQLSchema;
    /**
     * Returns the schema as sorted SDL text. Equal definitions produce equal text, so you can commit and compare it.
     */
    readonly sdl: () => string;
    /** Returns the members that your own GraphQL server spreads into `contextValue`. */
    readonly context: (principal: Principal | null, signal?: AbortSignal) => Readonly<Record<string, unknown>>;
  };
  /**
   * Resolves once every store is open, and rejects if the last attempt to open them failed. Bifocal retries, so read
   * the property again each time: a readiness check awaits `api.ready`. Requests wait for the stores automatically.
   */
  readonly ready: Promise<void>;
  /** Returns warnings about settings of this API that are unsafe in production (docs/secure-in-production.md). */
  readonly warnings: () => readonly Warning[];
  /** Ends subscriptions and sockets (1012), then closes the stores and the bus. It does not close your server. */
  readonly close: () => Promise<void>;
};
