import type { Authenticator } from "../../auth/authenticator.ts";
import type { Bus } from "../../events/bus.ts";
import type { GraphqlSettings } from "../../graphql/settings.ts";
import type { CorsOptions } from "../../http/cors.ts";
import type { Model } from "../../model/model.ts";
import { DEFAULT_LIMITS, type Limits } from "../../limits/limits.ts";
import { isProduction } from "../../util/is-production.ts";
import { accessWarnings } from "./access-warnings.ts";
import { nodeWarnings } from "./node-warnings.ts";
import type { Warning } from "../../errors/warning.ts";

/** What an API knows of itself. What was left to its default is `undefined`. */
export interface Facts {
  readonly model: Model;
  readonly authenticators: readonly Authenticator[];
  readonly limits: Limits;
  readonly rateLimit: unknown;
  readonly trustedProxies: unknown;
  readonly graphql: GraphqlSettings;
  readonly cors: CorsOptions | undefined;
  readonly docs: unknown;
  readonly secret: string | undefined;
  readonly store: unknown;
  readonly bus: Bus | undefined;
  readonly idempotencyStore: unknown;
  readonly serverTiming: unknown;
}

const SECRET_LENGTH = 32;
/** A limit of so many times its default is as good as none. */
const FAR = 100;

/** The part of the checklist of docs/secure-in-production.md that an API can look at itself. */
export function findWarnings(facts: Facts): readonly Warning[] {
  return [
    ...accessWarnings(facts.model, facts.authenticators),
    ...facts.authenticators.flatMap(({ warnings = [] }) => warnings),
    ...pageWarnings(facts),
    ...limitWarnings(facts),
    ...instanceWarnings(facts),
    ...nodeWarnings(),
  ];
}

/** What anybody may look at. */
function* pageWarnings({ graphql, docs, cors, serverTiming }: Facts): Generator<Warning> {
  const { introspection = !isProduction(), suggestions = introspection } = graphql;
  if (introspection) {
    yield {
      code: "introspection",
      message:
        "Anybody may ask GraphQL for its schema. Leave `introspection` out or write `false`, unless the API is a public one.",
    };
  }
  if (!introspection && suggestions) {
    yield {
      code: "suggestions",
      message: "Errors suggest names of the schema that may not be asked for. Leave `graphql.suggestions` out.",
    };
  }
  if (graphql.graphiql !== undefined) {
    yield {
      code: "graphiql",
      message: "GraphiQL is served to anybody. Leave `developerPages` out, or `graphql.graphiql`.",
    };
  }
  if (docs !== undefined) {
    yield {
      code: "docs",
      message: "The page at /docs is served to anybody. Leave `developerPages` out, or `docs`, unless that is meant.",
    };
  }
  if (cors?.origins === "*") {
    yield {
      code: "any_origin",
      message: "Pages of any origin may read answers. List those of your own in `cors.origins`.",
    };
  }
  if (serverTiming !== undefined && serverTiming !== false) {
    yield {
      code: "server_timing",
      message: "`Server-Timing` tells callers how long each part of an answer took. Leave `serverTiming` out.",
    };
  }
}

function* limitWarnings({ limits, rateLimit, trustedProxies }: Facts): Generator<Warning> {
  if (rateLimit === undefined) {
    const message =
      "Callers may spend what they like. Write `rateLimit: rateLimit()` of `@bifocal/core/rate-limit`, which is the default in production.";
    yield { code: "rate_limit", message };
  } else if (trustedProxies === undefined) {
    const message =
      "Callers that nobody knows are counted by the address of their socket: behind a proxy they are one. Name it in `trustedProxies`, or write `[]` where there is none.";
    yield { code: "trusted_proxies", message };
  }
  const names = Object.keys(DEFAULT_LIMITS) as (keyof Limits)[];
  const far = names.filter((name) => !(limits[name] <= DEFAULT_LIMITS[name] * FAR));
  if (far.length === 0) return;
  const message = `These limits are as good as none: ${far.join(", ")}. Leave them out, or say how much you can serve.`;
  yield { code: "limits", message };
}

/** What one instance keeps for itself, and loses with its process. */
function* instanceWarnings({ secret, store, bus, idempotencyStore }: Facts): Generator<Warning> {
  if (store === undefined) {
    yield { code: "memory_store", message: "Rows are kept in memory and gone with the process. Write `store`." };
  }
  if (secret === undefined) {
    yield {
      code: "random_secret",
      message:
        "Cursors are signed by a secret of this process: other instances refuse them, and so does this one once it has been started again. Write `secret`.",
    };
  } else if (secret.length < SECRET_LENGTH) {
    const message = `\`secret\` has fewer than ${SECRET_LENGTH} characters: who guesses it forges cursors. Take 32 random bytes.`;
    yield { code: "short_secret", message };
  }
  if (idempotencyStore === undefined) {
    yield {
      code: "memory_idempotency",
      message:
        "Answers by Idempotency-Key are kept in this process: another instance knows nothing of them. Write `idempotency: { store }` where there are several.",
    };
  }
  if (bus === undefined) {
    yield {
      code: "local_events",
      message: "Events are heard in this process alone. Write `events` where there are several instances.",
    };
  }
}
