import type { Asked } from "../send.ts";
import type { Situation } from "../situation.ts";
import { drawFilter, drawSearch, filterText } from "./rest-reads.ts";
import { hasBulkDelete } from "../schema-plan.ts";
import type { RequestKind } from "./request-kind.ts";

/** A write whose result may be stored: a create, a patch or an action. */
function keptWrite({ picks, caller, input, allowed, anyId, changes, plan, unique }: Situation): Asked {
  const headers = { "idempotency-key": `"${unique}"` };
  const row = allowed("update");
  const id = row?.id ?? anyId();
  switch (plan.requirePrecondition ? 0 : picks.number(4)) {
    case 1:
      return { method: "PATCH", url: `/rows/${id}`, caller, body: changes(row ?? {}), headers };
    case 2:
      return { method: "POST", url: `/rows/${allowed("act")?.id ?? id}/mark`, caller, body: { size: 1 }, headers };
    default:
      return { method: "POST", url: "/rows", caller, body: input("create"), headers };
  }
}

/** A filter of a few rows that the caller may write, or a search. */
function bulkCondition(situation: Situation, rule: "update" | "remove"): string {
  const { picks, allowed, free } = situation;
  const row = rule === "remove" ? free() : allowed("update");
  const filter = picks.chance(7) && row !== undefined ? `filter[id]=${row.id}` : filterText(drawFilter(situation));
  if (!picks.chance(2)) return filter;
  const search = `q=${encodeURIComponent(drawSearch(situation))}`;
  return picks.chance(5) ? `${filter}&${search}` : search;
}

/** REST bulk writes, and writes with an idempotency key. */
export const restSpecialWrites: readonly RequestKind[] = [
  {
    name: "POST of several rows",
    valid: 0.8,
    succeeds: 0.4,
    build: ({ caller, input }) => {
      const [one, other] = [input("create"), input("create")];
      const { code: _, ...second } = other;
      const more = "id" in second ? { ...second, id: (second["id"] as number) + 1_000 } : second;
      return [{ method: "POST", url: "/rows", caller, body: [one, more] }];
    },
  },
  {
    name: "PATCH by a filter",
    valid: 0.8,
    succeeds: 0.4,
    isIn: ({ requirePrecondition }) => !requirePrecondition,
    build: (situation) => {
      const { caller, changes, picks } = situation;
      const { code: _, ...body } = changes({});
      const headers = picks.chance(4) ? { prefer: "return=representation" } : {};
      return [{ method: "PATCH", url: `/rows?${bulkCondition(situation, "update")}`, caller, body, headers }];
    },
  },
  {
    name: "DELETE by a filter",
    valid: 0.8,
    succeeds: 0.4,
    isIn: hasBulkDelete,
    build: (situation) => [
      { method: "DELETE", url: `/rows?${bulkCondition(situation, "remove")}`, caller: situation.caller },
    ],
  },
  {
    name: "a write with an Idempotency-Key",
    valid: 0.8,
    succeeds: 0.4,
    build: (situation) => [keptWrite(situation)],
  },
  {
    name: "the same again with its Idempotency-Key",
    valid: 0.8,
    succeeds: 0.4,
    weight: 2,
    build: (situation) => {
      const asked = keptWrite(situation);
      return [asked, () => asked];
    },
  },
  {
    name: "the same by another credential with its Idempotency-Key",
    valid: 0.6,
    succeeds: 0.1,
    weight: 2,
    build: (situation) => {
      const asked = keptWrite(situation);
      return [{ ...asked, caller: situation.another }, () => asked];
    },
  },
];
