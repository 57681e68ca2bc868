import type { ErrorCode, Issue } from "@bifocal/core";
import { BifocalError } from "../client-error.ts";
import { errorOf, type Reply } from "../transport.ts";

interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: ErrorCode; readonly errors?: readonly Issue[]; readonly requestId?: string };
}

export interface ResponseBody {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ResponseError[];
  readonly extensions?: { readonly version?: string };
}

/**
 * Returns the value of a root field. Fields that the caller can't read are missing from it, as in REST. Throws a
 * `BifocalError` for any other error.
 */
export function readResponse(reply: Reply, field: string, statuses: Readonly<Record<string, number>>): unknown {
  const { data, errors = [] } = (reply.body ?? {}) as ResponseBody;
  const value = data?.[field];
  // A result has a limited number of errors. The last one counts the others, which are about the same fields.
  const isCut = errors.some(({ path }) => !path?.length);
  const hidden = new Set<string>();
  for (const { message, path = [], extensions = {} } of errors) {
    const { code = "INTERNAL", errors: issues, requestId } = extensions;
    if (code !== "FORBIDDEN" || path.length === 1 || value === null || value === undefined) {
      throw new BifocalError(code, message, { issues, requestId, status: statuses[code] ?? reply.status });
    }
    hidden.add(`,${path.join()}`);
    if (isCut) hidden.add(`,${path.filter((step) => typeof step === "string").join()}`);
  }
  if (!data) throw errorOf(reply, reply.body);
  if (hidden.size > 0) hideNulls(data, hidden);
  return value;
}

/** Deletes hidden members. `place` is their path, and `general` their path without the indexes of lists. */
function hideNulls(holder: unknown, hidden: ReadonlySet<string>, place = "", general = ""): void {
  for (const [name, value] of Object.entries(holder ?? {})) {
    const at = `${place},${name}`;
    const of = Array.isArray(holder) ? general : `${general},${name}`;
    if (value === null && (hidden.has(at) || hidden.has(of))) Reflect.deleteProperty(holder as object, name);
    else if (typeof value === "object") hideNulls(value, hidden, at, of);
  }
}
