import { sleep } from "../../runtime/timers.ts";
import { BifocalError, isBifocalError, type Issue } from "../../errors/bifocal-error.ts";
import type { HttpResponse } from "../../message/message.ts";
import type { Key, ResourceModel } from "../../model/model.ts";
import type { GetOperation } from "../../operation/operation.ts";
import { selectionOf } from "../../lowering/lower-selection.ts";
import { type MaybePromise, mapMaybePromise } from "../../util/maybe-promise.ts";
import { equalJson } from "../../util/equal-json.ts";
import type { Json } from "../../util/json.ts";
import { type Exchange, idempotencyOf, run } from "../request/exchange.ts";
import { unexpectedOutcome } from "../../operation/unexpected-outcome.ts";
import { readKey } from "../read/handle-read.ts";
import { refusePrecondition } from "../response/conditional.ts";
import { REPRESENTATION } from "../response/representation.ts";
import { writeRow } from "./handle-write.ts";
import { applyJsonPatch } from "../patch/apply-json-patch.ts";
import { parseJsonPatch, partlyRead } from "../patch/json-patch.ts";
import { mergeInto, nestedMembers } from "../patch/merge-patch.ts";
import { inputTypes, JSON_PATCH, MERGE_PATCH, parseBody, type ParsedBody, readInput } from "../request/parse-body.ts";
import { JSON_TYPE } from "../../message/json-type.ts";
import type { Limits } from "../../limits/limits.ts";
import { prototypeName } from "../../message/json-body.ts";
import { jsonExcess } from "../../message/json-excess.ts";

type Members = Readonly<Record<string, unknown>>;
/** Computes the input of an update from the current row. */
type Change = (row: Members) => Members;

/** The part of the row that a change reads. */
type Reading = Required<Pick<GetOperation, "selection" | "toChange">>;

/** In milliseconds. */
const [MIN_PAUSE_MS, MAX_PAUSE_MS] = [2, 100];

/**
 * Handles `PATCH /books/{id}` with a merge patch (RFC 7396, also the meaning of `application/json`) or a JSON Patch
 * (RFC 6902). Updates replace whole fields. A patch that changes parts of a field, or tests it, is applied to the
 * current row, and the result is written only if the row hasn't changed since.
 */
export function handleUpdate(exchange: Exchange, id = ""): MaybePromise<HttpResponse> {
  const key = readKey(exchange.target.resource, id);
  return mapMaybePromise(parseBody(exchange, patchTypes(exchange.target)), (body) => patchRow(exchange, id, key, body));
}

function patchRow(exchange: Exchange, id: string, key: Key, body: ParsedBody): MaybePromise<HttpResponse> {
  const { target } = exchange;
  const { resource } = target;
  if (body.type === JSON_PATCH) {
    const steps = parseJsonPatch(body.value, target.limits);
    const change: Change = (row) => changedMembers(resource, row, applyJsonPatch(row as Json, steps, target.limits));
    return changeRow(exchange, id, key, { selection: resource.whole, toChange: partlyRead(steps) }, change);
  }
  const patch = readInput(exchange, body, { mode: "update", id });
  // Other formats contain whole values.
  const merges = body.type === JSON_TYPE || body.type === MERGE_PATCH;
  const nested = merges ? nestedMembers(resource, patch) : [];
  if (nested.length === 0) return writeRow(exchange, "update", id, patch);
  const reading = { selection: selectionOf(resource, nested, []), toChange: nested };
  return changeRow(exchange, id, key, reading, (row) => mergeInto(patch as Members, row, nested));
}

const PATCH_TYPES = new WeakMap<readonly string[], readonly string[]>();

/** Returns the media types that a PATCH accepts. */
export function patchTypes(target: Exchange["target"]): readonly string[] {
  const inputs = inputTypes(target);
  let types = PATCH_TYPES.get(inputs);
  if (types === undefined) PATCH_TYPES.set(inputs, (types = [MERGE_PATCH, JSON_PATCH, ...inputs]));
  return types;
}

