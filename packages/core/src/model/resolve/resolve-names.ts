import type { Pass, Draft, RawConfig, Report } from "./draft.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import { readNames, readText, quoteName, suggest } from "./read-config.ts";
import { RESERVED_NAMES } from "../../definition/operators.ts";
import { listNames } from "../../errors/refuse.ts";

/** Path segments that the API itself uses. */
const TAKEN = new Set(["graphql", "docs", "openapi.json", "client.json", "-"]);

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
        "Use one path segment of letters, digits, '-', '.', '_' and '~'. Reserved: graphql, docs, openapi.json, client.json and -.";
      report(`${name}.path`, `'${draft.path}' is not a valid path.`, fix);
    }
    claim("plural", draft.plural, name, "plural");
    claim("path", draft.path, name, "path");
    readText(config["description"], `${name}.description`, report);
  }
};

/** Returns a plural by simple English rules. Set `plural` in the definition for exceptions. */
function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  if (/(s|x|z|ch|sh)$/.test(name)) return `${name}es`;
  return `${name}s`;
}

/** Converts `bookReview` to `BookReview`. */
export function pascalCase(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Resolves the key and the unique groups, and checks the names of fields. */
export const resolveKeys: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    for (const field of draft.schemas.keys()) checkName(field, `${draft.name}.fields.${field}`, report);
    draft.key = readKey(draft, report);
    draft.unique = readUnique(draft, report);
  }
};

/** Checks that a name is valid in REST and GraphQL and isn't a filter operator. */
export function checkName(name: string, at: string, report: Report): void {
  if (RESERVED_NAMES.has(name)) {
    report(
      at,
      `'${name}' is a reserved word of filters.`,
      `Choose another name. Reserved words: ${listNames(RESERVED_NAMES)}.`,
    );
  } else if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith("__") || name === "constructor") {
    report(
      at,
      `'${name}' is not a valid field name.`,
      "Use letters, digits and '_'. A name can't start with a digit or '__'.",
    );
  }
}

/** Returns the names that a config gives as the key, without checking them. */
export function keyNames({ key = "id" }: RawConfig): readonly unknown[] {
  return Array.isArray(key) ? key : [key];
}

function readKey(draft: Draft, report: Report): readonly string[] {
  const { name, schemas, config } = draft;
  const at = `${name}.key`;
  const names = [...schemas.keys()];
  const key = keyNames(config);
  const known = key.filter((field): field is string => {
    if (typeof field === "string" && schemas.has(field)) return true;
    const fix =
      config["key"] === undefined
        ? `Add a field 'id', or set 'key' to another field. ${suggest("", names)}`
        : suggest(field, names);
    report(at, `The key field ${quoteName(field)} doesn't exist.`, fix);
    return false;
  });
  if (key.length === 0) report(at, "The key has no fields.", suggest("", names));
  if (new Set(known).size < known.length) report(at, "The key lists a field twice.", "List each field once.");
  return known;
}

function readUnique({ name, config, schemas }: Draft, report: Report): readonly (readonly string[])[] {
  const unique = config["unique"];
  const at = `${name}.unique`;
  if (unique === undefined) return [];
  if (!Array.isArray(unique)) {
    report(at, "Expected a list.", 'Pass a list of fields or groups of fields: ["slug", ["bookId", "reviewer"]].');
    return [];
  }
  if (unique.some((group: unknown) => Array.isArray(group) && group.length === 0)) {
    report(at, "The group is empty.", "List the fields whose combination must be unique, or remove the group.");
  }
  return unique.map((group: unknown) => readNames(Array.isArray(group) ? group : [group], schemas.keys(), at, report));
}
