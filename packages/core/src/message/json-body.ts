import { countColons, countMembers, hasCrowdedObject, repeatedName } from "./json-members.ts";
import { BifocalError } from "../errors/bifocal-error.ts";
import { type MaybePromise, mapMaybePromise } from "../util/maybe-promise.ts";

/** A body that is not valid JSON. The caller decides which error to report. */
export class BodyMistake extends Error {
  override readonly name = "BodyMistake";
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses JSON from bytes, with at most `depth` levels and `keys` members per object. Throws a `BodyMistake` with a
 * message for the client.
 */
export function parseJsonBody(bytes: Uint8Array, depth: number, keys: number): unknown {
  return parseJsonText(decodeText(bytes), depth, keys);
}

/** Like `parseJsonBody`, for decoded text. */
export function parseJsonText(text: string, depth: number, keys: number): unknown {
  const colons = countColons(text);
  // Each member has a colon, so most bodies need no closer look.
  if (colons > keys && hasCrowdedObject(text, keys))
    throw new BodyMistake(`An object in the body can have at most ${keys} members.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    // The parser's message contains the position, but it also quotes the input, so it is truncated.
    throw new BodyMistake(`The body is not valid JSON: ${(thrown as SyntaxError).message.slice(0, 120)}`);
  }
  const members = countMembers(value, depth);
  if (members === undefined) throw new BodyMistake(`The body can be nested at most ${depth} levels deep.`);
  // Most bodies don't need this check.
  if (UNSAFE.some((part) => text.includes(part))) refusePrototypes(value);
  // With as many colons as members, no name is repeated. Other colons are part of strings.
  const repeated = colons === members ? undefined : repeatedName(text, members);
  if (repeated !== undefined)
    throw new BodyMistake(`The body contains '${repeated.slice(0, 60)}' twice in one object.`);
  return value;
}

/** Decodes the text of a body. Throws `BodyMistake`. */
export function decodeText(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) throw new BodyMistake("The body is missing.");
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new BodyMistake("The body is not valid UTF-8.");
  }
}

/** Parts of texts that may name a prototype. An escape sequence can spell any name. */
const UNSAFE = ["__proto__", "constructor", "\\u"];

function refusePrototypes(value: unknown): void {
  const name = prototypeName(value);
  if (name !== undefined) throw new BodyMistake(`The body must not contain '${name}'.`);
}

/**
 * Returns a name that could pollute prototypes when application code copies the value. Bifocal itself is not affected.
 */
export function prototypeName(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  if (Array.isArray(value)) {
    for (const inner of value) {
      const found = prototypeName(inner);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  for (const [name, inner] of Object.entries(value)) {
    const isPrototype = name === "constructor" && typeof inner === "object" && inner !== null && "prototype" in inner;
    const found = name === "__proto__" || isPrototype ? name : prototypeName(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Returns the media type of a `Content-Type` in lower case, or undefined if its charset is not UTF-8. */
export function mediaTypeOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === "application/json") return header;
  const [type = "", ...parameters] = String(header ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  // Spaces around `=` are not allowed (RFC 9110 §5.6.6), but they mustn't hide a charset.
  const charset = parameters
    .map((parameter) => /^charset\s*=\s*(.*)$/.exec(parameter)?.[1])
    .find((value) => value !== undefined)
    ?.replaceAll('"', "");
  return charset === undefined || charset === "utf-8" || charset === "utf8" ? type : undefined;
}

/**
 * Reads the body of a request. Adapters should limit the body while they read it; the size is checked here in any case.
 */
export function bodyWithin(
  request: { readonly body: (limit: number) => MaybePromise<Uint8Array> },
  limit: number,
): MaybePromise<Uint8Array> {
  return mapMaybePromise(request.body(limit), (bytes) => {
    if (bytes.length > limit) throw tooLarge(limit);
    return bytes;
  });
}

/** Throws UNSUPPORTED_MEDIA_TYPE for a `Content-Encoding`. Its names are case-insensitive (RFC 9110 §8.4.1). */
export function refuseCompressed(encoding: string | undefined): void {
  if (encoding === undefined || ["", "identity"].includes(encoding.trim().toLowerCase())) return;
  const headers = { "Accept-Encoding": "identity" };
  const message = "Compressed request bodies are not supported. Remove 'Content-Encoding'.";
  throw new BifocalError("UNSUPPORTED_MEDIA_TYPE", message, { headers });
}

export function tooLarge(limit: number): BifocalError {
  return new BifocalError("PAYLOAD_TOO_LARGE", `The body is too large. The maximum is ${limit} bytes.`, {
    headers: { Connection: "close" },
  });
}
