import { isBifocalError } from "../errors/bifocal-error.ts";
import type { HttpResponse } from "../http/message.ts";
import type { Key } from "../model/model.ts";
import { selectionOf } from "../operation/lower-selection.ts";
import { type Exchange, run, unexpected } from "./exchange.ts";

type Members = Readonly<Record<string, unknown>>;

const ATTEMPTS = 3;

/**
 * Updates take whole values of fields, but a merge patch reaches into objects (RFC 7396 §2). Where one does, the row is
 * read first, and written only if it is still the same; a caller without `If-Match` does not notice.
 */
export async function mergeNested(
  exchange: Exchange,
  key: Key,
  patch: unknown,
  write: (input: unknown, version?: string) => Promise<HttpResponse>,
): Promise<HttpResponse> {
  const { resource } = exchange.target;
  if (!isMembers(patch)) return write(patch);
  const nested = Object.keys(patch).filter((name) => {
    const field = resource.fields.get(name);
    const holdsObject = field?.input.kind === "object" || field?.input.kind === "json";
    return field?.internal === false && holdsObject && isMembers(patch[name]);
  });
  if (nested.length === 0) return write(patch);
  const selection = selectionOf(resource, nested, []);
  for (let attempt = 1; ; attempt++) {
    const outcome = await run(exchange, { kind: "get", resource: resource.name, key, selection });
    if (outcome.kind !== "item") return unexpected(outcome);
    const input = { ...patch };
    for (const name of nested) input[name] = merge(outcome.node[name], patch[name]);
    if (exchange.request.headers["if-match"] !== undefined) return write(input);
    try {
      return await write(input, outcome.version);
    } catch (thrown) {
      if (!isBifocalError(thrown) || thrown.code !== "PRECONDITION_FAILED" || attempt === ATTEMPTS) throw thrown;
    }
  }
}

/** RFC 7396 §2: null takes a member out, objects merge, anything else takes its place. */
function merge(target: unknown, patch: unknown): unknown {
  if (!isMembers(patch)) return patch;
  const merged = new Map<string, unknown>(isMembers(target) ? Object.entries(target) : []);
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) merged.delete(name);
    else merged.set(name, merge(merged.get(name), value));
  }
  return Object.fromEntries(merged);
}

function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
