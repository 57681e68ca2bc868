import { randomBytes } from "node:crypto";
import type { HttpSide } from "./api-side.ts";
import type { Api, ApiOptions } from "./api-types.ts";
import { createAuthentication } from "./auth/authentication.ts";
import type { Authenticator } from "./auth/authenticator.ts";
import { keyRingOf } from "./auth/api-keys/api-keys.ts";
import { refuseSocket } from "./http/refuse-socket.ts";
import { socketCredentials, socketOrigin } from "./http/socket-credentials.ts";
import type { CheckTargets } from "./definition/check-targets.ts";
import type { Local } from "./definition/local.ts";
import type { Principal } from "./definition/principal.ts";
import type { AnyResource } from "./definition/resource.ts";
import { createEngine } from "./engine/engine.ts";
import { createLocal } from "./engine/local.ts";
import { maskError } from "./engine/mask-error.ts";
import { createTrustedRows } from "./engine/trusted-rows.ts";
import { CONTEXT_KEY, type ExecutionContext } from "./graphql/context.ts";
import type { GraphqlExtension } from "./graphql/extend/extension.ts";
import { createGraphql } from "./graphql/graphql.ts";
import { printSdl } from "./graphql/print-sdl.ts";
import { CallerConnections } from "./http/caller-connections.ts";
import { createAddressOf } from "./http/client-address.ts";
import { createCors } from "./http/cors.ts";
import { createHandler, GRAPHQL_METHODS, GRAPHQL_PATH } from "./http/handler.ts";
import type { HttpResponse } from "./http/message.ts";
import { createOverload } from "./http/overload.ts";
import { createAcceptsPage } from "./http/page-origin.ts";
import { createHasCredential } from "./http/query-credential.ts";
import { createStreams } from "./http/streams.ts";
import { warnOfProxy } from "./http/warn-of-proxy.ts";
import { resolveModel } from "./model/resolve-model.ts";
import { chargeOperations } from "./operation/charge.ts";
import { createCaller } from "./operation/create-caller.ts";
import { limitsOf } from "./operation/limits.ts";
import type { Operation } from "./operation/operation.ts";
import type { Run } from "./operation/run.ts";
import { rateLimiterOf } from "./rate-limit/default-rate-limit.ts";
import { openStores } from "./open-stores.ts";
import { DEFAULT_FORMATS } from "./rest/formats/formats.ts";
import type { ApiInfo } from "./rest/openapi/openapi-types.ts";
import { memoryIdempotency } from "./rest/idempotency/idempotency-store.ts";
import { createRest, type Route } from "./rest/rest.ts";
import { memoryStore } from "./store/memory-store.ts";
import { joinTelemetry } from "./telemetry/join-telemetry.ts";
import { serverTiming } from "./telemetry/server-timing.ts";
import type { Telemetry } from "./telemetry/telemetry.ts";
import { isProduction } from "./util/is-production.ts";
import { consoleLog } from "./util/log.ts";
import { findWarnings } from "./warnings/find-warnings.ts";
import { tellWarnings } from "./warnings/tell-warnings.ts";
import type { Warning } from "./warnings/warning.ts";

const DAY = 86_400;

type LocalAs<All extends AnyResource> = (principal: Principal | null) => Local<All>;

/**
 * Makes an API of resources. Throws `DefinitionError` with every mistake at once.
 *
 * @example const api = defineApi({ resources: [author, book], store: memoryStore() });
 */
