import { BifocalError } from "../../errors/bifocal-error.ts";
import type { Limits } from "../../limits/limits.ts";
import { refuse } from "../../errors/refuse.ts";
import { equalJson } from "../../util/equal-json.ts";
import type { Json } from "../../util/json.ts";
import type { Step } from "./json-patch.ts";
import { addAt, type Pointer, readAt, removeAt, replaceAt, writePointer } from "./json-pointer.ts";

/**
 * Maximum number of values that the operations of one patch may move or visit: those after a position in a list, and
 * those inside inserted values.
 */
const WORK = 4_000_000;

/** The state of applying a patch. */
interface Patching {
  /** A copy, so that a failed patch has no effect. */
  document: Json;
  work: number;
  copied: number;
  readonly limits: Limits;
}

/**
 * Applies a patch to a document without changing it. Throws CONFLICT if an operation fails, including `test`, and
 * BAD_REQUEST if the patch exceeds the limits for depth, copied bytes or moved values.
 */
export function applyJsonPatch(document: Json, steps: readonly Step[], limits: Limits): Json {
  const patching: Patching = { document: cloneJson(document), work: 0, copied: 0, limits };
  for (const [index, step] of steps.entries()) {
    const work = applyStep(patching, step, index);
    if (work === undefined) throw conflict(step, index);
    addWork(patching, work, index);
  }
  return patching.document;
}

/** Returns the number of moved values; `undefined` if the operation doesn't fit the document. */
function applyStep(patching: Patching, step: Step, index: number): number | undefined {
  const { document } = patching;
  const { path } = step;
  switch (step.op) {
    case "add":
      checkPut(patching, step.value, path, index);
      return add(patching, path, cloneJson(step.value));
    case "remove":
      if (path.length > 0) return removeAt(document, path);
      patching.document = null;
      return 1;
    case "replace":
      if (readAt(document, path) === undefined) return undefined;
      checkPut(patching, step.value, path, index);
      if (path.length === 0) return add(patching, path, cloneJson(step.value));
      replaceAt(document, path, cloneJson(step.value));
      return 1;
    case "test": {
      const value = readAt(document, path);
      return value !== undefined && equalJson(value, step.value) ? 0 : undefined;
    }
    case "copy":
    case "move": {
      const value = readAt(document, step.from);
      if (value === undefined) return undefined;
      if (step.op === "move") return move(patching, value, step, index);
      checkPut(patching, value, path, index);
      checkCopied(patching, value, index);
      return add(patching, path, cloneJson(value));
    }
  }
}

function add(patching: Patching, path: Pointer, value: Json): number | undefined {
  if (path.length > 0) return addAt(patching.document, path, value);
  patching.document = value;
  return 1;
}

/** Moving a value to its own position has no effect (§4.4). */
function move(
  patching: Patching,
  value: Json,
  { from, path }: { readonly from: Pointer; readonly path: Pointer },
  index: number,
): number | undefined {
  if (isInside(path, from)) return undefined;
  if (isSame(path, from)) return 0;
  checkPut(patching, value, path, index);
  const taken = removeAt(patching.document, from);
  const put = taken === undefined ? undefined : add(patching, path, value);
  return taken === undefined || put === undefined ? undefined : taken + put;
}

/**
 * Limits the depth of inserted values to that of a request body, so that no sequence of operations creates deeper
 * values.
 */
function checkPut(patching: Patching, value: Json, { length: depth }: Pointer, index: number): void {
  const { jsonDepth } = patching.limits.http;
  const visit = (one: Json, above: number): void => {
    addWork(patching, 1, index);
    if (typeof one !== "object" || one === null) return;
    if (above >= jsonDepth)
      refuse([index, "path"], "too_deep", `A row can be nested at most ${jsonDepth} levels deep.`);
    for (const inner of Object.values(one)) visit(inner, above + 1);
  };
  visit(value, depth);
}

/** A few copies of copies could exceed the size of any request body. */
function checkCopied(patching: Patching, value: Json, index: number): void {
  const { bodyBytes } = patching.limits.http;
  patching.copied += JSON.stringify(value).length;
  if (patching.copied > bodyBytes) refuse([index], "too_large", `A JSON Patch can copy at most ${bodyBytes} bytes.`);
}

function addWork(patching: Patching, values: number, index: number): void {
  patching.work += values;
  if (patching.work > WORK) {
    refuse(
      [index],
      "too_costly",
      `A JSON Patch can move at most ${WORK} values. Send the operations in several patches.`,
    );
  }
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
      ? `The test at '${at}' failed: the value is different.`
      : `'${step.op}' failed. This path doesn't exist: '${step.op === "move" || step.op === "copy" ? `${writePointer(step.from)}' or '${at}` : at}'.`;
  const code = step.op === "test" ? "test_failed" : "no_such_place";
  return new BifocalError("CONFLICT", message, { issues: [{ path: [index], message, code }] });
}

/** Returns a deep copy, with less overhead than `structuredClone`. */
export function cloneJson(value: Json): Json {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(cloneJson);
  const copy: Record<string, Json> = {};
  for (const [name, inner] of Object.entries(value)) {
    // An assignment to `__proto__` would set the prototype.
    if (name === "__proto__")
      Object.defineProperty(copy, name, {
        value: cloneJson(inner),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    else copy[name] = cloneJson(inner);
  }
  return copy;
}
