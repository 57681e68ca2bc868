import { offeredRelations } from "../../../model/offered.ts";
import type { ListView } from "../format.ts";
import { columnsOf } from "./columns.ts";
import { fieldWords } from "./field-words.ts";
import { html, type Markup } from "./markup.ts";
import { parameterOf, withParameters } from "./url.ts";
import { toWords } from "./words.ts";

interface Choice {
  readonly name: string;
  readonly words: string;
}

/** Links that show and hide columns by `fields`. */
export function columnsMenu(view: ListView): Markup {
  const shown = listOf(view, "fields") ?? columnsOf(view).map(({ name }) => name);
  const choices = view.resource.visibleFields.map(({ name }) => ({ name, words: fieldWords(view, name) }));
  return menu(view, "Columns", "fields", shown, choices);
}

/** Links that add and remove relations by `include`. */
export function includeMenu(view: ListView): Markup {
  const choices = offeredRelations(view.model, view.resource).map(({ name }) => ({ name, words: toWords(name) }));
  return menu(view, "Include", "include", listOf(view, "include") ?? [], choices);
}

function menu(
  view: ListView,
  label: string,
  parameter: string,
  shown: readonly string[],
  choices: readonly Choice[],
): Markup {
  if (choices.length === 0) return html``;
  const links = choices.map(({ name, words }) => {
    const isShown = shown.includes(name);
    const others = isShown ? shown.filter((one) => one !== name) : [...shown, name];
    const url = withParameters(view, { [parameter]: others.join(",") });
    return html`<li><a href="${url}"><span class="tick" aria-hidden="true">${isShown ? "✓" : ""}</span><span class="unseen">${isShown ? "Hide" : "Show"} </span>${words}</a></li>`;
  });
  return html`<details class="menu"><summary>${label}</summary><ul>${links}</ul></details>`;
}

function listOf(view: ListView, parameter: string): readonly string[] | undefined {
  const text = parameterOf(view, parameter);
  return text === undefined || text === "" ? undefined : text.split(",");
}
