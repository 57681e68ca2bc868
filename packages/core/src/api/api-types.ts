import type { GraphQLSchema } from "graphql";
import type { AnyApi } from "../http/any-api.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import type { Local } from "../definition/local.ts";
import type { Principal } from "../definition/principal.ts";
import type { AnyResource } from "../definition/resource.ts";
import type { Bus } from "../events/bus.ts";
import type { ExtendSettings } from "../graphql/extend/extension.ts";
import type { GraphqlSettings } from "../graphql/settings.ts";
import type { CorsOptions } from "../http/cors.ts";
import type { Handle } from "../http/handler.ts";
import type { Model } from "../model/model.ts";
import type { Limits } from "../limits/limits.ts";
import type { Operation } from "../operation/operation.ts";
import type { RateLimiter } from "../limits/rate-limiter.ts";
import type { Run } from "../operation/run.ts";
import type { Format } from "../rest/formats/format.ts";
import type { ApiInfo, OpenApiVersion } from "../rest/openapi/openapi-types.ts";
import type { IdempotencyStore } from "../rest/idempotency/idempotency-store.ts";
import type { ReferencePage } from "../rest/routes/reference.ts";
import type { Route } from "../message/protocol.ts";
import type { Store } from "../store/store.ts";
import type { Telemetry } from "../telemetry/telemetry.ts";
import type { JsonObject } from "../util/json.ts";
import type { Log } from "../util/log.ts";
import type { Warning, WarningSettings } from "../errors/warning.ts";

export interface ApiOptions<All extends readonly AnyResource[]> {
  /** Every resource, those that relations name included. */
  readonly resources: readonly [...All];
  /** Where the rows are. Default: in memory, gone when the process ends. */
  readonly store?: Store;
  /** Other stores for single resources, by name. */
  readonly stores?: { readonly [K in All[number]["name"]]?: Store };
  /**
   * How changes reach subscribers: what carries them to other instances, or more about it. Default: what the store brings
   * along (PostgreSQL does), else nothing, for one instance.
   */
  readonly events?: Bus | EventOptions;
  /** Who calls; asked in order. Default: nobody is known. */
  readonly auth?: Authenticator | readonly Authenticator[];
  /** Signs cursors. Default: a new one each start; give your own where cursors must survive, or several instances share them. */
  readonly secret?: string;
  readonly limits?: Partial<Limits>;
  /**
   * What callers may spend in a while: `rateLimit()` of `@bifocal/core/rate-limit`, or `false` for what they like. Default:
   * `rateLimit()` where `NODE_ENV` is `production`, and else `false`.
   */
  readonly rateLimit?: RateLimiter | false;
  /**
   * Addresses and networks of proxies whose `X-Forwarded-For` is believed (`["10.0.0.0/8"]`), to tell clients apart. Default:
   * none, so that the address of a client is that of its socket.
   */
  readonly trustedProxies?: readonly string[];
  /** What REST writes and reads besides JSON. Default: all that are built in (`DEFAULT_FORMATS`). */
  readonly formats?: readonly Format[];
  /** Where answers to requests with an `Idempotency-Key` are kept, and for how many seconds. Default: in memory, for a day. */
  readonly idempotency?: { readonly store?: IdempotencyStore; readonly ttl?: number };
  /** Which pages of other origins may call, in both styles. Default: none. */
  readonly cors?: CorsOptions;
  readonly log?: Log;
  /**
   * Whether what is not for production is logged at start, by `log.warn`; `{ except }` names what is meant. Default: where
   * `NODE_ENV` is `production`.
   */
  readonly warnings?: WarningSettings;
  /** Observes requests, operations and store calls, such as `openTelemetry()` of `@bifocal/opentelemetry`. Default: nothing is observed. */
  readonly telemetry?: Telemetry | undefined;
  /**
   * `Server-Timing` on answers of both styles (W3C), streams excepted: whoever gets an answer sees how long its parts took.
   * `true`: on answers that no shared cache may keep; `"public"`: on those too. Default false.
   */
  readonly serverTiming?: boolean | "public";
  /** Of the API, in OpenAPI. */
  readonly title?: string;
  readonly version?: string;
  readonly description?: string;
  readonly contact?: ApiInfo["contact"];
  readonly license?: ApiInfo["license"];
  readonly termsOfService?: string;
  /** Of the document at `/openapi.json`. Default `"3.1"`; `"3.2"` has words for `QUERY` and event streams. */
  readonly openapi?: OpenApiVersion;
  /** The page at `/docs`: `swaggerUi()` of `@bifocal/swagger-ui`; in production see `developerPages`. Default: none. */
  readonly docs?: ReferencePage;
  readonly graphql?: GraphqlSettings & NoInfer<ExtendSettings<All[number]>>;
  /** Short for `graphql: { introspection }`. */
  readonly introspection?: boolean;
  /** Whether `docs` and `graphql.graphiql` are served. Default: unless `NODE_ENV` is `production`. */
  readonly developerPages?: boolean;
}

