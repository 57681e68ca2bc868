import type { Pass } from "./draft.ts";

/** What `hasOne` promises the target promises too: otherwise a list sorted along it had a row for each. */
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
