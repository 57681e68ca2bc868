import type { ControlKind } from "../../src/rest/formats/html/write-form.ts";
import type { Json } from "../../src/util/json.ts";
import type { Control } from "./controls.ts";

/** Returns the value of a control. Sends invalid text unchanged, so that the API rejects it. */
export function readControl(control: Control, isUpdate: boolean): Json | undefined {
  const { value } = control;
  const kind = control.dataset["kind"] as ControlKind;
  if (kind === "lines" || kind === "numbers") return readLines(control, isUpdate);
  if (value === "") {
    if ("nullable" in control.dataset) return null;
    if (kind === "text" && (isUpdate || (control.required && canBeEmpty(control)))) return "";
    return isUpdate ? null : undefined;
  }
  switch (kind) {
    case "number":
      return numberIn(value);
    case "boolean":
      return value === "true";
    case "json":
      return parseJson(value);
    case "text":
      return value;
  }
}

/** Whether an empty text can be a value. A choice, a date or a key without a value is missing. */
function canBeEmpty({ type, dataset }: Control): boolean {
  return (type === "text" || type === "textarea") && dataset["pick"] === undefined;
}

/** Returns the items of a list, one per line. Empty lines are ignored. */
function readLines({ value, dataset, required }: Control, isUpdate: boolean): Json | undefined {
  const lines = value.split("\n").filter((line) => line.trim() !== "");
  if (lines.length > 0) return lines.map(dataset["kind"] === "numbers" ? numberIn : textIn);
  if ("nullable" in dataset) return null;
  return isUpdate || required ? [] : undefined;
}

function numberIn(text: string): Json {
  return Number.isNaN(Number(text)) ? text : Number(text);
}

function textIn(line: string): string {
  return line.replace(/\r$/, "");
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return text;
  }
}
