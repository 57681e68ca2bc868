import type { EventDraft } from "./change-event.ts";

const VERSION = 1;

/**
 * The messages between instances. `wake`: the log has grown; `alone` if the sender hears no other instance. `changes`:
 * changes that no log keeps; a `created` change without its row if the row would be too large. `reset`: changes of these
 * resources could not be transmitted.
 */
export type BusMessage =
  | { readonly kind: "wake"; readonly alone?: true }
  | { readonly kind: "changes"; readonly changes: readonly EventDraft[] }
  | { readonly kind: "reset"; readonly resources: readonly string[] };

export function writeBusMessage(from: string, letter: BusMessage): string {
  return JSON.stringify({ v: VERSION, from, ...letter });
}

/** Serializes changes to as few messages as possible, in order, each of at most `bytes` bytes. */
export function writeChanges(from: string, drafts: readonly EventDraft[], bytes: number): readonly string[] {
  const whole = writeBusMessage(from, { kind: "changes", changes: drafts });
  if (Buffer.byteLength(whole) <= bytes) return [whole];
  const [only, ...others] = drafts;
  if (only === undefined) return [];
  if (others.length > 0) {
    const half = Math.ceil(drafts.length / 2);
    return [...writeChanges(from, drafts.slice(0, half), bytes), ...writeChanges(from, drafts.slice(half), bytes)];
  }
  // The receiver reads a created row by its key. Other changes need the previous row to decide who may see them, and
  // whether they match a subscription.
  const { resource, kind, key } = only;
  const small = writeBusMessage(from, { kind: "changes", changes: [{ resource, kind, key }] });
  if (kind === "created" && Buffer.byteLength(small) <= bytes) return [small];
  return [writeBusMessage(from, { kind: "reset", resources: [resource] })];
}

/**
 * Parses a message. Returns undefined for invalid text. A message of a later version counts as `wake`, because its
 * sender has changed something.
 */
export function readBusMessage(text: string): (BusMessage & { readonly from: string }) | undefined {
  const message = parse(text);
  if (!isRecord(message) || typeof message["from"] !== "string") return undefined;
  const { v, from, kind, changes, resources } = message;
  if (v !== VERSION || kind === "wake")
    return typeof v === "number"
      ? { from, kind: "wake", ...(message["alone"] === true && { alone: true }) }
      : undefined;
  if (kind === "changes" && Array.isArray(changes) && changes.every(isDraft)) return { from, kind, changes };
  if (kind === "reset" && isStrings(resources)) return { from, kind, resources };
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isDraft(value: unknown): value is EventDraft {
  if (!isRecord(value)) return false;
  const { resource, kind, key, before, after, links, linked } = value;
  return (
    typeof resource === "string" &&
    (kind === "created" || kind === "updated" || kind === "deleted") &&
    isKey(key) &&
    (before === undefined || isRecord(before)) &&
    (after === undefined || isRecord(after)) &&
    (links === undefined || isStrings(links)) &&
    (linked === undefined || isKey(linked))
  );
}

function isKey(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 && value.every(isKeyPart) : isKeyPart(value);
}

function isKeyPart(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}

function isStrings(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
