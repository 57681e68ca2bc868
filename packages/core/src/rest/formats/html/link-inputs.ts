import type { RelationModel, ResourceModel } from "../../../model/model.ts";
import { offeredNested } from "../../../model/offered.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { html, type Markup } from "./markup.ts";
import { pickerOf } from "./picker.ts";
import { toWords } from "./words.ts";
import { labelFields, labelOf } from "./value.ts";
import { type FormSite, lineKind } from "./write-form.ts";
import type { ItemView, RowView } from "../format.ts";

/** Returns an input for the links of a new row along each many-to-many relation that accepts them. */
export function newLinkInputs(site: FormSite): readonly Markup[] {
  return linkedRelations(site, "create").map((relation) => {
    const words = toWords(relation.name);
    return linkInput(site, relation, { id: `create-${relation.name}`, words, change: "", url: undefined });
  });
}

/**
 * Returns the inputs for each many-to-many relation of the row at a URL: its links, each with a box to remove it, and an
 * input for links to add. If the row has more links, they are removed with another input.
 */
export async function changedLinkInputs(view: ItemView, self: string): Promise<readonly Markup[]> {
  const inputs = linkedRelations(view, "update").map(async (relation): Promise<readonly Markup[]> => {
    const { name } = relation;
    const words = toWords(name).toLowerCase();
    const { rows, isWhole } = await view.linked(relation, labelNames(view, relation));
    const more = { id: `update-remove-${name}`, words: `Remove ${words}`, change: "remove" } as const;
    return [
      rows.length === 0 ? html`` : linkBoxes(view, relation, rows),
      linkInput(view, relation, { id: `update-add-${name}`, words: `Add ${words}`, change: "add", url: undefined }),
      isWhole ? html`` : linkInput(view, relation, { ...more, url: `${self}/${kebabCase(name)}` }),
    ];
  });
  return (await Promise.all(inputs)).flat();
}

function labelNames({ model }: FormSite, { target }: RelationModel): readonly string[] {
  const far = resourceOf(model, target);
  return labelFields(far)
    .filter(({ name }) => !far.computed.has(name))
    .slice(0, 1)
    .map(({ name }) => name);
}

/** A link is removed if its box isn't checked any more. */
function linkBoxes({ model }: FormSite, { name, target }: RelationModel, rows: readonly RowView[]): Markup {
  const kind = kindOfKey(resourceOf(model, target));
  return html`<fieldset class="field boxes"><legend>${toWords(name)}</legend>
${rows.map((row, at) => {
  const id = `update-link-${name}-${at}`;
  return html`<label class="box"><input type="checkbox" id="${id}" name="f-${name}" value="${decodeURIComponent(row.id)}" data-kind="${kind}" data-change="remove" aria-describedby="${id}-error" checked> <bdi>${labelOf(row)}</bdi></label>
<p class="error" id="${id}-error" hidden></p>
`;
})}</fieldset>`;
}

function linkedRelations({ model, resource }: FormSite, mode: "create" | "update"): readonly RelationModel[] {
  return offeredNested(model, resource, mode).filter(
    ({ kind, target }) => kind === "manyToMany" && resourceOf(model, target).key.length === 1,
  );
}

interface LinkInput {
  readonly id: string;
  readonly words: string;
  readonly change: "add" | "remove" | "";
  /** The list of the rows to choose from. Default: all rows. */
  readonly url: string | undefined;
}

/** The script replaces the lines with the keys by a picker, if the rows have a list and a label. */
function linkInput(site: FormSite, relation: RelationModel, { id, words, change, url }: LinkInput): Markup {
  const target = resourceOf(site.model, relation.target);
  const kind = kindOfKey(target);
  return html`<div class="field">
<label for="${id}">${words} <span class="required" data-lines>one id per line</span></label>
<textarea id="${id}" name="f-${relation.name}" data-kind="${kind}"${change === "" ? "" : html` data-change="${change}"`} rows="3" aria-describedby="${id}-error"${pickerOf(site, target, url)}></textarea>
<p class="error" id="${id}-error" hidden></p>
</div>`;
}

function kindOfKey({ key, fields }: ResourceModel): "lines" | "numbers" {
  const field = fields.get(key[0] as string);
  return (field && lineKind(field.type)) ?? "lines";
}
