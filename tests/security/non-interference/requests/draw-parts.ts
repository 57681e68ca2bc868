import type { Situation } from "../situation.ts";

type Links = readonly number[] | { readonly add?: readonly number[]; readonly remove?: readonly number[] };

/** Links of a row in an update: mostly to tags that the caller sees. */
export function drawLinks({ picks, tags }: Situation): Links {
  const ids = (): number[] => {
    const id = picks.chance(9) ? picks.of(tags)?.id : undefined;
    return [id ?? picks.number(8)];
  };
  if (picks.chance(4)) return picks.chance(5) ? [] : ids();
  return picks.chance(5) ? { add: ids() } : { remove: ids() };
}

interface Children {
  readonly notes: { readonly create?: readonly object[]; readonly delete?: readonly number[] };
  readonly items?: { readonly update: readonly object[] };
}

/** Related rows in an update: mostly those of the row that the caller sees, sometimes those of other rows. */
export function drawChildren({ picks, notes, rows, plan }: Situation, id: number): Children {
  const own = notes.filter(({ rowId }) => rowId === id);
  const note = picks.chance(8) ? picks.of(own) : picks.of(notes);
  const item = picks.chance(8) ? picks.of(rows.filter(({ boxId }) => boxId === id)) : picks.of(rows);
  const changesItem = !plan.requirePrecondition && item !== undefined && picks.chance(5);
  return {
    notes: {
      ...(picks.chance(6) ? { create: [{ text: "d" }] } : {}),
      ...(picks.chance(5) ? { delete: [note?.id ?? picks.number(8)] } : {}),
    },
    ...(changesItem ? { items: { update: [{ id: item.id, size: picks.number(3) }] } } : {}),
  };
}
