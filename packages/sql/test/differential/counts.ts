import type { ResourceModel } from "@bifocal/core/store";
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

function add(counts: Counts, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
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
