import { BifocalError } from "../errors/bifocal-error.ts";
import type { Limits } from "../operation/limits.ts";
import { isPlainObject, refuse } from "../operation/refuse.ts";
import { equalJson } from "../util/equal-json.ts";
import type { Json } from "../util/json.ts";
import { addAt, type Pointer, parsePointer, readAt, removeAt, writePointer } from "./json-pointer.ts";

/** One step of a JSON Patch (RFC 6902 §4). */
type Step =
  | { readonly op: "add" | "replace" | "test"; readonly path: Pointer; readonly value: Json }
  | { readonly op: "remove"; readonly path: Pointer }
  | { readonly op: "move" | "copy"; readonly from: Pointer; readonly path: Pointer };

const OPS = ["add", "remove", "replace", "move", "copy", "test"];

/** Reads a patch document. Throws BAD_REQUEST for what is none (RFC 5789 §2.2). */
export function parseJsonPatch(document: unknown, { patchSteps }: Limits): readonly Step[] {
  if (!Array.isArray(document)) return refuse([], "invalid_patch", "A JSON Patch is a list of operations.");
  if (document.length > patchSteps) refuse([], "too_many", `A JSON Patch may have ${patchSteps} operations.`);
  return document.map(parseStep);
}

function parseStep(step: unknown, index: number): Step {
  if (!isPlainObject(step)) return refuse([index], "invalid_patch", "An operation is an object with 'op' and 'path'.");
  const { op } = step;
  const path = parseMember(step, "path", index);
  switch (op) {
    case "add":
    case "replace":
    case "test":
      if (step["value"] === undefined) refuse([index, "value"], "invalid_patch", `'${op}' takes a 'value'.`);
      return { op, path, value: step["value"] as Json };
    case "remove":
      return { op, path };
    case "move":
    case "copy":
      return { op, from: parseMember(step, "from", index), path };
    default:
      return refuse([index, "op"], "invalid_patch", `'op' is one of ${OPS.join(", ")}.`);
  }
}

function parseMember(step: Readonly<Record<string, unknown>>, name: "path" | "from", index: number): Pointer {
  const pointer = typeof step[name] === "string" ? parsePointer(step[name]) : undefined;
  return pointer ?? refuse([index, name], "invalid_patch", `'${name}' is a JSON Pointer (RFC 6901), as in /title.`);
}

/** The members that a patch looks at, or of which it changes a part: it cannot be applied without what they hold. */
export function partlyRead(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => {
    const { op, path } = step;
    const [member = ""] = path;
    const reads = op === "test" || path.length > 1 ? [member] : [];
    return "from" in step ? [...reads, step.from[0] ?? ""] : reads;
  });
}

/** Applies a patch to a document, which stays as it is. Throws CONFLICT where it does not fit, a failed `test` included. */
export function applyJsonPatch(document: Json, steps: readonly Step[], { bodyBytes }: Limits): Json {
  let result = document;
  // A few copies of copies would be larger than any body.
  let copied = 0;
  for (const [index, step] of steps.entries()) {
    if (step.op === "copy") copied += JSON.stringify(readAt(result, step.from) ?? null).length;
    if (copied > bodyBytes) refuse([index], "too_large", `A JSON Patch may copy ${bodyBytes} bytes.`);
    const patched = applyStep(result, step);
    if (patched === undefined) throw conflict(step, index);
    result = patched;
  }
  return result;
}

/** `undefined`: the step does not fit the document. */
function applyStep(document: Json, step: Step): Json | undefined {
  const { path } = step;
  switch (step.op) {
    case "add":
      return addAt(document, path, step.value);
    case "remove":
      return removeAt(document, path);
    case "replace":
      return replace(document, path, step.value);
    case "test": {
      const value = readAt(document, path);
      return value !== undefined && equalJson(value, step.value) ? document : undefined;
    }
    case "copy": {
      const value = readAt(document, step.from);
      return value === undefined ? undefined : addAt(document, path, value);
    }
    case "move":
      return move(document, step.from, path);
  }
}

function replace(document: Json, path: Pointer, value: Json): Json | undefined {
  if (readAt(document, path) === undefined) return undefined;
  if (path.length === 0) return value;
  const rest = removeAt(document, path);
  return rest === undefined ? undefined : addAt(rest, path, value);
}

/** To its own place is to leave it there (§4.4). */
function move(document: Json, from: Pointer, path: Pointer): Json | undefined {
  const value = readAt(document, from);
  if (value === undefined || isInside(path, from)) return undefined;
  if (isSame(path, from)) return document;
  const rest = removeAt(document, from);
  return rest === undefined ? undefined : addAt(rest, path, value);
}

/** A value cannot be moved into itself (§4.4). */
function isInside(path: Pointer, from: Pointer): boolean {
  return path.length > from.length && from.every((segment, index) => path[index] === segment);
}

function isSame(path: Pointer, from: Pointer): boolean {
  return path.length === from.length && from.every((segment, index) => path[index] === segment);
}

function conflict(step: Step, index: number): BifocalError {
  const at = writePointer(step.path);
  const message =
    step.op === "test"
      ? `The test at '${at}' failed: another value is there.`
      : `'${step.op}' does not fit: there is no such place as '${step.op === "move" || step.op === "copy" ? `${writePointer(step.from)}' or '${at}` : at}'.`;
  const code = step.op === "test" ? "test_failed" : "no_such_place";
  return new BifocalError("CONFLICT", message, { issues: [{ path: [index], message, code }] });
}
