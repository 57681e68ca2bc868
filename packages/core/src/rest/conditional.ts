import { hash } from "node:crypto";
import type { HttpRequest } from "../http/message.ts";
import type { Precondition } from "../operation/operation.ts";
import { refuse } from "../operation/refuse.ts";

/** A tag of what is sent, for answers that are not the plain form of one row (RFC 9110 §8.8.3). */
export function hashTag(body: string): string {
  return `"${digest(body)}"`;
}

/** A tag of a row: its version, and, where the answer is not its plain form, of what is sent as well. */
export function versionTag(version: string, body: string, isPlain: boolean): string {
  return isPlain ? `"${version}"` : `"${version}.${digest(body)}"`;
}

function digest(body: string): string {
  return hash("sha1", body, "base64url");
}

const TAG = /^(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"$/;

/** Whether the client has this already: `If-None-Match` compares weakly (RFC 9110 §13.1.2). */
export function isNotModified({ headers, method }: HttpRequest, tag: string): boolean {
  const header = headers["if-none-match"];
  if (header === undefined || (method !== "GET" && method !== "HEAD")) return false;
  const text = String(header).trim();
  return text === "*" || text.split(",").some((one) => one.trim().replace(/^W\//, "") === tag);
}

/** The versions that `If-Match` takes (RFC 9110 §13.1.1): what stands before the dot of a strong tag. */
export function parseIfMatch({ headers }: HttpRequest): { readonly ifMatch?: Precondition } {
  const header = headers["if-match"];
  if (header === undefined) return {};
  const text = String(header).trim();
  if (text === "*") return { ifMatch: "*" };
  const versions: string[] = [];
  for (const part of text.split(",")) {
    const [, weak, tag] = TAG.exec(part.trim()) ?? [];
    if (tag === undefined)
      refuse(["If-Match"], "malformed", "'If-Match' is '*', or entity tags in quotes, divided by commas.");
    if (weak === undefined) versions.push(tag.split(".", 1)[0] as string);
  }
  return { ifMatch: versions };
}

/** `Prefer: return=minimal` (RFC 7240 §4.2). */
export function prefersMinimal({ headers }: HttpRequest): boolean {
  return String(headers["prefer"] ?? "")
    .split(",")
    .some((preference) => /^return\s*=\s*"?minimal"?$/i.test((preference.split(";", 1)[0] as string).trim()));
}
