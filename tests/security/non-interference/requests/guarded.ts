import type { Asked } from "../send.ts";
import type { Situation } from "../situation.ts";
import type { Step } from "./request-kind.ts";

/**
 * A write of a row, often only of the version that the caller has read: always where the schema demands that, and else
 * sometimes, also of a version that is not the row's.
 */
export function guarded({ plan, picks, caller }: Situation, id: number, asked: Asked): readonly Step[] {
  if (!plan.requirePrecondition && picks.chance(7)) return [asked];
  const read: Asked = { method: "GET", url: `/rows/${id}`, caller };
  const isStale = picks.chance(1);
  return [
    read,
    ({ headers }) => {
      const ifMatch = isStale ? '"another"' : (headers["ETag"] ?? "*");
      return { ...asked, headers: { ...asked.headers, "if-match": ifMatch } };
    },
  ];
}
