import type { ListView } from "../format.ts";
import { fieldWords } from "./field-words.ts";
import { filterLabel } from "./filter-label.ts";
import { shortenId } from "./format-value.ts";
import { html, type Markup } from "./markup.ts";
import { isOperator, operatorWords } from "./operator-words.ts";
import { allParameters, withParameters } from "./url.ts";
import { toWords } from "./words.ts";

const FILTER = /^filter((?:\[[^[\]]+\])+)$/;

/** Shows each condition of the filter with a link that removes it. */
export function filterChips(view: ListView): Markup {
  const byName = new Map<string, string[]>();
  for (const [name, value] of allParameters(view)) {
    if (value === "" || !name.startsWith("filter[")) continue;
    byName.set(name, [...(byName.get(name) ?? []), value]);
  }
  if (byName.size === 0) return html``;
  const chips = [...byName].map(([name, values]) => {
    const [subject, rest] = conditionOf(view, name, values);
    return html`<li class="chip">${subject} <b><bdi>${rest}</bdi></b> <a href="${withParameters(view, { [name]: "" })}" aria-label="Remove the filter ${subject} ${rest}">×</a></li>`;
  });
  return html`<ul class="chips" aria-label="Filters">${chips}</ul>`;
}

/** `filter[author.name][icontains]=Le` → `Author name`, `contains Le`. Other forms stay as they are. */
function conditionOf(
  view: ListView,
  name: string,
  values: readonly string[],
): readonly [subject: string, condition: string] {
  const shown = values.map((value) => filterLabel(view, name, value) ?? shortenId(value)).join(", ");
  const path = (FILTER.exec(name)?.[1] ?? "").slice(1, -1).split("][");
  const operator = path.pop() ?? "";
  const isNested = path.some((part) => part === "or" || part === "and" || part === "not");
  if (!isOperator(operator) || path.length === 0 || isNested) return [name, `= ${shown}`];
  const [first = "", ...others] = path.flatMap((part) => part.split("."));
  const isLabelled = others.length === 0 && values.some((value) => filterLabel(view, name, value) !== undefined);
  const subject = [
    isLabelled ? fieldWords(view, first) : toWords(first),
    ...others.map((part) => toWords(part).toLowerCase()),
  ].join(" ");
  return [subject, `${operatorWords(operator)} ${shown}`];
}
