import { DEFAULT_LIMITS } from "../limits/limits.ts";
import type { Report } from "../model/resolve/draft.ts";
import { checkMembers, isObject, quoteName, suggest } from "../model/resolve/read-config.ts";
import { DefinitionError, type DefinitionMistake } from "../errors/definition-error.ts";
import { kindOf } from "../util/check-call.ts";
import { API, INFO, ORIGINS_FIX } from "./api-option-kinds.ts";
import { checkKind, checkKinds, group, type OptionKind } from "./option-kind.ts";

const LIMIT: OptionKind = {
  expected: "a number",
  fix: "Pass a number, or Infinity for no limit.",
  accepts: (value) => typeof value === "number" && !Number.isNaN(value),
};

/** Rejects invalid options, for callers without type checking. Throws a `DefinitionError` that lists all mistakes. */
export function checkOptions(options: unknown): void {
  const mistakes: DefinitionMistake[] = [];
  const report = (at: string, problem: string, fix: string): void => void mistakes.push({ at, problem, fix });
  if (!isObject(options)) {
    report("defineApi", `Expected an object; received ${kindOf(options)}.`, "Pass { resources: [author, book] }.");
    throw new DefinitionError(mistakes);
  }
  const { resources, limits, cors } = options;
  const moved = Object.keys(options).filter((name) => Object.hasOwn(INFO, name));
  for (const name of moved)
    report(`defineApi.${name}`, `Unknown option ${quoteName(name)}.`, `Write info: { ${name} }.`);
  checkMembers(options, ["resources", ...Object.keys(API), ...moved], "defineApi", report);
  if (!Array.isArray(resources)) {
    const problem = `Expected a list; received ${kindOf(resources)}.`;
    report("resources", problem, "Pass a list of resources from defineResource(): [author, book].");
  }
  checkKinds(API, options, report);
  if (isObject(limits)) checkLimits(limits, report);
  if (isObject(cors) && cors["origins"] === undefined) report("cors.origins", "The origins are missing.", ORIGINS_FIX);
  if (mistakes.length > 0) throw new DefinitionError(mistakes);
}

function checkLimits(limits: object, report: Report): void {
  for (const name of Object.keys(limits)) {
    if (name in DEFAULT_LIMITS) continue;
    const owner = Object.entries(DEFAULT_LIMITS).find(([, members]) => name in members)?.[0];
    const fix =
      owner === undefined ? suggest(name, Object.keys(DEFAULT_LIMITS)) : `Write limits: { ${owner}: { ${name} } }.`;
    report(`limits.${name}`, `Unknown group of limits ${quoteName(name)}.`, fix);
  }
  for (const [name, standard] of Object.entries(DEFAULT_LIMITS)) {
    const members = (limits as Readonly<Record<string, unknown>>)[name];
    if (members === undefined) continue;
    const names = Object.keys(standard);
    const kinds = Object.fromEntries(names.map((limit) => [limit, LIMIT]));
    checkKind(group(`Pass limits by name: { ${names[0]}: … }.`, kinds), members, `limits.${name}`, report);
  }
}
