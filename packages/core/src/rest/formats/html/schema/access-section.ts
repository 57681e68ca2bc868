import { describeAccess, type DescribedRight } from "../../../../model/access/describe-access.ts";
import type { ShownAccess } from "../../../schema/shown-access.ts";
import { copyable } from "../lens-panel.ts";
import { html, type Markup } from "../markup.ts";

interface AccessOptions {
  readonly about: string;
  /** Returns the URL of a permission, which shows its rules. Without it, the rules are shown here. */
  readonly urlOf?: (right: DescribedRight) => string | undefined;
}

/** Shows who is allowed to do what, in the words of `bifocal access`. */
export function accessSection({ table, command }: ShownAccess, { about, urlOf }: AccessOptions): Markup {
  const { principals } = table;
  const { lines, notes, inherited } = describeAccess(table);
  const rules = urlOf === undefined ? [...new Set(lines.flatMap(({ row }) => row.rules))] : [];
  const heads = principals.map((principal) => html`<th scope="col"><bdi>${principal}</bdi></th>`);
  const rowOf = (line: DescribedRight): Markup => html`<tr>
<td>${urlOf === undefined ? permissionWithRules(line, rules) : permissionLink(line, urlOf(line))}</td>
${line.cells.map((cell, at) => html`<td data-label="${principals[at]}"${cell.startsWith("no") ? html` class="denied"` : ""}>${decision(cell)}</td>`)}
</tr>`;
  const groups = [...new Set(lines.map(({ row }) => row.resource))].map(
    (resource) => html`<tbody>${lines.filter(({ row }) => row.resource === resource).map(rowOf)}</tbody>`,
  );
  return html`<h2 id="access">Access</h2>
<p class="about">${about}</p>
<div class="scroll" role="region" aria-label="Access" tabindex="0">
<table class="access">
<thead><tr><th scope="col">Permission</th>${heads}</tr></thead>
${groups}
</table>
</div>
${inherited === undefined ? "" : html`<p class="note">${inherited}</p>`}
${notes.length === 0 ? "" : html`<ol class="filters">${notes.map((note, at) => html`<li id="where-${at + 1}">[${at + 1}] <code>${note}</code></li>`)}</ol>`}
${rules.length === 0 ? "" : html`<h3>Rules</h3><ul class="filters">${rules.map((rule, at) => html`<li id="rule-${at + 1}"><code>${rule}</code></li>`)}</ul>`}
<p class="note">The same table in a terminal:</p>
${copyable("The command that prints the table", html`<code>${command}</code>`)}`;
}

function permissionLink({ right }: DescribedRight, url: string | undefined): Markup {
  return url === undefined ? html`<b>${right}</b>` : html`<a href="${url}">${right}</a>`;
}

/** Names the rules, all of which must allow. Their text is below the table, because many permissions share a rule. */
function permissionWithRules({ right, row }: DescribedRight, rules: readonly string[]): Markup {
  const links = row.rules.map((rule) => {
    const [name = rule] = rule.split(" = ");
    return html`<li><a href="#rule-${rules.indexOf(rule) + 1}"><code>${breakable(name)}</code></a></li>`;
  });
  return html`<b>${right}</b><ul class="rules">${links}</ul>`;
}

/** Lets a long name break after its dots. */
function breakable(name: string): Markup {
  return html`${name.split(/(?<=\.)/).map((part, at) => html`${at === 0 ? "" : html`<wbr>`}${part}`)}`;
}

/** Filters link to their text below the table. */
function decision(cell: string): Markup {
  const [, number] = /^where \[(\d+)\]$/.exec(cell) ?? [];
  return number === undefined ? html`${cell}` : html`<a href="#where-${number}">${cell}</a>`;
}
