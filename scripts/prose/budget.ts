import { AREAS, type Area, type Report } from "./areas.ts";

export interface Counts {
  readonly flagged: number;
  readonly sentences: number;
}

/** The content of scripts/prose-budget.json. */
export interface Budget {
  /** Areas that must stay at or below 1 %. */
  readonly done: readonly Area[];
  /** The figures that the other areas must not exceed. */
  readonly recorded: Readonly<Partial<Record<Area, Counts>>>;
}

const DONE_RATE = 0.01;

export const rateOf = ({ flagged, sentences }: Counts): number => (sentences === 0 ? 0 : flagged / sentences);

export function countsOf({ findings, sentences }: Report, area: Area): Counts {
  return { flagged: findings.filter((finding) => finding.area === area).length, sentences: sentences[area] };
}

/** Returns one message for each area that is above its figure. */
export function findExcesses(report: Report, { done, recorded }: Budget): readonly string[] {
  return AREAS.flatMap((area) => {
    const counts = countsOf(report, area);
    if (area === "titles") {
      const fresh = report.findings.filter((finding) => finding.area === area && !finding.isPast);
      return fresh.length === 0 ? [] : [`titles: reword ${fresh.length} commit titles of this branch.`];
    }
    if (done.includes(area)) {
      return rateOf(counts) <= DONE_RATE
        ? []
        : [`${area}: ${percent(counts)} of sentences are flagged; the limit is 1 %.`];
    }
    const before = recorded[area] ?? { flagged: 0, sentences: 0 };
    // Deleting good sentences raises the rate, and adding good ones raises neither: only both together are worse.
    const isWorse = counts.flagged > before.flagged && rateOf(counts) > rateOf(before);
    return isWorse
      ? [
          `${area}: ${counts.flagged} flagged sentences (${percent(counts)}); it had ${before.flagged} (${percent(before)}).`,
        ]
      : [];
  });
}

/** Lowers the recorded figures to those of a report. Areas that got worse keep theirs. */
export function lowerBudget(report: Report, budget: Budget): Budget {
  const recorded = AREAS.filter((area) => area !== "titles" && !budget.done.includes(area)).map((area) => {
    const counts = countsOf(report, area);
    const before = budget.recorded[area];
    return [area, before === undefined || rateOf(counts) < rateOf(before) ? counts : before] as const;
  });
  return { done: budget.done, recorded: Object.fromEntries(recorded) };
}

export const percent = (counts: Counts): string => `${(rateOf(counts) * 100).toFixed(1)} %`;
