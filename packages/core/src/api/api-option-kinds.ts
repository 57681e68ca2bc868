import type { Bus } from "../events/bus.ts";
import type { GraphqlExtension } from "../graphql/extend/extension.ts";
import type { PersistedSettings } from "../graphql/persisted/persisted-documents.ts";
import type { GraphqlSettings } from "../graphql/settings.ts";
import type { CorsOptions } from "../http/cors.ts";
import { isObject } from "../model/resolve/read-config.ts";
import type { ApiInfo } from "../rest/openapi/openapi-types.ts";
import type { ApiOptions, EventOptions } from "./api-types.ts";
import {
  choice,
  entries,
  FLAG,
  group,
  list,
  number,
  oneOf,
  type OptionKind,
  type OptionKinds,
  text,
  texts,
  withMethods,
} from "./option-kind.ts";

const STORE = withMethods("a store", ["open"], "Pass memoryStore(), or sqlStore(…) from @bifocal/sql.");
const AUTH_FIX = "Pass apiKeys(…), jwt(…) or oauth(…), or a list of them.";
const AUTHENTICATOR = withMethods("an authenticator", ["authenticate"], AUTH_FIX);

const BUS_FIX = "Pass a bus, such as redisBus({ url }) from @bifocal/redis, or { bus, poll, keep }.";
const BUS = withMethods("a bus", ["publish", "subscribe"] satisfies readonly (keyof Bus)[], BUS_FIX);
const EVENTS: OptionKinds<EventOptions> = {
  bus: BUS,
  poll: number("Pass milliseconds: { poll: 1_000 }."),
  keep: number("Pass a number of changes: { keep: 1_000 }."),
};

const FORMATS_FIX = 'Pass formats from "@bifocal/core/formats": [csv, htmlPages].';
const FORMAT: OptionKind = {
  expected: "a format with a 'mediaType' in lower case",
  fix: FORMATS_FIX,
  accepts: (value) =>
    isObject(value) && typeof value["mediaType"] === "string" && /^[^\s;/A-Z]+\/[^\s;/A-Z]+$/.test(value["mediaType"]),
};

const page = (fix: string): OptionKind => withMethods("a page", ["page"], fix);

const PERSISTED: OptionKinds<PersistedSettings> = {
  automatic: FLAG,
  documents: entries(
    'Pass documents by id: { hello: "{ books { nodes { title } } }" }.',
    text("Pass the text of the document."),
  ),
  only: FLAG,
};

const SDL_FIX = 'Pass SDL, such as "extend type Query { hello: String }".';
const EXTENSION: OptionKinds<GraphqlExtension> = {
  typeDefs: oneOf("a string or a list of strings", SDL_FIX, text(SDL_FIX), texts(SDL_FIX)),
  resolvers: group("Pass resolvers by type and field: { Query: { hello: () => … } }."),
  fields: group("Pass resolvers by resource and field: { book: { summary: (book) => … } }."),
  schema: group("Pass a GraphQLSchema."),
  transform: {
    expected: "a function",
    fix: "Pass a function that returns a schema.",
    accepts: (value) => typeof value === "function",
  },
};
const EXTEND_FIX = "Pass { typeDefs, resolvers }, or a list of such objects.";
const EXTEND = group(EXTEND_FIX, EXTENSION);

const GRAPHQL: OptionKinds<GraphqlSettings & { readonly extend?: unknown }> = {
  graphiql: page("Pass graphiql() from @bifocal/graphiql."),
  introspection: FLAG,
  suggestions: FLAG,
  status: choice('Remove the option for "classic".', "classic", "draft-2026"),
  batching: FLAG,
  persisted: group("Pass { automatic: true }, or { documents, only }.", PERSISTED),
  cost: FLAG,
  globalIds: FLAG,
  incremental: FLAG,
  nonNullConnections: FLAG,
  extend: oneOf("an object or a list of objects", EXTEND_FIX, EXTEND, list(EXTEND_FIX, EXTEND)),
};

