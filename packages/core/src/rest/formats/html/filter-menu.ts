import type { RelationModel, ResourceModel } from "../../../model/model.ts";
import { offeredRelations } from "../../../model/offered.ts";
import type { ListView } from "../format.ts";
import { commonInputs, type FilterInput, type FilterSubject, otherInputs } from "./filter-inputs.ts";
import { fieldWords } from "./field-words.ts";
import { html, type Markup } from "./markup.ts";
import { pickerData } from "./picker.ts";
import { keptParameters, withParameters, writeParameters } from "./url.ts";
import { toWords } from "./words.ts";

/** Returns a plain HTML form whose inputs become the filter of the list: each operator of each field, also of related rows. */
export function filterMenu(view: ListView): Markup {
  const { model, resource, prefix, path } = view;
  const own = subjectsOf(resource, (field) => {
    const picker = pickerData(view, resource, field);
    return { prefix: `filter[${field}]`, words: picker ? fieldWords(view, field) : toWords(field), picker };
  });
  const common = own.flatMap((subject) => commonInputs(view, subject));
  const groups = [
    { title: "More operators", inputs: own.flatMap((subject) => otherInputs(view, subject)) },
    ...offeredRelations(model, resource).map((relation) => ({
      title: toWords(relation.name),
      inputs: relatedSubjects(view, relation).flatMap((subject) => commonInputs(view, subject)),
    })),
  ].filter(({ inputs }) => inputs.length > 0);
  const inputs = [...common, ...groups.flatMap((group) => group.inputs)];
  if (inputs.length === 0) return html``;
  const kept = keptParameters(view, new Set(inputs.map(({ name }) => name)));
  return html`<details class="menu filter">
<summary>Filter</summary>
<form method="get" action="${prefix}${path}">
${kept.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${grid(common)}
${groups.map((group) => html`<details><summary>${group.title}</summary>${grid(group.inputs)}</details>`)}
<button>Filter</button> <a href="${withParameters({ ...view, query: writeParameters(kept) }, {})}">Clear</a>
</form>
</details>`;
}

function grid(inputs: readonly FilterInput[]): Markup {
  return html`<div class="grid">${inputs.map(({ markup }) => markup)}</div>`;
}

function subjectsOf(
  { visibleFields }: ResourceModel,
  about: (field: string) => Omit<FilterSubject, "field">,
): readonly FilterSubject[] {
  return visibleFields.filter(({ filterable }) => filterable).map((field) => ({ field, ...about(field.name) }));
}

/** `filter[author.name]` for a single row, `filter[reviews][some][stars]` for several. */
function relatedSubjects({ model }: ListView, { name, many, target }: RelationModel): readonly FilterSubject[] {
  const words = toWords(name);
  return subjectsOf(model.resources.get(target) as ResourceModel, (field) => ({
    prefix: many ? `filter[${name}][some][${field}]` : `filter[${name}.${field}]`,
    words: `${many ? `Some ${words.toLowerCase()}:` : words} ${toWords(field).toLowerCase()}`,
  }));
}
