import { type Query, RESERVED_PARAMETERS } from "../../definition/queries.ts";
import { listNames } from "../../errors/refuse.ts";
import { kebabCase } from "../../util/kebab-case.ts";
import type { QueryInputModel, QueryModel } from "../model.ts";
import { canBeId } from "./can-be-id.ts";
import type { Draft, Pass, Report } from "./draft.ts";
import { namesOf } from "./names-of.ts";
import { checkMembers, isObject, quoteName, readEntries, readText } from "./read-config.ts";
import { checkOption, resolveRule } from "./resolve-access.ts";
import { resolveInput, resolveOutput } from "./resolve-actions.ts";
import { resolveDeprecation } from "./resolve-deprecation.ts";
import { checkName } from "./resolve-names.ts";

const OPTIONS = namesOf<Query<unknown, unknown, "item" | "collection", unknown, unknown, string, string>>({
  on: true,
  input: true,
  output: true,
  access: true,
  description: true,
  deprecated: true,
  run: true,
});
const EXAMPLE = 'Pass { on: "collection", access: rule, run: (context) => ({ filter: { … } }) }.';

/** Resolves `queries`. Their paths are also used by relations and actions. */
export const resolveQueries: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    const paths = takenPaths(draft);
    for (const [name, query] of readEntries(draft.config["queries"], `${draft.name}.queries`, report)) {
      const at = `${draft.name}.queries.${name}`;
      checkName(name, at, report);
      if (!isObject(query) || typeof query["run"] !== "function") {
        report(at, "Expected a query.", EXAMPLE);
        continue;
      }
      checkMembers(query, OPTIONS, at, report);
      checkOption(query["on"], ["item", "collection"], `${at}.on`, report);
      if (query["on"] === undefined)
        report(`${at}.on`, "The option is missing.", 'Set on: "item" or on: "collection".');
      const on = query["on"] === "item" ? "item" : "collection";
      const segment = kebabCase(name);
      const owner = paths[on].get(segment);
      if (owner !== undefined) report(at, `The ${owner} already uses this path.`, "Rename the query.");
      else paths[on].set(segment, `query '${name}'`);
      if (on === "collection") refuseId(draft, segment, at, report);
      const deprecation = resolveDeprecation(query["deprecated"], `${at}.deprecated`, report);
      draft.queries.set(name, {
        name,
        on,
        input: readInput(name, query["input"], `${at}.input`, report),
        output: resolveOutput(`query ${draft.name}.${name}`, query["output"], `${at}.output`, report),
        access: resolveRule(query["access"], `${at}.access`, report),
        description: readText(query["description"], `${at}.description`, report),
        deprecated: deprecation?.reason,
        deprecation,
        run: query["run"] as QueryModel["run"],
      });
    }
  }
};

type Paths = Map<string, string>;

function takenPaths({ declared, actions }: Draft): Record<QueryModel["on"], Paths> {
  const item: Paths = new Map([...declared.keys()].map((name) => [kebabCase(name), `relation '${name}'`]));
  const collection: Paths = new Map();
  for (const { name, on } of actions.values())
    (on === "item" ? item : collection).set(kebabCase(name), `action '${name}'`);
  return { item, collection };
}

/** `GET /books/trending` must not also be the path of a row. */
function refuseId(draft: Draft, segment: string, at: string, report: Report): void {
  if (!canBeId(draft, segment)) return;
  report(
    at,
    `${quoteName(segment)} could also be the id of a row, because the schema of '${draft.key[0] as string}' accepts it.`,
    'Use a narrower schema for the key, such as z.uuid(), or set on: "item".',
  );
}

function readInput(name: string, schema: unknown, at: string, report: Report): QueryInputModel | undefined {
  const input = resolveInput(`the query '${name}'`, schema, at, report);
  if (input === undefined) return undefined;
  const { type, parse, schema: zod } = input;
  if (type.kind !== "object" || type.nullable) {
    report(at, "The input of a query must be an object, because its members are parameters.", "Use z.object({ … }).");
    return undefined;
  }
  for (const member of type.members) {
    const place = `${at}.${member.name}`;
    if ((RESERVED_PARAMETERS as readonly string[]).includes(member.name)) {
      const fix = `Rename it. Reserved names: ${listNames(RESERVED_PARAMETERS)}.`;
      report(place, `'${member.name}' is a parameter of lists.`, fix);
    } else if (!/^(?!__)[A-Za-z_]\w*$/.test(member.name)) {
      const fix = "Use letters, digits and '_'. A name can't start with a digit or '__'.";
      report(place, `${quoteName(member.name)} is not a valid parameter name.`, fix);
    }
  }
  return { type, parse, schema: zod };
}
