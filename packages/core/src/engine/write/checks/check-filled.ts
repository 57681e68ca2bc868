import type { Issue } from "../../../errors/bifocal-error.ts";
import type { ResourceModel, Row } from "../../../model/model.ts";
import { isCheckable } from "../../../model/parse/input-parser.ts";
import type { Json } from "../../../util/json.ts";
import { invalid } from "./check-input.ts";

/** Rejects a new row if neither its input nor the hook set a field that needs a value. */
export function checkFilled({ filledFields }: ResourceModel, written: Row): void {
  if (filledFields.length === 0) return;
  const issues = filledFields.flatMap((field): readonly Issue[] => {
    const { name, type } = field;
    if ((written[name] ?? null) !== null || type.nullable || field.default !== undefined) return [];
    return [{ path: [name], message: `'${name}' is required.`, code: "required" }];
  });
  if (issues.length > 0) throw invalid(issues);
}

/** Throws if a hook set an invalid value. That is a mistake of the application, so clients don't see the details. */
export function checkHookValues({ name, parseFilled, filledFields }: ResourceModel, row: Row): void {
  if (parseFilled === undefined) return;
  const given: Record<string, Json> = {};
  for (const field of filledFields) {
    const value = row[field.name] ?? null;
    if (value !== null && isCheckable(field)) given[field.name] = value;
  }
  const { issues = [] } = parseFilled(given, "wire");
  if (issues.length === 0) return;
  const messages = issues.map(({ path, message }) => `${path.join(".")}: ${message}`);
  throw new Error(`A hook of '${name}' set invalid values. ${messages.join(" ")}`);
}
