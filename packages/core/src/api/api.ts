import { randomBytes } from "../runtime/crypto.ts";
import type { Api, ApiOptions, LocalAs } from "./api-types.ts";
import { createAuthentication } from "../auth/authentication.ts";
import type { Authenticator } from "../auth/authenticator.ts";
import { checkOptions } from "./check-options.ts";
import type { CheckTargets } from "../definition/check-targets.ts";
import type { AnyResource } from "../definition/resource.ts";
import { createEngine } from "../engine/engine.ts";
import { createLocal, createLocalFor } from "../local/local.ts";
import type { BifocalError } from "../errors/bifocal-error.ts";
import { maskError } from "../errors/mask-error.ts";
import { createTrustedRows } from "../engine/trusted-rows.ts";
import { CONTEXT_KEY, type ExecutionContext } from "../graphql/context.ts";
import { createRunOnce } from "../graphql/idempotent-run.ts";
import { createTenantsOf } from "../engine/scope/tenants-of.ts";
import { memoryIdempotency } from "../lowering/idempotency/idempotency-store.ts";
import { createApiSchema } from "../graphql/api-schema.ts";
import { printSdl } from "../graphql/schema/print-sdl.ts";
import { createHttp, type Http } from "./http.ts";
import { createAddressOf } from "../http/client-address.ts";
import { createCors } from "../http/cors.ts";
import { resolveModel } from "../model/resolve-model.ts";
import { createPipeline } from "./pipeline.ts";
import type { StyleParts } from "./styles.ts";
import { createTranslateBody } from "./translate/translate-body.ts";
import { printRequest } from "./translate/print-request.ts";
import { createWriteSamples } from "./translate/write-samples.ts";
import { createPrintOperation, createTranslate } from "./translate/create-translate.ts";
import { openStores } from "./open-stores.ts";
import { principalOrNull, type Principal } from "../definition/principal.ts";
import { createCaller } from "../operation/create-caller.ts";
import { createChargeMore } from "../limits/charge.ts";
import { checkComputed } from "../lowering/check-computed.ts";
import { limitsOf } from "../limits/limits.ts";
import type { Caller, Run } from "../operation/run.ts";
import { rateLimiterOf } from "../limits/rate-limit/default-rate-limit.ts";
import { memoryStore } from "../store/memory-store.ts";
import { checkFormats } from "../rest/routes/format-routes.ts";
import { resolveStyles } from "./style-settings.ts";
import { telemetryOf } from "../telemetry/telemetry-of.ts";
import { consoleLog } from "../util/log.ts";
import { findWarnings, tellWarnings } from "./warnings/find-warnings.ts";
import type { Warning } from "../errors/warning.ts";

const DAY = 86_400;

/**
 * Creates an API from resources. Throws a `DefinitionError` that lists all mistakes.
 *
 * @example const api = defineApi({ resources: [author, book], store: memoryStore() });
 */
