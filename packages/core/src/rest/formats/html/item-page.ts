import type { ActionModel } from "../../../model/model.ts";
import { offeredRelations } from "../../../model/offered.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { type ItemView, rowUrl } from "../format.ts";
import { eventPanel } from "./event-panel.ts";
import { readRelationReferences } from "./group-references.ts";
import { layout } from "./layout.ts";
import { actionForm, actionLink } from "./list-page.ts";
import { lensPanel } from "./lens-panel.ts";
import { html, type Markup } from "./markup.ts";
import type { PageLook } from "./page-options.ts";
import { fieldWords } from "./field-words.ts";
import { referenceIn } from "./reference-labels.ts";
import { queryLinks } from "./query-links.ts";
import { labelOf, showField, showGroups, showRelated } from "./value.ts";
import { toWords } from "./words.ts";
import { changedLinkInputs } from "./link-inputs.ts";
import { fieldInputs, writeForm } from "./write-form.ts";

/** Writes the page of one row: its fields, its relations, and forms for what the caller is allowed to do. */
export async function itemPage(view: ItemView, look: PageLook): Promise<string> {
  const { api, model, prefix, resource, row } = view;
  const title = labelOf(row);
  const self = rowUrl(view, row);
  const fields = resource.visibleFields.filter(({ name }) => Object.hasOwn(row.fields, name));
  // A field that references an embedded row shows this row already.
  const references = new Set(fields.map(({ name }) => referenceIn(model, resource, name)?.name));
  const embedded = view.selection.relations
    .map(({ relation }) => relation)
    .filter((name) => name in row.relations && !references.has(name));
  const { get, list, watch } = resource.operations.rest;
  const crumbs = html`<p class="crumbs"><a href="${prefix}/${resource.path}">${toWords(resource.plural)}</a></p>`;
  const groupReferences = await readRelationReferences(view, [row]);
  const written = await forms(view, self);
  const main = html`${list ? crumbs : ""}
<div class="title"><h1 dir="auto">${title}</h1><div class="actions">${written.links}</div></div>
${resource.deprecated === undefined ? "" : html`<p class="warning">Deprecated: ${resource.deprecated}</p>`}
<dl class="fields">
${fields.map(
  (field) =>
    html`<div><dt>${fieldWords(view, field.name)}${field.deprecated === undefined ? "" : html` <span class="warning">deprecated</span>`}</dt><dd>${showField(view, row, field)}</dd></div>`,
)}
${embedded.map((name) => html`<div><dt>${toWords(name)}</dt><dd>${showRelated(view, row.relations[name], row.totals[name])}</dd></div>`)}
${Object.entries(row.groups).map(([name, groups]) => html`<div><dt>${toWords(name)}</dt><dd>${showGroups(groups, groupReferences.get(name))}</dd></div>`)}
</dl>
${relations(view, self)}
${queryLinks(resource, "item", self)}
${written.forms}
${get && watch ? eventPanel(view, self, fields) : ""}`;
  const lens = await lensPanel(view, "item");
  const principal = view.principal();
  return layout({ api, model, prefix, look, title, current: resource.plural, main, lens, principal });
}

function relations({ model, resource }: ItemView, self: string): Markup {
  const offered = offeredRelations(model, resource);
  if (offered.length === 0) return html``;
  const links = offered.map(({ name }) => html`<li><a href="${self}/${kebabCase(name)}">${toWords(name)}</a></li>`);
  return html`<nav class="relations" aria-label="Relations"><ul>${links}</ul></nav>`;
}

interface Forms {
  /** Links to the forms. */
  readonly links: readonly Markup[];
  readonly forms: Markup;
}

async function forms(view: ItemView, self: string): Promise<Forms> {
  const { prefix, resource, row, version } = view;
  const may = await view.may();
  const actions = may.actions.map((action) => actionForm(view, resource.actions.get(action) as ActionModel, self));
  // Without a version, a change could overwrite another one. The row's own page has the version.
  if (version === undefined) {
    const canOpen = resource.operations.rest.get && (may.update || may.delete);
    const own = canOpen ? html`<p><a href="${self}">Open it on its own to edit it</a></p>` : "";
    return {
      links: [],
      forms: html`${own}
${actions}`,
    };
  }
  const links = may.update ? await changedLinkInputs(view, self) : [];
  const inputs = [...fieldInputs(view, "update", may.unwritable, row), ...links];
  const name = toWords(resource.name).toLowerCase();
  const update = may.update
    ? writeForm({
        id: "update",
        label: `Edit this ${name}`,
        button: "Save",
        method: "PATCH",
        url: self,
        version,
        fields: inputs,
        done: "Saved",
      })
    : "";
  const label = labelOf(row);
  const confirm = `Delete the ${name} “${label}”?`;
  const done = `${toWords(resource.name)} “${label}” deleted`;
  const next = `${prefix}/${resource.operations.rest.list ? resource.path : ""}`;
  const deletion = may.delete
    ? writeForm({
        id: "delete",
        label: `Delete this ${name}`,
        button: "Delete",
        method: "DELETE",
        url: self,
        version,
        confirm,
        done,
        next,
      })
    : "";
  const formLinks = [
    ...may.actions.map(actionLink),
    ...(may.update ? [html`<a class="button plain" href="#update" data-script hidden>Edit</a>`] : []),
  ];
  return {
    links: formLinks,
    forms: html`${update}
${actions}
${deletion}`,
  };
}
