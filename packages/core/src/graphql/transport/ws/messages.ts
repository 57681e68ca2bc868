import { BodyMistake, parseJsonBody } from "../../../message/json-body.ts";

/** The messages that a client may send (graphql-ws PROTOCOL.md). */
export type ClientMessage =
  | { readonly type: "connection_init"; readonly payload: Readonly<Record<string, unknown>> | undefined }
  | { readonly type: "ping" | "pong"; readonly payload: Readonly<Record<string, unknown>> | undefined }
  | { readonly type: "subscribe"; readonly id: string; readonly payload: Readonly<Record<string, unknown>> }
  | { readonly type: "complete"; readonly id: string };

const ID_LENGTH = 128;

/** An invalid message. */
export class MessageMistake extends Error {
  override readonly name = "MessageMistake";
}

/**
 * Parses a message of a client, with at most `depth` levels of JSON and `keys` members per object. Throws a
 * `MessageMistake` that describes the problem.
 */
export function parseMessage(data: Uint8Array, depth: number, keys: number): ClientMessage {
  let message: unknown;
  try {
    message = parseJsonBody(data, depth, keys);
  } catch (thrown) {
    if (thrown instanceof BodyMistake) throw new MessageMistake("Invalid message: it is not valid JSON");
    throw thrown;
  }
  if (!isObject(message)) throw new MessageMistake("Invalid message: it is not an object");
  const { type, id, payload } = message;
  switch (type) {
    case "connection_init":
    case "ping":
    case "pong":
      if (!isAbsent(payload) && !isObject(payload))
        throw new MessageMistake("Invalid message: 'payload' must be an object");
      return { type, payload: payload ?? undefined };
    case "subscribe":
      return { type, id: parseId(id), payload: parseRequest(payload) };
    case "complete":
      return { type, id: parseId(id) };
    default:
      throw new MessageMistake("Invalid message: unknown type");
  }
}

function parseId(id: unknown): string {
  if (typeof id !== "string" || id === "") throw new MessageMistake("Invalid message: 'id' is required");
  if (id.length > ID_LENGTH)
    throw new MessageMistake(`Invalid message: 'id' must have at most ${ID_LENGTH} characters`);
  return id;
}

function parseRequest(payload: unknown): Readonly<Record<string, unknown>> {
  if (!isObject(payload)) throw new MessageMistake("Invalid message: 'payload' must be an object");
  const { query, operationName, variables, extensions } = payload;
  if (typeof query !== "string") throw new MessageMistake("Invalid message: 'query' must be a string");
  if (!isAbsent(operationName) && typeof operationName !== "string") {
    throw new MessageMistake("Invalid message: 'operationName' must be a string");
  }
  if (!isAbsent(variables) && !isObject(variables))
    throw new MessageMistake("Invalid message: 'variables' must be an object");
  if (!isAbsent(extensions) && !isObject(extensions)) {
    throw new MessageMistake("Invalid message: 'extensions' must be an object");
  }
  return payload;
}

function isAbsent(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Close codes of the protocol (graphql-ws PROTOCOL.md), of RFC 6455 §7.4.1 and of its registry. The reasons of 4408 and
 * 4429 are the words of the protocol, in British spelling.
 */
export const CLOSE = {
  goingAway: 1001,
  policyViolation: 1008,
  internalError: 1011,
  serviceRestart: 1012,
  tryAgainLater: 1013,
  badMessage: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  subprotocol: 4406,
  initTimeout: 4408,
  duplicate: 4409,
  tooManyInits: 4429,
} as const;
