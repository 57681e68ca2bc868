import { type Mutant, mutantsOf } from "./mutant.ts";

const STREAMS = "tests/adapters/reserved-streams.test.ts";
const MALFORMED = "tests/adapters/malformed.test.ts";
const UPGRADES = "tests/adapters/ignored-upgrades.test.ts";
const LIMIT_TABLE = "tests/security/limits/limits.test.ts";
const MEMORY_TEST = "tests/security/limits/memory.test.ts";

/** State that clients can fill, and its owners. */
export const kept: readonly Mutant[] = mutantsOf(
  "packages/core/src",
  [MEMORY_TEST],
  [
    [
      "documents with errors are not cached",
      "graphql/transport/create-document-cache.ts",
      "if (checked.document !== undefined && isReused(text, checked.document)) {\n      kept.set(text, checked, bytesOfDocument(checked.document));\n    }",
      "kept.set(text, checked, text.length + 256);",
    ],
    [
      "the size of cached documents is limited",
      "graphql/transport/create-document-cache.ts",
      "kept.set(text, checked, bytesOfDocument(checked.document));",
      "kept.set(text, checked, 1);",
    ],
    [
      "an event stream belongs to the client that reserved it",
      "graphql/transport/sse/single-connections.ts",
      "if (connection === undefined || connection.owner !== caller.clientDigest?.()) {",
      "if (connection === undefined) {",
      [STREAMS],
    ],
    [
      "an event stream belongs to the address of an anonymous client",
      "http/client-digest.ts",
      "? [address ?? null]",
      "? [null]",
      [STREAMS],
    ],
    [
      "an event stream belongs to one credential",
      "http/client-digest.ts",
      "...names.map((name) => request.headers[name] ?? null),",
      "",
      [STREAMS],
    ],
    [
      "an event stream belongs to one session",
      "http/client-digest.ts",
      '...cookies.map((name) => cookieValues(String(request.headers["cookie"] ?? ""), name)),',
      "",
      [STREAMS],
    ],
    [
      "no operation runs by a token in the URL",
      "graphql/transport/sse/over-sse.ts",
      "if (inUrl !== undefined) throw",
      'if (inUrl === "") throw',
      [STREAMS],
    ],
    [
      "no operation of an event stream runs by GET",
      "graphql/transport/sse/over-sse.ts",
      'if (request.method !== "POST") {',
      'if (request.method === "") {',
      [STREAMS],
    ],
    [
      "reservations cost points",
      "graphql/transport/sse/over-sse.ts",
      "await charge(context.caller, SOCKET_COST);",
      "",
      [STREAMS],
    ],
    [
      "the oldest reservation of the same caller is replaced",
      "graphql/transport/sse/single-connections.ts",
      "if (oldest !== undefined) cancel(oldest);",
      "",
      [STREAMS],
    ],
    [
      "connections of anonymous callers",
      "http/caller-connections.ts",
      "isAnonymous ? this.#limits.anonymousConnections :",
      "isAnonymous ? Infinity :",
      [LIMIT_TABLE],
    ],
    [
      "malformed REST requests cost points",
      "rest/rest.ts",
      "if (MALFORMED.has(response.status) && caller.allowance === undefined) caller.onMalformed?.();",
      "",
      [MALFORMED],
    ],
    [
      "malformed documents cost points",
      "graphql/transport/over-http.ts",
      "if (checked.errors !== undefined) {\n      context.caller.onMalformed?.();",
      "if (checked.errors !== undefined) {",
      [MALFORMED],
    ],
    [
      "requests of an exhausted caller are rejected unread",
      "http/handler.ts",
      "const refusal = malformed?.refusal(caller);",
      "const refusal = undefined;",
      [MALFORMED],
    ],
    [
      "no body is read as WebSocket frames",
      "http/socket-admission.ts",
      'if (hasBody(request)) return { code: "BAD_REQUEST" };',
      "",
      [UPGRADES],
    ],
    [
      "requests with other upgrades stay with Node",
      "http/node/attach-upgrade.ts",
      '(offersWebSocket(request) || server.listenerCount("upgrade") > 1);',
      "true;",
      [UPGRADES],
    ],
    [
      "an upgrade that Node has handled has no body",
      "http/node/attach-upgrade.ts",
      "if (hasBody(request)) {",
      'if (request.method === "") {',
      [UPGRADES],
    ],
    [
      "resuming callers are counted in bounded memory",
      "engine/watch/resumptions.ts",
      "if (this.#callers.size < this.#mostCallers) return",
      "if (this.#callers.size >= 0) return",
      ["packages/core/src/engine/watch/resumptions.test.ts"],
    ],
  ],
);
