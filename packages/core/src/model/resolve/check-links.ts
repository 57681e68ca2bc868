import type { ManyToMany } from "../../definition/relations.ts";
import type { RelationModel } from "../model.ts";
import type { Pass } from "./draft.ts";
import { defaultLinkTable } from "./link-table.ts";

/** Checks that relations over the same link table agree about its columns, and that both sides name the same table. */
export const checkLinks: Pass = (drafts, report) => {
  checkColumns(drafts, report);
  checkShared(drafts, report);
  for (const draft of drafts.values()) {
    for (const relation of draft.relations.values()) {
      const { source, target, through } = relation;
      const isDefault = through?.name === defaultLinkTable(source, target);
      const back = [...(drafts.get(target)?.relations.values() ?? [])].filter(
        (other) => other.source !== source && other.through !== undefined && other.target === source,
      );
      if (!isDefault || back.length === 0 || back.some((other) => other.through?.name === through.name)) continue;
      report(
        `${draft.name}.relations.${relation.name}`,
        `This relation stores its links in '${through.name}', but the opposite relation '${target}.${back[0]?.name}' uses '${back[0]?.through?.name}', so neither side sees the other's links.`,
        `Use the same link table here: { through: "${back[0]?.through?.name}" }.`,
      );
    }
  }
};

function checkColumns(drafts: Parameters<Pass>[0], report: Parameters<Pass>[1]): void {
  const tables = new Map<string, RelationModel>();
  for (const draft of drafts.values()) {
    for (const relation of draft.relations.values()) {
      if (relation.through === undefined) continue;
      const first = tables.get(relation.through.name);
      if (first === undefined) tables.set(relation.through.name, relation);
      else if (columnsOf(first) !== columnsOf(relation)) {
        report(
          `${draft.name}.relations.${relation.name}`,
          `'${first.source}.${first.name}' uses the link table '${relation.through.name}' with different columns.`,
          "Swap 'from' and 'to' on one side, or set 'through' to give each relation its own table.",
        );
      }
    }
  }
}

/**
 * Reports two relations of a resource that share a link table without naming it explicitly: each link would appear in
 * both.
 */
function checkShared(drafts: Parameters<Pass>[0], report: Parameters<Pass>[1]): void {
  for (const { name, declared, relations } of drafts.values()) {
    const links = [...relations.values()].filter(({ through }) => through !== undefined);
    const isNamed = (relation: RelationModel): boolean =>
      (declared.get(relation.name) as ManyToMany | undefined)?.through !== undefined;
    for (const [index, relation] of links.entries()) {
      const { through, target } = relation;
      const first = links
        .slice(0, index)
        .find(
          (other) =>
            other.target === target &&
            other.through?.name === through?.name &&
            other.through?.from.join() === through?.from.join(),
        );
      if (first === undefined || (isNamed(first) && isNamed(relation))) continue;
      report(
        `${name}.relations.${relation.name}`,
        `The relation shares the link table '${through?.name}' with '${first.name}', so both relations always have the same links.`,
        `Give this relation its own link table: { through: "${name}_${relation.name}" }.`,
      );
    }
  }
}

/** Describes which column holds the key of which resource. */
function columnsOf({ source, target, through }: RelationModel): string {
  return [`${through?.from.join()} of ${source}`, `${through?.to.join()} of ${target}`].sort().join();
}

/**
 * Checks that the target of `hasOne` declares the field as unique. Otherwise, a list sorted by such a relation could
 * contain a row several times.
 */
export const checkOnes: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    for (const { name, kind, target, foreign } of draft.relations.values()) {
      if (kind !== "hasOne") continue;
      const { key = [], unique = [] } = drafts.get(target) ?? {};
      if ([key, ...unique].some((group) => isSameSet(group, foreign))) continue;
      const names = foreign.map((field) => `"${field}"`).join(", ");
      report(
        `${draft.name}.relations.${name}`,
        `Several rows of '${target}' can have the same '${foreign.join(", ")}', but hasOne allows only one.`,
        `Add unique: [${foreign.length > 1 ? `[${names}]` : names}] to '${target}', or use hasMany.`,
      );
    }
  }
};

function isSameSet(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name) => other.includes(name));
}