/**
 * Reads the row, applies the change, and writes the result if the row hasn't changed. If it has and the request has no
 * `If-Match`, retries with increasing pauses until the operation times out.
 */
async function changeRow(
  exchange: Exchange,
  id: string,
  key: Key,
  reading: Reading,
  change: Change,
): Promise<HttpResponse> {
  const { resource, limits } = exchange.target;
  const end = performance.now() + limits.query.timeout;
  for (let pause = MIN_PAUSE_MS; ; pause = Math.min(pause * 2, MAX_PAUSE_MS)) {
    const outcome = await run(exchange, {
      kind: "get",
      resource: resource.name,
      key,
      ...reading,
      ...idempotencyOf(exchange),
    });
    // With an idempotency key, the patch was applied before. The update is replayed, whatever the current row.
    if (outcome.kind === "nothing") return writeRow(exchange, "update", id, {});
    if (outcome.kind !== "item") return unexpectedOutcome(outcome);
    const row = outcome.row.write(REPRESENTATION);
    const input = changed(exchange, outcome.version, () => change(row));
    try {
      return await writeRow(exchange, "update", id, input, outcome.version);
    } catch (thrown) {
      const isRace = isBifocalError(thrown) && thrown.code === "PRECONDITION_FAILED" && !namesVersions(exchange);
      if (!isRace || exchange.request.signal.aborted) throw thrown;
      if (performance.now() > end) throw busy(resource);
      await sleep(pause / 2 + (Math.random() * pause) / 2);
    }
  }
}

function busy({ name }: ResourceModel): BifocalError {
  const message = `This ${name} is being changed by other requests. Try again.`;
  return new BifocalError("UNAVAILABLE", message, { headers: { "Retry-After": "1" } });
}

/** A failed precondition is reported before errors in the patch (RFC 9110 §13.2.1). */
function changed({ request, target }: Exchange, version: string, change: () => Members): Members {
  try {
    const fields = change();
    refuseExcess(fields, target.limits);
    return fields;
  } catch (thrown) {
    refusePrecondition(request, target.resource, version);
    throw thrown;
  }
}

function namesVersions({ request }: Exchange): boolean {
  const { "if-match": ifMatch = "*", "if-none-match": ifNoneMatch } = request.headers;
  return ifMatch !== "*" || ifNoneMatch !== undefined;
}

/** Returns the members that a patch has changed. Removed members become null; a removed required field is an error. */
function changedMembers(resource: ResourceModel, before: Members, after: Json): Record<string, Json> {
  if (typeof after !== "object" || after === null || Array.isArray(after)) {
    throw new BifocalError("VALIDATION_FAILED", `After the patch, the ${resource.name} would not be an object.`);
  }
  // A Map, because `__proto__` must be treated like any other name and rejected.
  const changed = new Map<string, Json>();
  const issues: Issue[] = [];
  for (const [name, value] of Object.entries(after as Readonly<Record<string, Json>>)) {
    if (!Object.hasOwn(before, name) || !equalJson(before[name] as Json, value)) changed.set(name, value);
  }
  for (const name of Object.keys(before)) {
    if (Object.hasOwn(after, name)) continue;
    const field = resource.fields.get(name);
    if (field?.writable === true && field.write.kind !== "deny" && !field.input.nullable) {
      issues.push({ path: [name], message: `'${name}' can't be removed.`, code: "required" });
    } else changed.set(name, null);
  }
  if (issues.length > 0)
    throw new BifocalError("VALIDATION_FAILED", "The patch would make the row invalid.", { issues });
  return Object.fromEntries(changed);
}

/**
 * Rejects a patch whose changed fields exceed the limits of a request body, so that repeated patches can't grow a row
 * beyond them.
 */
function refuseExcess(fields: Readonly<Record<string, unknown>>, limits: Limits): void {
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
