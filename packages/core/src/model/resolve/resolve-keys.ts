import { RESERVED_NAMES } from "../../definition/operators.ts";
import { listNames } from "../../errors/refuse.ts";
import type { Draft, Pass, Report } from "./draft.ts";
import { quote, suggest } from "./read-config.ts";

/** Resolves the key and checks the names of fields. */
export const resolveKeys: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    for (const field of draft.schemas.keys()) checkName(field, `${draft.name}.fields.${field}`, report);
    draft.key = readKey(draft, report);
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

function readKey(draft: Draft, report: Report): readonly string[] {
  const { name, schemas, config } = draft;
  const at = `${name}.key`;
  const names = [...schemas.keys()];
  const given = config["key"] ?? "id";
  const key: readonly unknown[] = Array.isArray(given) ? given : [given];
  const known = key.filter((field): field is string => {
    if (typeof field === "string" && schemas.has(field)) return true;
    const fix =
      config["key"] === undefined
        ? `Add a field 'id', or set 'key' to another field. ${suggest("", names)}`
        : suggest(field, names);
    report(at, `The key field ${quote(field)} doesn't exist.`, fix);
    return false;
  });
  if (key.length === 0) report(at, "The key has no fields.", suggest("", names));
  if (new Set(known).size < known.length) report(at, "The key lists a field twice.", "List each field once.");
  return known;
}
