import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Limits } from "../../limits/limits.ts";
import { prototypeName } from "../../message/json-body.ts";
import { jsonExcess } from "../../message/json-excess.ts";

/**
 * Rejects a patch whose changed fields exceed the limits of a request body, so that repeated patches can't grow a row
 * beyond them.
 */
export function refuseExcess(fields: Readonly<Record<string, unknown>>, limits: Limits): void {
  const { jsonDepth, jsonKeys, bodyBytes } = limits.http;
  const excess = jsonExcess(fields, { depth: jsonDepth, keys: jsonKeys });
  if (excess === "depth") throw tooMuch("too_deep", `would be nested more than ${jsonDepth} levels deep`);
  if (excess !== undefined) throw tooMuch("too_many", `would have an object with more than ${jsonKeys} members`);
  if (Buffer.byteLength(JSON.stringify(fields)) > bodyBytes) {
    throw tooMuch("too_large", `would have more than ${bodyBytes} bytes in the changed fields`);
  }
  for (const value of Object.values(fields)) {
    const name = prototypeName(value);
    if (name !== undefined) throw tooMuch("not_permitted", `would contain '${name}'`);
  }
}

function tooMuch(code: string, what: string): BifocalError {
  const message = `After this patch, the row ${what}. Change less of it.`;
  return new BifocalError("VALIDATION_FAILED", message, { issues: [{ path: [], message, code }] });
}