export function defineApi<const All extends readonly AnyResource[]>(
  options: ApiOptions<All> & { readonly resources: NoInfer<CheckTargets<All>> },
): Api<All[number]> {
  const { events = {}, auth = [], log = consoleLog, title = "API", version = "0.0.0" } = options;
  const model = resolveModel(options.resources);
  const limits = limitsOf(options.limits);
  const authenticators: readonly Authenticator[] = "authenticate" in auth ? [auth] : auth;
  const authentication = createAuthentication(authenticators);
  const hasCredential = createHasCredential(authentication);
  const telemetry = telemetryOf(options);
  const stores = openStores(model, options.store ?? memoryStore(), options.stores ?? {}, log, telemetry);
  const secret = options.secret ?? randomBytes(32).toString("base64url");
  const { bus = stores.bus(), keep = 1_000, poll = 1_000 } = "publish" in events ? { bus: events } : events;
  const engine = createEngine({ model, storeOf: stores.storeOf, bus, keep, poll, limits, secret, log, telemetry });

  const observers = new Set<(operation: Operation) => void>();
  const limiter = rateLimiterOf(options.rateLimit);
  limiter?.open?.({ log });
  const charge = (inner: Run): Run => (limiter === undefined ? inner : chargeOperations(inner, limiter, model, limits));
  const charged = charge(engine.run);
  const run: Run = (operation, caller) => {
    for (const observe of observers) observe(operation);
    if (telemetry === undefined) return charged(operation, caller);
    const activity = { operation, caller, timeout: limits.timeout };
    return telemetry.operation(activity, () => charged(operation, caller));
  };
  for (const one of authenticators) {
    one.open?.({ model, log, rowsOf: (resource) => createTrustedRows(engine.parts, resource, stores.opening) });
  }
  const { description, developerPages = !isProduction() } = options;
  const docs = developerPages ? options.docs : undefined;
  const graphiql = developerPages ? options.graphql?.graphiql : undefined;
  const { contact, license, termsOfService, openapi: openapiVersion = "3.1" } = options;
  const info = pruned<ApiInfo>({ title, version, description, contact, license, termsOfService });
  const { formats = DEFAULT_FORMATS } = options;
  const idempotency = {
    store: options.idempotency?.store ?? memoryIdempotency(),
    ttl: options.idempotency?.ttl ?? DAY,
    keepsReceipts: (resource: string) => stores.storeOf(resource).capabilities.receipts === true,
  };
  const { headers: credentials, schemes, documents } = authentication;
  const rest = createRest({
    idempotency,
    docs,
    assets: graphiql?.assets ?? {},
    model,
    limits,
    info,
    schemes,
    documents,
    formats,
    credentials,
    openapiVersion,
  });
  const cors = createCors(options.cors);
  const acceptsPage = createAcceptsPage(credentials, cors);
  const addressOf = createAddressOf(options.trustedProxies ?? []);
  const overload = createOverload(limits, stores.loads);
  const connections = new CallerConnections(limits.callerConnections);
  const runOnceOpen: Run = (operation, caller) => {
    const opening = stores.opening();
    return opening === undefined ? run(operation, caller) : opening.then(() => run(operation, caller));
  };
  const localOf = createLocal(model, runOnceOpen, limits);
  // The types of local calls are computed from the definitions, and its code from the model.
  const local = localOf as unknown as LocalAs<All[number]>;
  const { extend = [], graphiql: _, ...settings } = options.graphql ?? {};
  const graphqlSettings = { ...pruned({ introspection: options.introspection, graphiql }), ...settings };
  const graphql = createGraphql({
    model,
    limits,
    title,
    credentials,
    settings: graphqlSettings,
    extensions: (Array.isArray(extend) ? extend : [extend]) as readonly GraphqlExtension[],
    host: { localOf, maskError: (thrown, caller) => maskError(thrown, caller, log) },
    telemetry,
    isAllowedOrigin: (origin) => cors?.allows(origin) === true,
  });
  const streams = createStreams();
  let closed: Promise<void> | undefined;
  const finish = (response: HttpResponse): HttpResponse => {
    // What is answered while the API closes is the last on its connection (RFC 9112 §9.6).
    const last =
      closed === undefined ? response : { ...response, headers: { ...response.headers, Connection: "close" } };
    return streams.track(last);
  };
  const handle = createHandler({
    rest,
    graphql,
    run,
    authentication,
    hasCredential,
    acceptsPage,
    log,
    cors,
    ready: stores.opening,
    telemetry,
    finish,
    limits,
    overload,
    connections,
    addressOf,
    onAddressRefused: warnOfProxy(options.trustedProxies, log),
  });
  const routes: readonly Route[] = [...rest.routes, { path: GRAPHQL_PATH, methods: GRAPHQL_METHODS }];

  const closing = new Set<() => void>();
  const side: HttpSide = {
    handle,
    routes,
    log,
    onClose: (listener) => void closing.add(listener),
    limits,
    hasCredential,
    acceptsPage,
    addressOf,
    refuseSocket: (address) => refuseSocket(address, { overload, limiter }),
    openSocket: graphql.sockets({
      run: runOnceOpen,
      log,
      refusal: overload.refusal,
      during: async (work) => overload.during(work),
      hold: (principal) => connections.open(principal),
      authenticate: async (params, request) => {
        const known = (await authentication.identify?.(socketCredentials(request, params))) ?? { principal: null };
        return { ...known, address: addressOf(socketOrigin(request)) };
      },
    }),
  };
  const warnings = (): readonly Warning[] =>
    findWarnings({
      model,
      authenticators,
      limits,
      rateLimit: limiter,
      trustedProxies: options.trustedProxies,
      graphql: graphqlSettings,
      cors: options.cors,
      docs,
      secret: options.secret,
      store: options.store,
      bus,
      idempotencyStore: options.idempotency?.store,
      serverTiming: options.serverTiming,
    });
  tellWarnings(warnings, options.warnings, log);
  async function close(): Promise<void> {
    for (const listener of closing) listener();
    overload.stop();
    await streams.endAll();
    await engine.close();
    await stores.close();
    limiter?.close?.();
  }

  return {
    "~bifocal": "api",
    "~http": side,
    "~keys": keyRingOf(authenticators),
    "~stores": stores.uses,
    model,
    local: local(null),
    as: local,
    async transaction(work, { principal = null, signal } = {}) {
      await stores.opening();
      return engine.transaction({
        caller: createCaller(principal, signal),
        store: stores.main,
        work: async (inner) => {
          const within = createLocal(model, charge(inner), limits) as unknown as LocalAs<All[number]>;
          return work(within(principal), within);
        },
      });
    },
    run,
    observe(listener) {
      observers.add(listener);
      return () => void observers.delete(listener);
    },
    handle,
    routes,
    openapi: (prefix = "", openapi = openapiVersion) => rest.openapi(prefix, openapi),
    graphql: {
      schema: graphql.schema,
      sdl: () => printSdl(graphql.served),
      context: (principal, signal) => {
        const context: ExecutionContext = { run, caller: createCaller(principal, signal) };
        return { [CONTEXT_KEY]: context };
      },
    },
    ready: stores.ready,
    warnings,
    close: () => (closed ??= close()),
  };
}

function telemetryOf(options: Pick<ApiOptions<never>, "telemetry" | "serverTiming">): Telemetry | undefined {
  const { telemetry, serverTiming: timing = false } = options;
  if (timing === false) return telemetry;
  const timed = serverTiming({ withPublic: timing === "public" });
  return telemetry === undefined ? timed : joinTelemetry(timed, telemetry);
}

/** The members that were given. */
function pruned<T extends object>(members: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as T;
}
