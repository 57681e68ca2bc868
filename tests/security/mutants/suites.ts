const ACCESS = "tests/security/access";
const AUTH = "tests/security/auth";
const CORE = "packages/core/test";

export const ROWS = `${ACCESS}/rows.test.ts`;
export const FIELDS = `${ACCESS}/fields.test.ts`;
export const WRITES = `${ACCESS}/writes.test.ts`;
export const EVENTS = `${ACCESS}/events.test.ts`;
export const DOCUMENTS = `${ACCESS}/documents.test.ts`;
export const CHECKS = `${ACCESS}/checks.test.ts`;
export const ALGEBRA = `${ACCESS}/algebra.test.ts`;
export const WORLDS = "tests/security/non-interference/answers.test.ts";
export const REFERENCE = "tests/security/reference.test.ts";

export const LINK_RULES = "tests/security/writes/link-rules.test.ts";
export const REPLAYS = "tests/security/writes/replays.test.ts";
export const KEY_RIGHTS = "tests/security/auth/api-key-rights.test.ts";
export const HIDDEN_LINKS = "tests/security/writes/hidden-links.test.ts";
export const HIDDEN_CHANGES = "tests/security/writes/hidden-changes.test.ts";
export const HIDDEN_KEYS = "tests/security/writes/hidden-keys.test.ts";

export const PARSING = "tests/security/catalogue/parsing.test.ts";
export const CATALOGUE_SOCKETS = "tests/security/catalogue/sockets.test.ts";

export const KEYS = `${AUTH}/api-keys.test.ts`;
export const ENDS = `${AUTH}/ends.test.ts`;
export const FAIR_TURNS = "packages/core/src/http/fair-turns.test.ts";
export const FAIRNESS = "tests/security/limits/fairness.test.ts";
export const FLOOD = `${AUTH}/flood.test.ts`;
export const HEADER_NAMES = `${AUTH}/header-names.test.ts`;
export const METHODS = `${AUTH}/methods.test.ts`;
export const TOKENS = `${AUTH}/jwt.test.ts`;
export const JWKS = `${AUTH}/jwks.test.ts`;
export const OAUTH = `${AUTH}/oauth.test.ts`;
export const DISCOVERY = `${AUTH}/discovery.test.ts`;
export const INTROSPECTION = `${AUTH}/introspection.test.ts`;

export const LIMIT_TABLE = "tests/security/limits/limits.test.ts";
export const RATES = "tests/security/limits/rate-limit.test.ts";
export const OVERLOAD = "tests/security/limits/overload.test.ts";
export const PRODUCTION = "packages/core/test/production.test.ts";
export const SECRETS = "tests/security/auth/stored-secrets.test.ts";

export const REQUESTS = "tests/security/requests.test.ts";
export const ABUSE = "tests/abuse/abuse.test.ts";
export const TRUSTED = "tests/abuse/trusted.test.ts";
export const SUGGESTIONS = "tests/abuse/suggestions.test.ts";
export const LIMITS = `${CORE}/limits.test.ts`;
export const COST = `${CORE}/cost.test.ts`;
export const BULK = `${CORE}/rest/bulk.test.ts`;
export const NESTED = `${CORE}/nested/nested-creates.test.ts`;
export const CONDITIONAL = `${CORE}/rest/conditional.test.ts`;
export const IDEMPOTENCY = `${CORE}/rest/idempotency.test.ts`;
export const WRITE_RULES = `${CORE}/engine/write-rules.test.ts`;
export const SHARING = `${CORE}/subscriptions/sharing.test.ts`;
export const EXPIRY = `${CORE}/subscriptions/expiry.test.ts`;
export const INITIAL = `${CORE}/subscriptions/initial.test.ts`;
export const PRESSURE = `${CORE}/subscriptions/back-pressure.test.ts`;
export const SOCKETS = `${CORE}/subscriptions/ws-protocol.test.ts`;
export const STREAMS = `${CORE}/subscriptions/sse-protocol.test.ts`;
export const SIMPLE = `${CORE}/graphql/simple-requests.test.ts`;
export const PERSISTED = `${CORE}/graphql/persisted.test.ts`;
export const BATCHING = `${CORE}/graphql/batching.test.ts`;
export const GLOBAL_IDS = `${CORE}/graphql/global-ids.test.ts`;
export const MEASURE = "packages/core/src/graphql/transport/measure-document.test.ts";
export const SCANS = "packages/sql/test/scans/scans.test.ts";
export const STORES = "packages/sql/test/store-cases.test.ts";
export const MEMORY = "packages/testing/test/memory-store.test.ts";
