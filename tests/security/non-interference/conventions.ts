import { compose, trait } from "@bifocal/core";
import { z } from "zod";
import { asked, toRule } from "../rule-tree.ts";
import type { Rules } from "./rules.ts";
import type { SchemaPlan } from "./schema-plan.ts";

type Config = Readonly<Record<string, unknown>>;
type Members = Readonly<Record<string, unknown>>;

/** The parts of a definition that keep deleted rows and record changes, if the schema has them. */
export function conventionsOf({ hasSoftDelete, hasHistory }: SchemaPlan, rules: Rules) {
  return {
    config: { ...(hasSoftDelete ? { softDelete: "deletedAt" } : {}), ...(hasHistory ? { history: true } : {}) },
    fields: hasSoftDelete ? { deletedAt: z.iso.datetime().nullable() } : {},
    access: {
      ...(hasSoftDelete ? { deleted: asked(toRule(rules.deleted)), restore: asked(toRule(rules.restore, 3)) } : {}),
      ...(hasHistory ? { history: asked(toRule(rules.historyRead, 6)) } : {}),
    },
  };
}

// The parts of a drawn schema are not known at compile time.
const composed = compose as unknown as (...traits: Config[]) => Config;
const partOf = trait as unknown as (part: Config) => Config;

const half = (members: unknown, isFirst: boolean): Members =>
  Object.fromEntries(Object.entries((members ?? {}) as Members).filter((_, at) => at % 2 === (isFirst ? 0 : 1)));

const LISTS = ["filterable", "sortable", "aggregatable", "groupable", "internal", "immutable", "unique", "search"];
const MEMBERS = ["fields", "generated", "relations", "computed", "actions", "queries", "access", "hooks"];

/** Returns the same definition, composed of two traits that share its parts. */
export function throughTraits(config: Config): Config {
  const [first, second]: Record<string, unknown>[] = [{}, {}];
  const others: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(config)) {
    if (MEMBERS.includes(name)) {
      Object.assign(first ?? {}, { [name]: half(value, true) });
      Object.assign(second ?? {}, { [name]: half(value, false) });
    } else if (LISTS.includes(name)) {
      const list = value as readonly unknown[];
      Object.assign(first ?? {}, { [name]: list.slice(0, 1) });
      Object.assign(second ?? {}, { [name]: list.slice(1) });
    } else if (name === "softDelete" || name === "version") Object.assign(first ?? {}, { [name]: value });
    else others[name] = value;
  }
  // Both traits allow reading, so both rules apply.
  const { read } = (config["access"] ?? {}) as Members;
  const shared = { access: { read } };
  return { ...composed(partOf(first ?? {}), partOf(second ?? {}), partOf(shared)), ...others };
}
