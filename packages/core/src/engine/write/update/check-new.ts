import type { Issue } from "../../../errors/bifocal-error.ts";
import type { FieldModel, ResourceModel, Row } from "../../../model/model.ts";
import { takes } from "../../../model/parse/input-parser.ts";
import { checkNesting, splitInput } from "../../../operation/nested-input.ts";
import type { ReplaceOperation } from "../../../operation/operation.ts";
import type { Json } from "../../../util/json.ts";
import type { OperationContext } from "../../operation-context.ts";
import { type CheckedInput, checkInput, invalid } from "../checks/check-input.ts";
import { keyParts, keyValue } from "../create/with-key.ts";
import { collectIssues } from "../nested/check-parts.ts";
import { type LinksPlan, planLinks } from "../nested/plan-links.ts";

/** The row and the links that a replace operation creates. */
interface NewReplacement {
  readonly checked: CheckedInput;
  readonly links: readonly LinksPlan[];
}

/** Validates the input of a row that a replace operation creates, with its links. Throws all issues. */
export async function checkNew(
  context: OperationContext,
  resource: ResourceModel,
  operation: ReplaceOperation,
): Promise<NewReplacement> {
  const { form, input } = operation;
  const { model, limits } = context.engine;
  checkNesting(model, resource, "replace", input, limits.query.selectionDepth);
  const { own, parts } = splitInput(resource, "replace", input);
  const issues: Issue[] = [];
  const checked = await collectIssues({ issues }, [], async () =>
    checkRow(context, resource, { ...operation, input: own }),
  );
  const links: LinksPlan[] = [];
  // A new row has no links yet, as in a create.
  for (const part of parts) links.push(await planLinks(context, { ...part, mode: "create" }, form, [], issues));
  if (checked === undefined || issues.length > 0) throw invalid(issues);
  return { checked, links };
}

/** Validates the fields, with the key of the URL. */
async function checkRow(
  context: OperationContext,
  resource: ResourceModel,
  { key, input, form }: ReplaceOperation,
): Promise<CheckedInput> {
  const parts = keyParts(resource, key);
  const issues: Issue[] = [];
  const generated: Record<string, Json> = {};
  const given: Record<string, unknown> = typeof input === "object" && input !== null ? { ...input } : {};
  for (const [name, part] of parts) {
    const field = resource.fields.get(name) as FieldModel;
    if (!field.writable) {
      generated[name] = part;
      for (const { message, code } of field.schema.safeParse(keyValue(field, part, "value")).error?.issues ?? []) {
        issues.push({ path: [name], message, code });
      }
    } else if (given[name] === undefined) given[name] = keyValue(field, part, form);
  }
  for (const field of resource.visibleFields) {
    if (!takes(resource, field, "create") || field.filledByHook || given[field.name] !== undefined) continue;
    const message = `'${field.name}' is required. A replacement must include every field.`;
    issues.push({ path: [field.name], message, code: "required" });
  }
  const what = `create ${resource.plural}`;
  const rule = resource.access.create;
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  const checked = await checkInput(context, {
    resource,
    mode: "create",
    rule,
    input: isObject ? given : input,
    form,
    what,
  });
  if (issues.length > 0) throw invalid(issues);
  const row: Row = { ...checked.row, ...generated };
  const other = parts.find(([name, part]) => row[name] !== part)?.[0];
  if (other !== undefined) {
    const message = `'${other}' differs from the id in the URL.`;
    throw invalid([{ path: [other], message, code: "contradiction" }]);
  }
  return { ...checked, row };
}
