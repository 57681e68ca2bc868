import type { FieldModel, ResourceModel } from "../model.ts";
import type { Draft, Drafts, Report } from "./draft.ts";
import { quoteName, suggest } from "./read-config.ts";

const MAX_FIELDS = 5;

/** Resolves the searched fields: `title`, or `author.name` along a to-one relation. */
export function resolveSearch(draft: Draft, drafts: Drafts, report: Report): ResourceModel["search"] {
  const at = `${draft.name}.search`;
  const given = draft.config["search"];
  if (given === undefined) return [];
  if (!Array.isArray(given)) {
    report(at, "Expected a list.", 'Pass a list of text fields: ["title", "author.name"].');
    return [];
  }
  if (given.length > MAX_FIELDS)
    report(at, `A search can have at most ${MAX_FIELDS} fields.`, "Remove the least important ones.");
  const paths: ResourceModel["search"][number][] = [];
  for (const [index, name] of given.entries()) {
    const path = readPath(draft, drafts, name, `${at}[${index}]`, report);
    if (path === undefined) continue;
    if (paths.some((other) => other.join(".") === path.join(".")))
      report(`${at}[${index}]`, `${quoteName(name)} appears twice.`, "Remove one of them.");
    else paths.push(path);
  }
  return paths;
}

function readPath(
  draft: Draft,
  drafts: Drafts,
  name: unknown,
  at: string,
  report: Report,
): ResourceModel["search"][number] | undefined {
  const [first = "", second, ...more] = typeof name === "string" ? name.split(".") : [];
  const relation = draft.relations.get(first);
  if (relation === undefined || second === undefined || more.length > 0) {
    const field = second === undefined ? draft.fields.get(first) : undefined;
    if (field !== undefined) return isSearchable(field, at, report) ? [first] : undefined;
    report(at, `Unknown field ${quoteName(name)}.`, suggest(name, namesOf(draft, drafts)));
    return undefined;
  }
  const target = drafts.get(relation.target)?.fields.get(second);
  if (target === undefined) {
    report(at, `Unknown field ${quoteName(name)}.`, suggest(name, namesOf(draft, drafts)));
    return undefined;
  }
  if (relation.many) {
    report(at, `'${first}' leads to many rows.`, "Search fields of this row or of a to-one relation.");
    return undefined;
  }
  return isSearchable(target, at, report) ? [first, second] : undefined;
}

const TEXT: ReadonlySet<string> = new Set(["string", "email", "url"]);

function isSearchable({ name, type, internal }: FieldModel, at: string, report: Report): boolean {
  if (internal) report(at, `'${name}' is internal.`, "Search fields that callers can read.");
  else if (!TEXT.has(type.kind)) report(at, `'${name}' isn't a text field.`, "Search z.string() fields.");
  else return true;
  return false;
}

function namesOf(draft: Draft, drafts: Drafts): readonly string[] {
  const far = [...draft.relations.values()].flatMap(({ name, many, target }) =>
    many ? [] : textsOf(drafts.get(target)).map((field) => `${name}.${field}`),
  );
  return [...textsOf(draft), ...far];
}

function textsOf(draft: Draft | undefined): readonly string[] {
  const fields = [...(draft?.fields.values() ?? [])].filter(({ type, internal }) => TEXT.has(type.kind) && !internal);
  return fields.map(({ name }) => name);
}
