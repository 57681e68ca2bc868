import type { ErrorCode, Issue } from "@bifocal/core";
import { BifocalError } from "../client-error.ts";
import { errorOf, type Reply } from "../transport.ts";
import { loadPart } from "../load-part.ts";

export interface ResponseError {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: {
    readonly code?: ErrorCode;
    readonly errors?: readonly Issue[];
    readonly requestId?: string;
    /** The id of a row that has left a subscription. */
    readonly id?: string;
  };
}

export interface ResponseBody {
  readonly data?: Readonly<Record<string, unknown>> | null;
  readonly errors?: readonly ResponseError[];
  readonly extensions?: {
    readonly version?: string;
    /** What happened to the row of a subscription, and the id after which a client resumes. */
    readonly kind?: string;
    readonly eventId?: string;
  };
}

/**
 * Returns the value of a root field. Fields that the caller can't read are missing from it, as in REST. Throws a
 * `BifocalError` for any other error.
 */
export async function readResponse(
  reply: Reply,
  field: string,
  statuses: Readonly<Record<string, number>>,
): Promise<unknown> {
  const { data, errors = [] } = (reply.body ?? {}) as ResponseBody;
  const value = data?.[field];
  for (const { message, path = [], extensions = {} } of errors) {
    const { code = "INTERNAL", errors: issues, requestId } = extensions;
    if (code !== "FORBIDDEN" || path.length === 1 || value === null || value === undefined) {
      throw new BifocalError(code, message, { issues, requestId, status: statuses[code] ?? reply.status });
    }
  }
  if (!data) throw errorOf(reply, reply.body);
  if (errors.length > 0) (await loadPart(import("./hide-nulls.ts"))).hideNulls(data, errors);
  return value;
}
