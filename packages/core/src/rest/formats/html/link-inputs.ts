import type { RelationModel, ResourceModel } from "../../../model/model.ts";
import { offeredNested } from "../../../model/offered.ts";
import { resourceOf } from "../../../model/resource-of.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { html, type Markup } from "./markup.ts";
import { pickerOf } from "./picker.ts";
import { toWords } from "./words.ts";
import { type FormSite, lineKind } from "./write-form.ts";

/** Returns an input for the links of a new row along each many-to-many relation that accepts them. */
export function newLinkInputs(site: FormSite): readonly Markup[] {
  return linkedRelations(site, "create").map((relation) => {
    const words = toWords(relation.name);
    return linkInput(site, relation, { id: `create-${relation.name}`, words, change: "", url: undefined });
  });
}

/** Returns two inputs for each many-to-many relation of the row at a URL: links to add and links to remove. */
export function changedLinkInputs(site: FormSite, self: string): readonly Markup[] {
  return linkedRelations(site, "update").flatMap((relation) => {
    const { name } = relation;
    const words = toWords(name).toLowerCase();
    const linked = `${self}/${kebabCase(name)}`;
    return [
      linkInput(site, relation, { id: `update-add-${name}`, words: `Add ${words}`, change: "add", url: undefined }),
      linkInput(site, relation, {
        id: `update-remove-${name}`,
        words: `Remove ${words}`,
        change: "remove",
        url: linked,
      }),
    ];
  });
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