const CONTACT: OptionKinds<NonNullable<ApiInfo["contact"]>> = {
  name: text("Pass a name."),
  url: text("Pass a URL."),
  email: text("Pass an email address."),
};
const LICENSE: OptionKinds<NonNullable<ApiInfo["license"]>> = {
  name: text("Pass a name, such as MIT."),
  url: text("Pass a URL."),
  identifier: text("Pass an SPDX identifier, such as MIT."),
};
export const INFO: OptionKinds<ApiInfo> = {
  title: text('Pass a text: "Bookstore".'),
  version: text('Pass a text: "1.0.0".'),
  description: text("Pass a text in Markdown."),
  contact: group('Pass { name: "Support", email: "support@example.com" }.', CONTACT),
  license: group('Pass { name: "MIT" }.', LICENSE),
  termsOfService: text("Pass a URL."),
};

export const ORIGINS_FIX = 'Pass a list of origins (["https://app.example.com"]), "*" or a function.';
const CORS: OptionKinds<CorsOptions> = {
  origins: oneOf('a list of strings, "*" or a function', ORIGINS_FIX, texts(ORIGINS_FIX), {
    accepts: (value) => value === "*" || typeof value === "function",
  }),
  credentials: FLAG,
  headers: texts('Pass names of headers: ["X-Tenant"].'),
  exposed: texts('Pass names of headers: ["X-Tenant"].'),
  maxAge: number("Pass seconds: { maxAge: 600 }."),
};

const RATE_LIMIT_FIX = "Pass rateLimit({ … }) from @bifocal/core/rate-limit, or false.";
const WARNINGS_FIX = 'Pass true, false, or codes to leave out: { except: ["introspection"] }.';

/** The kinds of all options of `defineApi`, except of `resources`, which is required. */
export const API: OptionKinds<Omit<ApiOptions<never>, "resources">> = {
  store: STORE,
  stores: entries("Pass stores by the name of their resource: { author: memoryStore() }.", STORE),
  events: oneOf("a bus or an object", BUS_FIX, BUS, group(BUS_FIX, EVENTS)),
  auth: oneOf("an authenticator or a list of them", AUTH_FIX, AUTHENTICATOR, list(AUTH_FIX, AUTHENTICATOR)),
  secret: text("Pass 32 random bytes as text: process.env.SECRET."),
  limits: group("Pass limits by group: { query: { timeout: 2_000 } }."),
  rateLimit: oneOf("a rate limiter or false", RATE_LIMIT_FIX, withMethods("a rate limiter", ["take"], RATE_LIMIT_FIX), {
    accepts: (value) => value === false,
  }),
  trustedProxies: texts('Pass addresses and networks: ["10.0.0.0/8"], or [] without a proxy.'),
  formats: list(FORMATS_FIX, FORMAT),
  idempotency: group("Pass { store, ttl }.", {
    store: withMethods(
      "a store of responses",
      ["claim", "complete", "release"],
      "Pass memoryIdempotency(), or sqlIdempotency({ … }) from @bifocal/sql.",
    ),
    ttl: number("Pass seconds: { ttl: 86_400 }."),
  }),
  cors: group('Pass { origins: ["https://app.example.com"] }, or { origins: "*" }.', CORS),
  log: withMethods("a log", ["info", "warn", "error"], "Pass an object with these methods: console, or silentLog."),
  warnings: oneOf("true, false or an object", WARNINGS_FIX, FLAG, group(WARNINGS_FIX, { except: texts(WARNINGS_FIX) })),
  telemetry: withMethods(
    "a telemetry",
    ["request", "operation", "storeCall", "subscription"],
    "Pass openTelemetry() from @bifocal/opentelemetry.",
  ),
  serverTiming: choice("Remove the option for false.", true, false, "public"),
  info: group('Pass { title: "Bookstore", version: "1.0.0" }.', INFO),
  openapi: choice('Pass the version of the document: "3.1" or "3.2".', "3.1", "3.2"),
  docs: page("Pass scalar() from @bifocal/scalar, or swaggerUi() from @bifocal/swagger-ui."),
  console: page("Pass apiConsole() from @bifocal/console."),
  graphql: group("Pass settings by name: { introspection: false }.", GRAPHQL),
  introspection: FLAG,
  developerPages: FLAG,
  explain: FLAG,
};
