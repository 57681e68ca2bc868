import type { Limits } from "../../limits/limits.ts";
import { isPlainObject, refuse } from "../../errors/refuse.ts";
import type { Json } from "../../util/json.ts";
import { type Pointer, parsePointer } from "./json-pointer.ts";

/** One operation of a JSON Patch (RFC 6902 §4). */
export type Step =
  | { readonly op: "add" | "replace" | "test"; readonly path: Pointer; readonly value: Json }
  | { readonly op: "remove"; readonly path: Pointer }
  | { readonly op: "move" | "copy"; readonly from: Pointer; readonly path: Pointer };

const OPS = ["add", "remove", "replace", "move", "copy", "test"];

/** Parses a patch document. Throws BAD_REQUEST if it is malformed (RFC 5789 §2.2). */
export function parseJsonPatch(document: unknown, { http: { patchOperations } }: Limits): readonly Step[] {
  if (!Array.isArray(document)) return refuse([], "invalid_patch", "A JSON Patch must be a list of operations.");
  if (document.length > patchOperations)
    refuse([], "too_many", `A JSON Patch can have at most ${patchOperations} operations.`);
  return document.map(parseStep);
}

function parseStep(step: unknown, index: number): Step {
  if (!isPlainObject(step))
    return refuse([index], "invalid_patch", "Each operation must be an object with 'op' and 'path'.");
  const { op } = step;
  const path = parseMember(step, "path", index);
  switch (op) {
    case "add":
    case "replace":
    case "test":
      if (step["value"] === undefined) refuse([index, "value"], "invalid_patch", `'${op}' requires a 'value'.`);
      return { op, path, value: step["value"] as Json };
    case "remove":
      return { op, path };
    case "move":
    case "copy":
      return { op, from: parseMember(step, "from", index), path };
    default:
      return refuse([index, "op"], "invalid_patch", `'op' must be one of ${OPS.join(", ")}.`);
  }
}

function parseMember(step: Readonly<Record<string, unknown>>, name: "path" | "from", index: number): Pointer {
  const pointer = typeof step[name] === "string" ? parsePointer(step[name]) : undefined;
  return (
    pointer ?? refuse([index, name], "invalid_patch", `'${name}' must be a JSON Pointer (RFC 6901), such as /title.`)
  );
}

/** Returns the members that a patch reads or changes in part, so that applying it requires their current values. */
export function partlyRead(steps: readonly Step[]): readonly string[] {
  return steps.flatMap((step) => {
    const { op, path } = step;
    const [member = ""] = path;
    const reads = op === "test" || path.length > 1 ? [member] : [];
    return "from" in step ? [...reads, step.from[0] ?? ""] : reads;
  });
}
