import { hasCrowdedObject } from "./crowded-object.ts";
import { countMembers, repeatedName } from "./repeated-name.ts";

/** Why a body is no JSON that can be used; the caller decides which error that is. */
export class BodyMistake extends Error {
  override readonly name = "BodyMistake";
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

/** Reads JSON of at most `depth` levels, and `keys` members in one object, from bytes. Throws `BodyMistake` in words. */
export function parseJsonBody(bytes: Uint8Array, depth: number, keys: number): unknown {
  const text = readText(bytes);
  if (hasCrowdedObject(text, keys)) throw new BodyMistake(`An object in the body can have at most ${keys} members.`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (thrown) {
    // The parser's own words say where; they quote what was sent, so they are cut short.
    throw new BodyMistake(`The body is not valid JSON: ${(thrown as SyntaxError).message.slice(0, 120)}`);
  }
  const members = countMembers(value, depth);
  if (members === undefined) throw new BodyMistake(`The body can be nested at most ${depth} levels deep.`);
  // An escape may spell any name; most bodies have neither.
  if (/__proto__|constructor|\\u/.test(text)) refusePrototypes(value);
  const repeated = repeatedName(text, members);
  if (repeated !== undefined)
    throw new BodyMistake(`The body contains '${repeated.slice(0, 60)}' twice in one object.`);
  return value;
}

/** The text of a body. Throws `BodyMistake`. */
export function readText(bytes: Uint8Array): string {
  if (bytes.byteLength === 0) throw new BodyMistake("The body is missing.");
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new BodyMistake("The body is not valid UTF-8.");
  }
}

function refusePrototypes(value: unknown): void {
  const name = prototypeName(value);
  if (name !== undefined) throw new BodyMistake(`The body must not contain '${name}'.`);
}

/** A name that could fool whoever copies the value into objects of its own; nothing here is fooled by it. */
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

/** The media type of a `Content-Type`, in lower case; undefined where its charset is not UTF-8. */
export function mediaTypeOf(header: string | readonly string[] | undefined): string | undefined {
  if (header === "application/json") return header;
  const [type = "", ...parameters] = String(header ?? "")
    .split(";")
    .map((part) => part.trim().toLowerCase());
  const charset = parameters
    .find((parameter) => parameter.startsWith("charset="))
    ?.slice("charset=".length)
    .replaceAll('"', "");
  return charset === undefined || charset === "utf-8" || charset === "utf8" ? type : undefined;
}
