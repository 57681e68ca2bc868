import type { Json, JsonObject } from "../../src/util/json.ts";
import { controlsOf, fieldOf, isChanged } from "./controls.ts";
import { readControl } from "./read-control.ts";

export interface Body {
  readonly type: string;
  readonly value: Json | undefined;
}

/** Returns the body of a form: all values, or only the changed ones if the form updates a row. */
export function readBody(form: HTMLFormElement): Body {
  if (form.dataset["method"] !== "PATCH") return { type: "application/json", value: readValue(form) };
  const changes = readChanges(form);
  // A merge patch would keep members that were deleted from an object, so objects are replaced as a whole.
  if (!Object.values(changes).some(isObject)) return { type: "application/merge-patch+json", value: changes };
  const steps = Object.entries(changes).map(([name, value]) => ({ op: "add", path: pointerTo(name), value }));
  return { type: "application/json-patch+json", value: steps };
}

/** A control without a name holds the whole body. */
function readValue(form: HTMLFormElement): Json | undefined {
  const body: Record<string, Json> = {};
  for (const control of controlsOf(form)) {
    const value = readControl(control, false);
    const name = fieldOf(control);
    if (name === "") return value;
    if (value !== undefined && value !== null) body[name] = value;
  }
  return body;
}

function readChanges(form: HTMLFormElement): JsonObject {
  const changes: Record<string, Json> = {};
  for (const control of controlsOf(form)) {
    const value = readControl(control, true);
    if (!isChanged(control) || value === undefined) continue;
    const name = fieldOf(control);
    const part = control.dataset["change"];
    changes[name] = part === undefined ? value : withLinks(changes[name] as Links | undefined, part, value as Json[]);
  }
  return changes;
}

type Links = Readonly<Record<string, readonly Json[]>>;

/** Links to add have a control, and each link that can be removed has one as well. */
function withLinks(before: Links = {}, part: string, keys: readonly Json[]): Links {
  return { ...before, [part]: [...(before[part] ?? []), ...keys] };
}

function isObject(value: Json): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the JSON Pointer to a member (RFC 6901 §3). */
function pointerTo(name: string): string {
  return `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}
