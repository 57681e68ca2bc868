import type { FieldModel, ResourceModel } from "../../../model/model.ts";
import { measureValue } from "../../../operation/group.ts";
import { formatId } from "../../../operation/key.ts";
import type { Json } from "../../../util/json.ts";
import type { GroupsView, RowView } from "../format.ts";
import { fieldWords } from "./field-words.ts";
import { formatNumber, formatValue } from "./format-value.ts";
import { layout } from "./layout.ts";
import { pages } from "./list-page.ts";
import { lensPanel } from "./lens-panel.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { referenceIn, storedLabel } from "./reference-labels.ts";
import { showField } from "./value.ts";
import { toWords } from "./words.ts";

/** Writes the groups of an aggregate as a table. */
export async function groupsPage(view: GroupsView, look: PageLook): Promise<string> {
  const { api, model, prefix, resource, path, groups, terms, measures, total } = view;
  const title = `${toWords(resource.plural)} in groups`;
  const rows = await readReferences(view);
  const termHead = (name: string): string =>
    fieldOf(view, name) === undefined ? headOf(name) : fieldWords(view, name);
  const heads = [
    ...terms.map((name) => html`<th scope="col">${termHead(name)}</th>`),
    ...measures.map((name) => html`<th scope="col" class="number">${headOf(name)}</th>`),
  ];
  const body = groups.map(
    (group) => html`<tr>
${terms.map((name) => html`<td data-label="${termHead(name)}">${term(view, rows, name, group.group[name] ?? null)}</td>`)}
${measures.map((name) => html`<td class="number" data-label="${headOf(name)}">${measure(view, name, measureValue(group, name))}</td>`)}
</tr>`,
  );
  const main = html`<h1>${title}</h1>
<p><a href="${prefix}${path}">Show the rows</a></p>
<p class="count">${groups.length.toLocaleString("en")} of ${total.toLocaleString("en")} groups.</p>
<div class="scroll" role="region" aria-label="${title}" tabindex="0">
<table>
<thead><tr>${heads}</tr></thead>
<tbody>${body}</tbody>
</table>
</div>
${pages(view)}`;
  const lens = await lensPanel(view, "groups");
  const principal = view.principal();
  return layout({ api, model, prefix, look, title, current: resource.plural, main, lens, principal });
}

/** `avg.price` → `Avg price`. */
function headOf(name: string): string {
  const [first = "", second] = name.split(".");
  return second === undefined ? toWords(first) : `${toWords(first)} ${toWords(second).toLowerCase()}`;
}

/** The rows that the groups refer to: by the name of the foreign key, and then by their ids. */
type References = ReadonlyMap<string, ReadonlyMap<string, RowView>>;

/** Reads the rows of each foreign key together. */
async function readReferences({ model, resource, terms, groups, referenced }: GroupsView): Promise<References> {
  const read = terms.map(async (name) => {
    const relation = referenceIn(model, resource, name);
    const label = relation && storedLabel(model.resources.get(relation.target) as ResourceModel);
    if (relation === undefined || label === undefined) return [name, new Map()] as const;
    const rows = await referenced(
      relation,
      groups.map(({ group }) => group[name] ?? null),
      [label],
    );
    return [name, new Map(rows.map((row) => [row.id, row]))] as const;
  });
  return new Map(await Promise.all(read));
}

/** Shows a value like in the table of rows, so that a key links to its row. */
function term(view: GroupsView, references: References, name: string, value: Json): Markup {
  const { model, resource } = view;
  const field = fieldOf(view, name);
  if (field === undefined || value === null) return plain(value);
  const isKey = typeof value === "string" || typeof value === "number";
  const relation = referenceIn(model, resource, name);
  const far = relation && (model.resources.get(relation.target) as ResourceModel);
  const row = far && isKey ? references.get(name)?.get(formatId(far, value)) : undefined;
  const relations = relation === undefined || row === undefined ? {} : { [relation.name]: row };
  const id = isKey ? formatId(resource, value) : "";
  return showField(view, { resource, id, fields: { [name]: value }, relations, totals: {}, groups: {} }, field, true);
}

function measure(view: GroupsView, name: string, value: Json): Markup {
  if (typeof value === "number") return formatNumber(value);
  const field = fieldOf(view, name.split(".")[1] ?? "");
  return field === undefined || value === null ? plain(value) : formatValue(value, field);
}

function fieldOf({ resource }: GroupsView, name: string): FieldModel | undefined {
  return resource.visibleFields.find((field) => field.name === name);
}

function plain(value: Json): Markup {
  if (value === null) return html`<span class="empty" title="no value">–</span>`;
  return html`<bdi>${typeof value === "object" ? JSON.stringify(value) : String(value)}</bdi>`;
}
