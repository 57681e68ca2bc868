import { BifocalError, type Issue } from "../../../errors/bifocal-error.ts";
import type {
  PresetFields,
  FieldModel,
  InputForm,
  InputMode,
  Parsed,
  ResourceModel,
  Row,
  RuleModel,
} from "../../../model/model.ts";
import { ALWAYS, andFilters, type Filter } from "../../../operation/filter.ts";
import { decideInput, isNever, refuseNever } from "../../access/decide.ts";
import type { MaybePromise } from "../../../util/maybe-promise.ts";
import { omittedFields, watchFields } from "./watch-fields.ts";
import type { OperationContext } from "../../operation-context.ts";

export interface CheckedInput {
  /** The written fields in stored form. */
  readonly row: Row;
  /** The decision of the rule combined with those of the given fields; never `NEVER`. */
  readonly decision: Filter;
  /** The decision of the given fields alone. */
  readonly byFields?: Filter | undefined;
  /** Whether the input omits fields that a hook sets, so that the rule must decide after the hook. */
  readonly isOpen?: boolean;
}

export interface InputCheck {
  readonly resource: ResourceModel;
  readonly mode: InputMode;
  readonly rule: RuleModel;
  readonly input: unknown;
  readonly form: InputForm;
  /** Fields that the input can't change. */
  readonly decided?: PresetFields;
  /** Completes "You are not allowed to …". */
  readonly what: string;
}

/** Validates an input and evaluates the rules for it. A caller without permission gets no validation errors. */
export function checkInput(context: OperationContext, check: InputCheck): MaybePromise<CheckedInput> {
  const { resource, mode, rule, input, form, decided } = check;
  requireWrites(context, resource);
  const parsed = resource.parse[mode](input, form, decided);
  const value = parsed.row && (resource.codec?.toValue(parsed.row) ?? parsed.row);
  const omitted = mode === "create" ? omittedFields(resource, parsed.row) : [];
  if (omitted.length > 0) return checkOpenInput(context, check, parsed.row as Row, value ?? {}, omitted);
  const decision = decideInput(context, rule, resource, value);
  if (decision instanceof Promise) return checkLater(context, check, parsed, value, decision);
  return checkDecided(context, check, parsed, value, decision);
}

/** The input as the rules see it. */
type SeenInput = Row | Readonly<Record<string, unknown>> | undefined;

async function checkLater(
  context: OperationContext,
  check: InputCheck,
  parsed: Parsed,
  value: SeenInput,
  deciding: Promise<Filter>,
): Promise<CheckedInput> {
  return checkDecided(context, check, parsed, value, await deciding);
}

/** Rejects an input that its rule denies, and then an invalid one. */
function checkDecided(
  context: OperationContext,
  check: InputCheck,
  { row, issues }: Parsed,
  value: SeenInput,
  decision: Filter,
): MaybePromise<CheckedInput> {
  refuseNever(context, decision, check.what);
  if (issues !== undefined) throw invalid(issues);
  const deciding = decideFields(context, check, value);
  return deciding === undefined ? { row, decision } : withFields(row, decision, deciding);
}

async function withFields(row: Row, decision: Filter, deciding: Promise<Filter | undefined>): Promise<CheckedInput> {
  const byFields = await deciding;
  return { row, decision: andFilters(decision, byFields) ?? ALWAYS, byFields };
}

/** Checks an input without the fields that a hook sets. A rule that reads one of them decides after the hook. */
async function checkOpenInput(
  context: OperationContext,
  check: InputCheck,
  row: Row,
  value: NonNullable<SeenInput>,
  omitted: readonly string[],
): Promise<CheckedInput> {
  const { input, isLookedAt } = watchFields(value, omitted);
  const asked = await decideInput(context, check.rule, check.resource, input);
  const decision = isNever(asked) && isLookedAt() ? ALWAYS : asked;
  refuseNever(context, decision, check.what);
  const byFields = await decideFields(context, check, value);
  return { row, decision: andFilters(decision, byFields) ?? ALWAYS, byFields, isOpen: true };
}

export function invalid(issues: readonly Issue[]): BifocalError {
  const errors = issues.length === 1 ? "1 validation error" : `${issues.length} validation errors`;
  return new BifocalError("VALIDATION_FAILED", `The input has ${errors}.`, { issues });
}

/** A read-only store rejects every write in the same way. */
export function requireWrites(context: OperationContext, resource: ResourceModel): void {
  if (context.storeOf(resource.name).capabilities.writes) return;
  const headers = { Allow: "GET, HEAD, OPTIONS" };
  throw new BifocalError("METHOD_NOT_ALLOWED", `${resource.plural} are read-only.`, { headers });
}

/**
 * Evaluates the rules of the given fields. Returns a filter for the rows on which they can be written, which applies to
 * the row before and after the write.
 */
export function decideFields(
  context: OperationContext,
  { resource, input, decided }: Pick<InputCheck, "resource" | "input" | "decided">,
  value: SeenInput,
): Promise<Filter | undefined> | undefined {
  if (resource.writeRuledFields.length === 0) return undefined;
  const ruled = resource.writeRuledFields.filter(
    (field) => isGiven(input, field) || (decided !== undefined && Object.hasOwn(decided, field.name)),
  );
  return ruled.length === 0 ? undefined : checkFieldRules(context, resource, ruled, value);
}

async function checkFieldRules(
  context: OperationContext,
  resource: ResourceModel,
  given: readonly FieldModel[],
  value: SeenInput,
): Promise<Filter | undefined> {
  const issues: Issue[] = [];
  const decisions: Filter[] = [];
  for (const field of given) {
    const decision = await decideInput(context, field.write, resource, value);
    decisions.push(decision);
    if (isNever(decision)) {
      issues.push({
        path: [field.name],
        message: `You are not allowed to write '${field.name}'.`,
        code: "not_writable",
      });
    }
  }
  if (issues.length === 0) return andFilters(...decisions);
  throw new BifocalError("FORBIDDEN", "You are not allowed to write some of these fields.", { issues });
}

function isGiven(input: unknown, { name }: FieldModel): boolean {
  if (typeof input !== "object" || input === null) return false;
  return Object.hasOwn(input, name) && (input as Record<string, unknown>)[name] !== undefined;
}
