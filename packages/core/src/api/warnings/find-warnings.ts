import { endpointPage } from "../../graphql/transport/endpoint-page.ts";
import type { Authenticator } from "../../auth/authenticator.ts";
import type { Bus } from "../../events/bus.ts";
import type { GraphqlSettings } from "../../graphql/settings.ts";
import type { CorsOptions } from "../../http/cors.ts";
import type { StoreUse } from "../../store/store-use.ts";
import type { Model } from "../../model/model.ts";
import { DEFAULT_LIMITS, type Limits, limitsByPath } from "../../limits/limits.ts";
import { isProduction } from "../../util/is-production.ts";
import { accessWarnings } from "./access-warnings.ts";
import { enumOrderWarnings } from "./enum-order-warnings.ts";
import { nodeWarnings } from "./node-warnings.ts";
import { operationWarnings } from "./operation-warnings.ts";
import type { Warning, WarningSettings } from "../../errors/warning.ts";
import type { Log } from "../../util/log.ts";

/** The settings of an API. Settings that were left to their default are `undefined`. */
export interface Facts {
  readonly model: Model;
  readonly authenticators: readonly Authenticator[];
  readonly limits: Limits;
  readonly rateLimit: unknown;
  readonly trustedProxies: unknown;
  readonly graphql: GraphqlSettings & Required<Pick<GraphqlSettings, "introspection" | "suggestions">>;
  readonly cors: CorsOptions | undefined;
  readonly docs: unknown;
  readonly console: unknown;
  readonly explains: boolean;
  readonly secret: string | undefined;
  readonly store: unknown;
  readonly storeUses: readonly StoreUse[];
  readonly bus: Bus | undefined;
  readonly idempotencyStore: unknown;
  readonly serverTiming: unknown;
}

const SECRET_LENGTH = 32;
/** A limit above this multiple of its default has practically no effect. */
const MAX_DEFAULT_FACTOR = 100;

/** Checks the items of docs/secure-in-production.md that an API can check itself. */
export function findWarnings(facts: Facts): readonly Warning[] {
  return [
    ...accessWarnings(facts.model, facts.authenticators),
    ...facts.authenticators.flatMap(({ warnings = [] }) => warnings),
    ...pageWarnings(facts),
    ...limitWarnings(facts),
    ...instanceWarnings(facts),
    ...enumOrderWarnings(facts.model),
    ...operationWarnings(facts.model),
    ...facts.storeUses.flatMap(({ store, resources }) => store.warnings?.(resources) ?? []),
    ...nodeWarnings(),
  ];
}

/** Warns about pages and information that are open to everyone. */
function* pageWarnings({ graphql, docs, console: page, explains, cors, serverTiming }: Facts): Generator<Warning> {
  const { introspection, suggestions } = graphql;
  if (introspection) {
    yield {
      code: "introspection",
      message:
        "GraphQL introspection is enabled. In production, remove `introspection: true` unless this API is public.",
    };
  }
  if (!introspection && suggestions) {
    yield {
      code: "suggestions",
      message: "Error messages suggest schema names, although introspection is disabled. Remove `graphql.suggestions`.",
    };
  }
  if (graphql.graphiql !== undefined && graphql.graphiql !== endpointPage) {
    yield {
      code: "graphiql",
      message: "GraphiQL is available to everyone. Remove `developerPages` or `graphql.graphiql`.",
    };
  }
  if (docs !== undefined) {
    yield {
      code: "docs",
      message:
        "The page at /docs is available to everyone. Remove `developerPages` or `docs`, or keep it if that is intended.",
    };
  }
  if (page !== undefined) {
    yield {
      code: "console",
      message: "The page at /console is available to everyone. Remove `developerPages` or `console`.",
    };
  }
  // Outside production, it is on by default.
  if (explains && isProduction()) {
    yield {
      code: "explain",
      message: "SQL statements and access rules are shown to everyone. Remove `explain`.",
    };
  }
  if (cors?.origins === "*") {
    yield {
      code: "any_origin",
      message: "Websites of any origin can read responses. List your own origins in `cors.origins`.",
    };
  }
  if (serverTiming !== undefined && serverTiming !== false) {
    yield {
      code: "server_timing",
      message: "`Server-Timing` shows clients how long each part of a request took. Remove `serverTiming`.",
    };
  }
}

function* limitWarnings({ limits, rateLimit, trustedProxies }: Facts): Generator<Warning> {
  if (rateLimit === undefined) {
    const message =
      "Rate limiting is disabled. Set `rateLimit: rateLimit()` from `@bifocal/core/rate-limit`, which is the default in production.";
    yield { code: "rate_limit", message };
  } else if (trustedProxies === undefined) {
    const message =
      "Anonymous clients are rate-limited by IP address. Behind a proxy they all share one address. Set `trustedProxies` to your proxy, or to `[]` if you have none.";
    yield { code: "trusted_proxies", message };
  }
  const own = limitsByPath(limits);
  const far = [...limitsByPath(DEFAULT_LIMITS)].flatMap(([path, standard]) =>
    Number(own.get(path)) <= standard * MAX_DEFAULT_FACTOR ? [] : [path],
  );
  if (far.length === 0) return;
  const message = `These limits are too high to have an effect: ${far.join(", ")}. Remove them, or set values that your server can handle.`;
  yield { code: "limits", message };
}

/** Warns about state that a single instance keeps in memory. */
function* instanceWarnings({ secret, store, bus, idempotencyStore }: Facts): Generator<Warning> {
  if (store === undefined) {
    yield { code: "memory_store", message: "Data is stored in memory and lost when the process ends. Set `store`." };
  }
  if (secret === undefined) {
    yield {
      code: "random_secret",
      message:
        "Cursors are signed with a random secret of this process. They are rejected by other instances and after a restart. Set `secret`.",
    };
  } else if (secret.length < SECRET_LENGTH) {
    const message = `\`secret\` has fewer than ${SECRET_LENGTH} characters. Anyone who guesses it can forge cursors. Use 32 random bytes.`;
    yield { code: "short_secret", message };
  }
  if (idempotencyStore === undefined) {
    yield {
      code: "memory_idempotency",
      message:
        "Responses for Idempotency-Key are stored in this process only. If you run several instances, set `idempotency: { store }`.",
    };
  }
  if (bus === undefined) {
    yield {
      code: "local_events",
      message: "Events are delivered only within this process. If you run several instances, set `events`.",
    };
  }
}

/** Logs warnings with their codes. By default, only if `NODE_ENV` is `production`. */
export function tellWarnings(
  find: () => readonly Warning[],
  settings: WarningSettings = isProduction(),
  log: Log,
): void {
  if (settings === false) return;
  const except = settings === true ? [] : settings.except;
  for (const { code, message } of find()) if (!except.includes(code)) log.warn(`${message} [${code}]`);
}
