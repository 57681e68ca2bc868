import type { ResourceModel } from "@bifocal/core/store";
import type { ApiCall, ApiTransaction } from "./api-steps.ts";
import type { Crossing } from "./crossings.ts";
import type { Said } from "./run-step.ts";
import type { Step } from "./steps.ts";

/** How many calls of each kind returned something. */
export type Counts = Map<string, number>;

/** Counts a call, and the conventions that it used. */
export function countStep(counts: Counts, resourceOf: (name: string) => ResourceModel, step: Step, said: Said): void {
  if (step.kind === "transaction") {
    const all = Array.isArray(said) ? said : [];
    for (const [at, inner] of step.steps.slice(0, all.length).entries()) countStep(counts, resourceOf, inner, all[at]);
    add(counts, said === "rolled back" ? "transaction rolled back" : "transaction");
    return;
  }
  const outcome = outcomeOf(step, said);
  if (outcome === undefined) return;
  const { softDelete } = resourceOf(step.of);
  const name = `${step.kind}${outcome}`;
  add(counts, name);
  const text = JSON.stringify(step);
  if (text.includes('"hasWord')) add(counts, `${name} with search`);
  if (text.includes("~relevance")) add(counts, `${name} by relevance`);
  if (softDelete !== undefined && text.includes(softDelete)) add(counts, `${name} with soft delete`);
  if (text.includes('"quantifier"')) add(counts, `${name} with relations`);
}

/** Counts a call of an API: if it succeeded, or if it named rows of another tenant. */
export function countApiStep(
  counts: Counts,
  { tenant, history, softDelete }: ResourceModel,
  { kind }: ApiCall,
  said: Said,
  crossings: readonly Crossing[],
): void {
  for (const crossing of crossings) add(counts, `${kind} names a ${crossing} of another tenant`);
  if (said !== null && hasMember(said, "code")) return add(counts, `${kind} rejected`);
  if (said === null && kind === "get") return;
  add(counts, `${kind}`);
  const text = JSON.stringify(said);
  if (tenant !== undefined) add(counts, `${kind} with tenant`);
  if (/"(created|updated)By":"\w/.test(text)) add(counts, `${kind} with principal`);
  if (history !== undefined && text.includes('"changes":[{')) add(counts, `${kind} with entries`);
  if (softDelete !== undefined && text.includes(`"${softDelete}":"a time"`)) add(counts, `${kind} with deleted rows`);
}

const READS: ReadonlySet<ApiCall["kind"]> = new Set(["get", "list", "count", "history"]);

/** Counts a transaction of an API: if it was committed with changes, rejected or rolled back. */
export function countTransaction(counts: Counts, { calls }: ApiTransaction, said: Said): void {
  if (said === "rolled back") add(counts, "transaction rolled back");
  else if (!Array.isArray(said)) add(counts, "transaction rejected");
  else if (calls.some(({ kind }) => !READS.has(kind))) add(counts, "transaction with changes");
}

export function add(counts: Counts, name: string, number = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + number);
}

/** Returns what followed; `undefined` for a call that found nothing. */
function outcomeOf({ kind }: Step, said: Said): string | undefined {
  if (said === "conflict" || hasMember(said, "conflict")) return ", conflict";
  if (hasMember(said, "code")) return undefined;
  switch (kind) {
    case "update":
    case "delete": {
      const result = (said as { readonly kind: string }).kind;
      return result === "absent" ? undefined : result === "done" ? "" : `, ${result}`;
    }
    case "list":
      return (said as { readonly rows: readonly unknown[] }).rows.length > 0 ? "" : undefined;
    case "listPer":
      return (said as readonly { readonly rows: readonly unknown[] }[]).some(({ rows }) => rows.length > 0)
        ? ""
        : undefined;
    case "link":
    case "unlink":
      return said === true ? "" : undefined;
    default:
      return Array.isArray(said) && said.flat().length > 0 ? "" : undefined;
  }
}

function hasMember(said: Said, name: string): boolean {
  return typeof said === "object" && said !== null && name in said;
}
