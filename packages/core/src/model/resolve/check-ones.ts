import type { Pass } from "./draft.ts";

/**
 * Checks that the target of `hasOne` declares the field as unique. Otherwise, a list sorted by such a relation could
 * contain a row several times.
 */
export const checkOnes: Pass = (drafts, report) => {
  for (const draft of drafts.values()) {
    for (const { name, kind, target, foreign } of draft.relations.values()) {
      if (kind !== "hasOne") continue;
      const { key = [], unique = [] } = drafts.get(target) ?? {};
      if ([key, ...unique].some((group) => group.length === 1 && group[0] === foreign)) continue;
      report(
        `${draft.name}.relations.${name}`,
        `Several rows of '${target}' can have the same '${foreign}', but hasOne allows only one.`,
        `Add unique: ["${foreign}"] to '${target}', or use hasMany.`,
      );
    }
  }
};
