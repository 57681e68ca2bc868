import type { EventDraft } from "../../events/change-event.ts";
import type { Model, Row } from "../../model/model.ts";

/** Removes secret fields from changes. Logs and buses have other readers than the rows. */
export function withoutSecrets(model: Model, drafts: readonly EventDraft[]): readonly EventDraft[] {
  const secretsOf = ({ resource }: EventDraft): readonly string[] => model.resources.get(resource)?.secretFields ?? [];
  if (drafts.every((draft) => secretsOf(draft).length === 0)) return drafts;
  return drafts.map((draft) => {
    const strip = (row: Row): Row =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !secretsOf(draft).includes(name)));
    const { before, after } = draft;
    return { ...draft, ...(before && { before: strip(before) }), ...(after && { after: strip(after) }) };
  });
}
