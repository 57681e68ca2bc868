import type { ActionModel } from "../../../model/model.ts";
import { kebabCase } from "../../../util/kebab-case.ts";
import { type ItemView, rowToJson, rowUrl } from "../format.ts";
import { layout } from "./layout.ts";
import { actionForm } from "./list-page.ts";
import { html, type Markup } from "./markup.ts";
import { eventPanel, requestPanels } from "./panels.ts";
import { labelOf, showField, showRelated } from "./value.ts";
import { toWords } from "./words.ts";
import { fieldInputs, writeForm } from "./write-form.ts";

/** Writes the page of one row: its fields, its relations, and forms for what the caller is allowed to do. */
export async function itemPage(view: ItemView): Promise<string> {
  const { api, model, prefix, resource, row } = view;
  const title = labelOf(row);
  const self = rowUrl(view, row);
  const fields = resource.visibleFields.filter(({ name }) => Object.hasOwn(row.fields, name));
  const main = html`<p class="crumbs"><a href="${prefix}/${resource.path}">${toWords(resource.plural)}</a></p>
<h1 dir="auto">${title}</h1>
${resource.deprecated === undefined ? "" : html`<p class="warning">Deprecated: ${resource.deprecated}</p>`}
<dl class="fields">
${fields.map(
  (field) =>
    html`<div><dt>${toWords(field.name)}${field.deprecated === undefined ? "" : html` <span class="warning">deprecated</span>`}</dt><dd>${showField(view, row, field)}</dd></div>`,
)}
${Object.entries(row.relations).map(([name, related]) => html`<div><dt>${toWords(name)}</dt><dd>${showRelated(view, related)}</dd></div>`)}
</dl>
${relations(view, self)}
${await forms(view, self)}
${eventPanel(self)}
${requestPanels(view, rowToJson(row), "item")}`;
  return layout({ api, model, prefix, title, current: resource.plural, main });
}

function relations({ resource }: ItemView, self: string): Markup {
  if (resource.relations.size === 0) return html``;
  const links = [...resource.relations.keys()].map(
    (name) => html`<li><a href="${self}/${kebabCase(name)}">${toWords(name)}</a></li>`,
  );
  return html`<nav class="relations" aria-label="Relations"><ul>${links}</ul></nav>`;
}

async function forms(view: ItemView, self: string): Promise<Markup> {
  const { resource, row, version } = view;
  const may = await view.may();
  const actions = may.actions.map((action) => actionForm(resource.actions.get(action) as ActionModel, self));
  // Without a version, a change could overwrite another one. The row's own page has the version.
  if (version === undefined) {
    const own = may.update || may.delete ? html`<p><a href="${self}">Open it on its own to edit it</a></p>` : "";
    return html`${own}
${actions}`;
  }
  const inputs = fieldInputs("update", resource, "update", may.unwritable, row.fields);
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
      })
    : "";
  const confirm = `Delete this ${name}?`;
  const deletion = may.delete
    ? writeForm({ id: "delete", label: confirm, button: "Delete", method: "DELETE", url: self, version, confirm })
    : "";
  return html`${update}
${actions}
${deletion}`;
}
