import { FEATURES, featuresOf } from "./features.ts";
import type { RequestKind } from "./requests/request-kind.ts";
import type { SchemaPlan } from "./schema-plan.ts";
import type { Answered } from "./send.ts";

interface Count {
  /** Times that the first request was sent. */
  begun: number;
  /** Times that the last request was sent. It can depend on the response to the one before. */
  sent: number;
  valid: number;
  succeeded: number;
  /** Rejected by a rule, or because a rule hides the row. */
  refused: number;
  /** Cases in which the worlds really had different hidden data and the responses were compared to the last byte. */
  compared: number;
}

const INVALID = new Set([400, 405, 406, 413, 414, 415, 422, 428, 431]);
const REFUSED = new Set([401, 403, 404]);
const INVALID_CODES = /"code":"(BAD_REQUEST|VALIDATION_FAILED|PRECONDITION_REQUIRED|GRAPHQL_\w+)"/;
const REFUSED_CODES = /"code":"(FORBIDDEN|UNAUTHENTICATED|NOT_FOUND)"/;

/** The outcome of a request, from invalid to succeeded. */
export function outcomeOf({ status, text, asked }: Answered): "invalid" | "refused" | "succeeded" | "failed" {
  const isGraphql = asked.includes(" /graphql");
  if (INVALID.has(status) || (isGraphql && INVALID_CODES.test(text))) return "invalid";
  if (REFUSED.has(status) || (isGraphql && REFUSED_CODES.test(text))) return "refused";
  if (isGraphql) return text.includes('"errors":') ? "failed" : "succeeded";
  return status < 300 || status === 304 ? "succeeded" : "failed";
}

/** Counts requests by kind and outcome. */
export function createTally(kinds: readonly RequestKind[]) {
  const counts = new Map(
    kinds.map(({ name }): [string, Count] => [
      name,
      { begun: 0, sent: 0, valid: 0, succeeded: 0, refused: 0, compared: 0 },
    ]),
  );
  const features = new Map<string, number>(FEATURES.map((feature) => [feature, 0]));
  return {
    /** Successful requests in worlds with different hidden data, by feature. */
    features: (): Readonly<Record<string, number>> => Object.fromEntries(features),
    begin({ name }: RequestKind): void {
      const count = counts.get(name);
      if (count !== undefined) count.begun++;
    },
    count({ name }: RequestKind, answered: Answered, isCompared: boolean, plan: SchemaPlan): void {
      const count = counts.get(name);
      if (count === undefined) throw new Error(`Unknown kind of request: ${name}.`);
      const outcome = outcomeOf(answered);
      count.sent++;
      if (outcome !== "invalid") count.valid++;
      if (outcome === "succeeded") count.succeeded++;
      if (outcome === "refused") count.refused++;
      if (isCompared) count.compared++;
      if (isCompared && outcome === "succeeded")
        for (const feature of featuresOf(plan, answered)) features.set(feature, (features.get(feature) ?? 0) + 1);
    },
    /** Kinds with too few successes. */
    shortfalls(): readonly string[] {
      return kinds.flatMap(({ name, valid, succeeds }) => {
        const count = counts.get(name);
        if (count === undefined || count.begun === 0) return [`${name}: none was sent`];
        if (count.sent === 0) return count.begun > FEW ? [`${name}: the last request was never sent`] : [];
        return [
          ...(isTooFew(count.valid, count.sent, valid) ? [`${name}: ${count.valid} of ${count.sent} are valid`] : []),
          ...(isTooFew(count.succeeded, count.sent, succeeds)
            ? [`${name}: ${count.succeeded} of ${count.sent} succeed`]
            : []),
        ];
      });
    },
    print(): string {
      const rows = kinds.map(({ name, valid, succeeds }) => {
        const { sent, valid: passed, succeeded, refused, compared } = counts.get(name) as Count;
        const share = (part: number): string => `${sent === 0 ? 0 : Math.round((part / sent) * 100)} %`;
        return [
          name,
          `${sent}`,
          `${share(passed)} (≥ ${valid * 100})`,
          `${share(succeeded)} (≥ ${succeeds * 100})`,
          share(refused),
          `${compared}`,
        ];
      });
      return table([["request", "sent", "valid", "succeed", "refused by rules", "compared"], ...rows]);
    },
  };
}

/** So few requests can all fail by chance: they come from about four worlds, whose rules can all deny them. */
const FEW = 60;

/**
 * Returns whether a share is too low to be explained by chance. Requests of one world share its schema and rules, so
 * they vary like a quarter as many independent requests.
 */
function isTooFew(count: number, sent: number, share: number): boolean {
  if (count === 0) return sent > FEW;
  return count < sent * share - 5 * Math.sqrt(4 * sent * share * (1 - share));
}

function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0))).join("  "),
    )
    .join("\n");
}
