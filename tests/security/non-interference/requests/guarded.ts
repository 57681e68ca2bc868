import type { Asked } from "../send.ts";
import type { Situation } from "../situation.ts";
import type { Step } from "./request-kind.ts";

/**
 * A write of a row, often with the version that the caller has read: always if the schema requires it, otherwise
 * sometimes. Some use a wrong version.
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
