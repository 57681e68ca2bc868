import Negotiator from "negotiator";
import type { Format } from "../formats/format.ts";

/**
 * Returns the offered type that the client prefers (RFC 9110 §12.5.1), the first of several equal ones. Returns
 * undefined if the client accepts no offered type. All types are in UTF-8, so a requested charset of UTF-8 is ignored.
 */
export function negotiate(
  accept: string | readonly string[] | undefined,
  offered: readonly string[],
  formats: readonly Format[] = [],
): string | undefined {
  if (accept === undefined || accept === "*/*" || accept === offered[0]) return offered[0];
  const header = String(accept).trim();
  if (header === "") return offered[0];
  return new Negotiator({ headers: { accept: withoutIgnored(header, formats) } }).mediaType([...offered]);
}

/** Removes the parameters that select no other representation: those that a format ignores, or a charset of UTF-8. */
function withoutIgnored(header: string, formats: readonly Format[]): string {
  return header
    .split(",")
    .map((range) => {
      const [type = ""] = range.split(";", 1);
      const format = formats.find(({ mediaType }) => mediaType === type.trim().toLowerCase());
      return range.replace(format?.ignoredParameters ?? UTF_8, "");
    })
    .join(",");
}

const UTF_8 = /;\s*charset\s*=\s*"?utf-?8"?/gi;
