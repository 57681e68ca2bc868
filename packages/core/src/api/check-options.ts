import type { ApiInfo } from "../rest/openapi/openapi-types.ts";
import type { ApiOptions } from "./api-types.ts";
import type { Report } from "../model/resolve/draft.ts";
import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";
import type { GraphqlSettings } from "../graphql/settings.ts";
import type { CorsOptions } from "../http/cors.ts";
import { namesOf } from "../model/resolve/names-of.ts";
import { checkMembers, isObject, quoteName, suggest } from "../model/resolve/read-config.ts";
import { DEFAULT_LIMITS } from "../limits/limits.ts";

const OPTIONS = namesOf<ApiOptions<never>>({
  resources: true,
  store: true,
  stores: true,
  events: true,
  auth: true,
  secret: true,
  limits: true,
  rateLimit: true,
  trustedProxies: true,
  formats: true,
  idempotency: true,
  cors: true,
  log: true,
  warnings: true,
  telemetry: true,
  serverTiming: true,
  info: true,
  openapi: true,
  docs: true,
  console: true,
  graphql: true,
  introspection: true,
  developerPages: true,
  explain: true,
});
const GRAPHQL = namesOf<GraphqlSettings & { readonly extend?: unknown }>({
  graphiql: true,
  introspection: true,
  suggestions: true,
  status: true,
  batching: true,
  persisted: true,
  cost: true,
  globalIds: true,
  incremental: true,
  nonNullConnections: true,
  extend: true,
});
const INFO: readonly string[] = namesOf<ApiInfo>({
  title: true,
  version: true,
  description: true,
  contact: true,
  license: true,
  termsOfService: true,
});
const CORS = namesOf<CorsOptions>({ origins: true, credentials: true, headers: true, exposed: true, maxAge: true });

/** What to pass for each option that must be an object. */
const OBJECTS: Readonly<Partial<Record<keyof ApiOptions<never>, string>>> = {
  stores: "Pass stores by the name of their resource: { author: memoryStore() }.",
  events: "Pass a bus, such as redisBus({ url }) from @bifocal/redis, or { bus, poll, keep }.",
  limits: "Pass limits by group: { query: { timeout: 2_000 } }.",
  rateLimit: "Pass rateLimit({ … }) from @bifocal/core/rate-limit, or false.",
  idempotency: "Pass { store, ttl }.",
  cors: 'Pass { origins: ["https://app.example.com"] }, or { origins: "*" }.',
  telemetry: "Pass openTelemetry() from @bifocal/opentelemetry.",
  info: 'Pass { title: "Bookstore", version: "1.0.0" }.',
  docs: "Pass scalar() from @bifocal/scalar, or swaggerUi() from @bifocal/swagger-ui.",
  console: "Pass apiConsole() from @bifocal/console.",
  graphql: "Pass settings by name: { introspection: false }.",
};

/** Rejects invalid options, for callers without type checking. Throws a `DefinitionError` that lists all mistakes. */
export function checkOptions(options: unknown): void {
  const mistakes: DefinitionMistake[] = [];
  const report = (at: string, problem: string, fix: string): void => void mistakes.push({ at, problem, fix });
  if (!isObject(options)) {
    report("defineApi", "Expected an object.", "Pass { resources: [author, book] }.");
    throw new DefinitionError(mistakes);
  }
  const { resources, store, stores, auth, limits, graphql, cors, info, trustedProxies } = options;
  const moved = Object.keys(options).filter((name) => INFO.includes(name));
  for (const name of moved)
    report(`defineApi.${name}`, `Unknown option ${quoteName(name)}.`, `Write info: { ${name} }.`);
  checkMembers(options, [...OPTIONS, ...moved], "defineApi", report);
  for (const [name, fix] of Object.entries(OBJECTS)) {
    const value = options[name];
    if (value !== undefined && !isObject(value) && !(name === "rateLimit" && value === false))
      report(name, "Expected an object.", fix);
  }
  if (isObject(graphql) && graphql["graphiql"] !== undefined && !isObject(graphql["graphiql"]))
    report("graphql.graphiql", "Expected an object.", "Pass graphiql() from @bifocal/graphiql.");
  if (trustedProxies !== undefined && !Array.isArray(trustedProxies))
    report("trustedProxies", "Expected a list.", 'Pass addresses and networks: ["10.0.0.0/8"], or [] without a proxy.');
  if (isObject(info)) checkMembers(info, INFO, "info", report);
  if (!Array.isArray(resources)) {
    report("resources", "Expected a list.", "Pass a list of resources from defineResource(): [author, book].");
  }
  const named = Object.entries(isObject(stores) ? stores : {}).map(([name, one]) => [`stores.${name}`, one] as const);
  for (const [at, one] of [["store", store] as const, ...named]) {
    if (one !== undefined && !hasMethod(one, "open"))
      report(at, "Expected a store.", "Pass memoryStore(), or sqlStore(…) from @bifocal/sql.");
  }
  for (const one of Array.isArray(auth) ? (auth as readonly unknown[]) : [auth]) {
    if (one !== undefined && !hasMethod(one, "authenticate"))
      report("auth", "Expected an authenticator.", "Pass apiKeys(…), jwt(…) or oauth(…), or a list of them.");
  }
  if (isObject(limits)) checkLimits(limits, report);
  if (isObject(graphql)) checkMembers(graphql, GRAPHQL, "graphql", report);
  if (isObject(cors)) {
    checkMembers(cors, CORS, "cors", report);
    const { origins } = cors;
    if (!Array.isArray(origins) && origins !== "*" && typeof origins !== "function")
      report(
        "cors.origins",
        "The origins are missing.",
        'Pass a list of origins (["https://app.example.com"]), "*" or a function.',
      );
  }
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
}

function checkLimits(limits: object, report: Report): void {
  for (const name of Object.keys(limits)) {
    if (name in DEFAULT_LIMITS) continue;
    const group = Object.entries(DEFAULT_LIMITS).find(([, members]) => name in members)?.[0];
    const fix =
      group === undefined ? suggest(name, Object.keys(DEFAULT_LIMITS)) : `Write limits: { ${group}: { ${name} } }.`;
    report(`limits.${name}`, `Unknown group of limits ${quoteName(name)}.`, fix);
  }
  for (const [group, standard] of Object.entries(DEFAULT_LIMITS)) {
    const members = (limits as Readonly<Record<string, unknown>>)[group];
    if (members === undefined) continue;
    if (!isObject(members)) {
      report(`limits.${group}`, "Expected an object.", `Pass limits by name: { ${Object.keys(standard)[0]}: … }.`);
      continue;
    }
    checkMembers(members, Object.keys(standard), `limits.${group}`, report);
    for (const [name, limit] of Object.entries(members)) {
      if (limit !== undefined && typeof limit !== "number")
        report(`limits.${group}.${name}`, "Expected a number.", "Pass a number, or Infinity for no limit.");
    }
  }
}

function hasMethod(value: unknown, name: string): boolean {
  return typeof value === "object" && value !== null && typeof (value as Record<string, unknown>)[name] === "function";
}
