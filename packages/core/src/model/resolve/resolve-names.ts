import type { Pass } from "./draft.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { pluralOf } from "./plural.ts";
import { readText } from "./read-config.ts";

/** Path segments that the API itself uses. */
const TAKEN = new Set(["graphql", "docs", "openapi.json", "-"]);

/** Resolves plurals and paths, which must be unique across resources. */
export const resolveNames: Pass = (drafts, report) => {
  const owners = new Map<string, string>();
  const claim = (kind: string, text: string, name: string, option: string): void => {
    const owner = owners.get(`${kind} ${text}`);
    if (owner === undefined) owners.set(`${kind} ${text}`, name);
    else
      report(
        `${name}.${option}`,
        `The ${kind} '${text}' is already used by '${owner}'.`,
        `Choose another '${option}'.`,
      );
  };
  for (const name of drafts.keys()) owners.set(`name ${name}`, name);
  for (const draft of drafts.values()) {
    const { name, config } = draft;
    draft.plural = readText(config["plural"], `${name}.plural`, report) ?? pluralOf(name);
    if (!/^[a-z][A-Za-z0-9]*$/.test(draft.plural)) {
      report(
        `${name}.plural`,
        `'${draft.plural}' is not a valid plural.`,
        "Use camelCase letters and digits, such as bookReviews.",
      );
    }
    // In GraphQL, the plural and the name are both fields of the query type.
    if (drafts.has(draft.plural)) {
      const problem = `The plural '${draft.plural}' is also the name of a resource.`;
      report(`${name}.plural`, problem, "Set 'plural' to another word, such as allSheep or sheepList.");
    }
    draft.path = readText(config["path"], `${name}.path`, report) ?? kebabCase(draft.plural);
    if (!/^[A-Za-z0-9][A-Za-z0-9._~-]*$/.test(draft.path) || TAKEN.has(draft.path)) {
      const fix =
        "Use one path segment of letters, digits, '-', '.', '_' and '~'. Reserved: graphql, docs, openapi.json and -.";
      report(`${name}.path`, `'${draft.path}' is not a valid path.`, fix);
    }
    claim("plural", draft.plural, name, "plural");
    claim("path", draft.path, name, "path");
    readText(config["description"], `${name}.description`, report);
  }
};