export function defineApi<const All extends readonly AnyResource[]>(
  options: ApiOptions<All> & NoInfer<CheckTargets<All>>,
): Api<All[number]> {
  checkOptions(options);
  const { events = {}, auth = [], log = consoleLog, trustedProxies } = options;
  const model = resolveModel(options.resources);
  const limits = limitsOf(options.limits);
  checkComputed(model, limits);
  const authenticators: readonly Authenticator[] = "authenticate" in auth ? [auth] : auth;
  const authentication = createAuthentication(authenticators);
  const telemetry = telemetryOf(options);
  const stores = openStores(model, options.store ?? memoryStore(), options.stores ?? {}, log, telemetry);
  const secret = options.secret ?? randomBytes(32).toString("base64url");
  const { bus = stores.bus(), keep = 1_000, poll = 1_000 } = "publish" in events ? { bus: events } : events;
  const limiter = rateLimiterOf(options.rateLimit);
  limiter?.open?.({ log });
  const engine = createEngine({
    model,
    stores: stores.byResource,
    bus,
    keep,
    poll,
    limits,
    charge: createChargeMore(limiter),
    secret,
    log,
    telemetry,
    localFor: (caller, resource) => localFor(caller, resource),
  });
  const { opening } = stores;
  const pipeline = createPipeline({ model, limits, limiter, telemetry, opening, log });
  const run = pipeline.through(engine.run);
  for (const one of authenticators) {
    one.open?.({ model, log, rowsOf: (resource) => createTrustedRows(engine.parts, resource, () => opening.start()) });
  }
  const localOf = createLocal(model, run, limits);
  const localFor = createLocalFor(model, run, limits);
  // The types of local calls are computed from the definitions, but their code comes from the model.
  const local = localOf as unknown as LocalAs<All[number]>;
  const localAs = ((principal: Principal | null, signal?: AbortSignal) => {
    return localOf(principalOrNull("the principal of api.as()", principal), signal);
  }) as LocalAs<All[number]>;

  const cors = options.cors && createCors(options.cors, authentication.headers, log);
  const settings = resolveStyles(options);
  checkFormats(model, settings.formats);
  const mask = (thrown: unknown, caller: Caller): BifocalError => maskError(thrown, caller, log);
  const host = { localOf, maskError: mask };
  const { extensions } = settings;
  const schema = createApiSchema({
    model,
    limits,
    writesOf: stores.writesOf,
    settings: settings.graphql,
    extensions,
    host,
  });
  const addressOf = createAddressOf(trustedProxies ?? []);
  const idempotency = {
    store: options.idempotency?.store ?? memoryIdempotency(),
    ttl: options.idempotency?.ttl ?? DAY,
    tenantsOf: createTenantsOf(model, log),
  };
  const runOnce = createRunOnce(idempotency, limits);
  const styleParts: StyleParts = {
    translateBody: (body, base, caller) => {
      const explained = settings.explains ? api : undefined;
      return createTranslateBody({ translate, model, limits, explained })(body, base, caller);
    },
    printRequest: (request, onRejected) => printRequest({ translate, model, limits }, request, onRejected),
    writeSamples: (operation, request) => createWriteSamples(printOperation)(operation, request),
    settings,
    schema,
    idempotency,
    runOnce,
    model,
    limits,
    authentication,
    stores,
    telemetry,
    cors,
    limiter,
    maskError: mask,
  };
  const printOperation = createPrintOperation(styleParts);
  const translate = createTranslate(styleParts, printOperation);
  let created: Http | undefined;
  /** Created when an adapter mounts the API, because local calls don't need it. */
  const http = (): Http =>
    (created ??= createHttp({ ...styleParts, run, stop: pipeline.stop, addressOf, trustedProxies, log }));

  const warnings = (): readonly Warning[] =>
    findWarnings({
      model,
      authenticators,
      limits,
      rateLimit: limiter,
      trustedProxies,
      graphql: settings.graphql,
      cors: options.cors,
      docs: settings.docs,
      console: settings.console,
      explains: settings.explains,
      secret: options.secret,
      store: options.store,
      storeUses: stores.uses,
      bus,
      idempotencyStore: options.idempotency?.store,
      serverTiming: options.serverTiming,
    });
  tellWarnings(warnings, options.warnings, log);
  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    await http().end();
    await engine.close();
    await stores.close();
    limiter?.close?.();
  }

  const api: Api<All[number]> = {
    "~bifocal": "api",
    get "~http"() {
      const { side } = http();
      if (limiter?.summary !== undefined) log.info(limiter.summary);
      // Adapters read it for each request.
      Reflect.defineProperty(api, "~http", { value: side });
      return side;
    },
    "~keys": authentication.keyRing,
    "~stores": stores.uses,
    model,
    local: local(null),
    as: localAs,
    async transaction(work, { principal: given, signal } = {}) {
      const principal = principalOrNull("the principal of api.transaction()", given);
      if (!opening.isDone) await opening.start();
      return engine.transaction({
        caller: createCaller(principal, signal),
        store: stores.main,
        work: async (inner) => {
          const within = createLocal(model, pipeline.through(inner), limits) as unknown as LocalAs<All[number]>;
          return work(within(principal), within);
        },
      });
    },
    // An application can't pass a lower cost.
    run: (operation, caller) => run(operation, caller),
    observe: pipeline.observe,
    translate,
    get handle() {
      return api["~http"].handle;
    },
    get routes() {
      return api["~http"].routes;
    },
    openapi: (prefix = "", version, formats) => http().openapi(prefix, version, formats),
    graphql: {
      schema: schema.plain,
      sdl: () => printSdl(schema.served),
      context: (given, signal) => {
        const principal = principalOrNull("the principal of api.graphql.context()", given);
        const once: Run = (operation, caller, cost) => runOnce(run, operation, caller, cost);
        const context: ExecutionContext = { run: once, caller: createCaller(principal, signal) };
        return { [CONTEXT_KEY]: context };
      },
    },
    get ready() {
      return opening.ready();
    },
    warnings,
    close: () => (closed ??= close()),
  };
  return api;
}
