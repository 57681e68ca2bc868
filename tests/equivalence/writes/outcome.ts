import type { HttpRequest } from "@bifocal/core/adapter";
import { request } from "@bifocal/test-servers/request";
import type { Shop } from "./shop.ts";
import type { Step } from "./step.ts";

/** The result of a write, independent of a style's syntax. */
export interface Outcome {
  /** The code of the error; absent on success. */
  readonly code?: string;
  readonly detail?: string;
  readonly issues?: readonly unknown[];
  readonly data?: unknown;
  /** Whether the response repeats that of an earlier request with the same idempotency key. */
  readonly isReplayed?: boolean;
}

/** Sends one request through the handler that all adapters mount. */
export async function send(
  { api }: Shop,
  { who }: Step,
  parts: Pick<HttpRequest, "method" | "path"> & {
    readonly query?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: unknown;
  },
): Promise<{ readonly status: number; readonly json: unknown; readonly isReplayed: boolean }> {
  const { method, path, query = "", body } = parts;
  const headers = { ...(who === "nobody" ? {} : { authorization: `Bearer ${who}` }), ...parts.headers };
  const response = await api.handle(request(method, `${path}?${query}`, { headers, body }));
  if (response === null) throw new Error(`${parts.path} is not a path of the API.`);
  const text = response.body as string | null;
  const json = text === null || text === "" ? null : (JSON.parse(text) as unknown);
  return { status: response.status, json, isReplayed: response.headers["Idempotent-Replayed"] === "true" };
}