export interface EventOptions {
  /** Tells other instances that something happened. Default: what the store brings along, else none. */
  readonly bus?: Bus;
  /** Milliseconds after which the log of a store is looked at though no message came. Default 1,000. */
  readonly poll?: number;
  /** Changes of each resource that are kept for those who resume, where the store keeps none. Default 1,000. */
  readonly keep?: number;
}

export interface TransactionOptions {
  /** Who makes the calls of `local`. Default: nobody. */
  readonly principal?: Principal | null;
  readonly signal?: AbortSignal;
}

/** An API in both styles, and in process. Mount it with an adapter. */
export interface Api<All extends AnyResource> extends AnyApi {
  readonly model: Model;
  /** Typed calls in process, as nobody. */
  readonly local: Local<All>;
  /** Typed calls in process, as somebody: `api.as(asSystem("seeding")).book.create(…)`. */
  readonly as: (principal: Principal | null) => Local<All>;
  /**
   * Runs local calls in one transaction of the API's store: all of what they change happens, or, where `work` throws, none,
   * and events follow the commit. `work` may run again after a conflict with another transaction, so it does nothing else that
   * must not happen twice. Resources with stores of their own take no part. Throws what `work` throws, or the error of the commit.
   *
   * @example
   * await api.transaction(async (local) => {
   *   const author = await local.author.create({ name: "Jane Austen" });
   *   await local.book.create({ title: "Emma", authorId: author.id });
   * }, { principal });
   */
  readonly transaction: <T>(
    work: (local: Local<All>, as: (principal: Principal | null) => Local<All>) => Promise<T>,
    options?: TransactionOptions,
  ) => Promise<T>;
  /** The engine itself, for front ends of your own. Never throws. */
  readonly run: Run;
  /** Calls `listener` with every operation before it runs; returns the function that ends it. */
  readonly observe: (listener: (operation: Operation) => void) => () => void;
  /** Answers one neutral request; `null` where its path is none of this API. */
  readonly handle: Handle;
  readonly routes: readonly Route[];
  /** The OpenAPI document; `prefix` is where the API is mounted. */
  readonly openapi: (prefix?: string, version?: OpenApiVersion) => JsonObject;
  readonly graphql: {
    /** A plain schema, for other servers and tools. */
    readonly schema: GraphQLSchema;
    /** The schema as text (SDL), sorted, the same for the same definitions: to be kept in a file and compared. */
    readonly sdl: () => string;
    /** What a server of your own spreads into `contextValue`. */
    readonly context: (principal: Principal | null, signal?: AbortSignal) => Readonly<Record<string, unknown>>;
  };
  /**
   * Resolves once every store is open, and rejects when the last attempt to open them failed. Bifocal tries again, so read
   * it anew each time: a readiness check awaits `api.ready`. Requests wait for the stores by themselves.
   */
  readonly ready: Promise<void>;
  /** What of this API is not for production, as far as it can know (docs/secure-in-production.md). */
  readonly warnings: () => readonly Warning[];
  /** Ends subscriptions and sockets (1012), then closes stores and bus. The server itself is its owner's to close. */
  readonly close: () => Promise<void>;
}
