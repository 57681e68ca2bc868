import type { FieldModel } from "../../../model/model.ts";
import type { ListView } from "../format.ts";
import { html, type Markup } from "./markup.ts";
import { keptParameters, parameterOf, withParameters, writeParameters } from "./url.ts";
import { toWords } from "./words.ts";

interface Question {
  readonly name: string;
  readonly label: string;
  readonly input: Markup;
}

/** Returns a plain HTML form whose inputs become the query of the list. */
export function filterForm(view: ListView): Markup {
  const questions = view.resource.visibleFields
    .filter(({ filterable }) => filterable)
    .flatMap((field) => questionsOf(view, field));
  if (questions.length === 0) return html``;
  const asked = new Set(questions.map(({ name }) => name));
  const isUsed = questions.some(({ name }) => (parameterOf(view, name) ?? "") !== "");
  const kept = keptParameters(view, asked);
  return html`<details class="filter"${isUsed ? html` open` : ""}>
<summary>Filter</summary>
<form method="get" action="${view.prefix}${view.path}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<div class="grid">${questions.map(({ label, input }) => html`<label>${label} ${input}</label>`)}</div>
<button>Filter</button> <a href="${withParameters({ ...view, query: writeParameters(kept) }, {})}">Clear</a>
</form>
</details>`;
}

function questionsOf(view: ListView, field: FieldModel): readonly Question[] {
  const words = toWords(field.name);
  const ask = (operator: string, label: string, write: (name: string, value: string) => Markup): Question[] => {
    if (!field.operators.some((known) => known === operator)) return [];
    const name = `filter[${field.name}][${operator}]`;
    return [{ name, label, input: write(name, parameterOf(view, name) ?? "") }];
  };
  const text = (type: string) => (name: string, value: string) =>
    html`<input type="${type}" name="${name}" value="${value}"${type === "number" ? html` step="any"` : ""}>`;
  switch (field.type.kind) {
    case "enum":
      return ask("eq", words, select(field.type.values));
    case "boolean":
      return ask("eq", words, select(["true", "false"]));
    case "number":
    case "integer":
      return [...ask("gte", `${words} from`, text("number")), ...ask("lte", `${words} to`, text("number"))];
    case "date":
      return [...ask("gte", `${words} from`, text("date")), ...ask("lte", `${words} to`, text("date"))];
    case "datetime":
      return [...ask("gte", `${words} from`, text("text")), ...ask("lte", `${words} to`, text("text"))];
    case "string":
      return field.identifies ? ask("eq", words, text("text")) : ask("icontains", `${words} contains`, text("search"));
    case "list":
      return ask("has", `${words} has`, text("text"));
    case "json":
    case "object":
      return [];
    default:
      return ask("eq", words, text("text"));
  }
}

function select(values: readonly string[]): (name: string, chosen: string) => Markup {
  return (name, chosen) =>
    html`<select name="${name}"><option value="">any</option>${values.map(
      (value) => html`<option${value === chosen ? html` selected` : ""}>${value}</option>`,
    )}</select>`;
}
