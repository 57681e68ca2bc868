import { OPERATORS, type Operator } from "../../../definition/operators.ts";
import type { FieldModel } from "../../../model/model.ts";
import type { ListView } from "../format.ts";
import { filterLabel } from "./filter-label.ts";
import { html, type Markup } from "./markup.ts";
import { operatorWords } from "./operator-words.ts";
import { parameterOf, parametersOf } from "./url.ts";

/** An input of the filter form, which becomes a parameter. */
export interface FilterInput {
  readonly name: string;
  readonly markup: Markup;
}

/** The field of an input: its type, how its parameters start, and what people call it. */
export interface FilterSubject {
  readonly field: FieldModel;
  /** `filter[price]` or `filter[author.name]`. */
  readonly prefix: string;
  readonly words: string;
  /** Attributes that make the input for equal keys a picker of the referenced row. */
  readonly picker?: Markup | undefined;
}

/** Returns the inputs that most people need: a choice, a range, or a text to search for. */
export function commonInputs(view: ListView, subject: FilterSubject): readonly FilterInput[] {
  const { words } = subject;
  return commonOperators(subject).map(([operator, label]) =>
    inputOf(view, subject, operator, label === "" ? words : `${words} ${label}`),
  );
}

/** Returns an input for each other operator of the field. Ranges have two inputs, so `between` has none. */
export function otherInputs(view: ListView, subject: FilterSubject): readonly FilterInput[] {
  const { field, words } = subject;
  const common = new Set(commonOperators(subject).map(([operator]) => operator));
  return field.operators
    .filter((operator) => !common.has(operator) && isOneInput(field, operator))
    .map((operator) => inputOf(view, subject, operator, `${words} ${operatorWords(operator)}`));
}

/** Lists of values can only be chosen from the values of an enum. */
function isOneInput({ type }: FieldModel, operator: Operator): boolean {
  const { operand } = OPERATORS[operator];
  return operand !== "pair" && (operand !== "list" || type.kind === "enum");
}

function commonOperators({ field, picker }: FilterSubject): readonly (readonly [operator: Operator, label: string])[] {
  const offered = (...wanted: readonly (readonly [Operator, string])[]): readonly (readonly [Operator, string])[] =>
    wanted.filter(([operator]) => field.operators.includes(operator));
  if (picker !== undefined) return offered(["eq", ""]);
  switch (field.type.kind) {
    case "number":
    case "integer":
    case "decimal":
    case "date":
    case "datetime":
      return offered(["gte", "from"], ["lte", "to"]);
    case "string":
      return field.identifies ? offered(["eq", ""]) : offered(["icontains", "contains"]);
    case "list":
      return offered(["has", "has"]);
    case "json":
    case "object":
      return [];
    default:
      return offered(["eq", ""]);
  }
}

function inputOf(
  view: ListView,
  { field, prefix, picker }: FilterSubject,
  operator: Operator,
  label: string,
): FilterInput {
  const name = `${prefix}[${operator}]`;
  const value = parameterOf(view, name) ?? "";
  const { operand } = OPERATORS[operator];
  const { type } = field;
  if (operand === "list" && type.kind === "enum") {
    const chosen = parametersOf(view, name);
    const boxes = type.values.map(
      (one) =>
        html`<label class="box"><input type="checkbox" name="${name}" value="${one}"${chosen.includes(one) ? html` checked` : ""}> ${one}</label>`,
    );
    return { name, markup: html`<fieldset class="boxes"><legend>${label}</legend>${boxes}</fieldset>` };
  }
  if (picker !== undefined && (operator === "eq" || operator === "ne")) {
    const shown = filterLabel(view, name, value);
    const input = html`<input type="text" id="${name}" name="${name}" value="${value}"${picker}${shown === undefined ? "" : html` data-shown="${shown}"`}>`;
    return { name, markup: html`<div class="field"><label for="${name}">${label}</label>${input}</div>` };
  }
  const choices =
    operand === "flag" || type.kind === "boolean" ? ["true", "false"] : type.kind === "enum" ? type.values : undefined;
  const control =
    choices === undefined
      ? html`<input type="${inputType(type.kind)}" name="${name}" value="${value}"${type.kind === "number" ? html` step="any"` : ""}>`
      : select(name, choices, value);
  return { name, markup: html`<label>${label} ${control}</label>` };
}

function inputType(kind: string): string {
  if (kind === "number" || kind === "integer") return "number";
  if (kind === "date") return "date";
  return kind === "string" ? "search" : "text";
}

function select(name: string, values: readonly string[], chosen: string): Markup {
  const options = values.map((value) => html`<option${value === chosen ? html` selected` : ""}>${value}</option>`);
  return html`<select name="${name}"><option value="">any</option>${options}</select>`;
}
