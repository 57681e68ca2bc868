import type { ControlKind } from "../../src/rest/formats/html/write-form.ts";
import type { Json } from "../../src/util/json.ts";
import type { Control } from "./controls.ts";

/** Returns the value of a control. Sends invalid text unchanged, so that the API rejects it. */
export function readControl(control: Control, isUpdate: boolean): Json | undefined {
  const { value } = control;
  const kind = control.dataset["kind"] as ControlKind;
  if (value === "") {
    if ("nullable" in control.dataset) return null;
    if (kind === "text" && (control.required || isUpdate)) return "";
    return isUpdate ? null : undefined;
  }
  switch (kind) {
    case "number":
      return Number.isNaN(Number(value)) ? value : Number(value);
    case "boolean":
      return value === "true";
    case "json":
      return parseJson(value);
    case "text":
      return value;
  }
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
