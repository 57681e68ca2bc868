import type { Situation } from "../situation.ts";
import type { Link } from "../state.ts";

/** A row and a tag to link, or that are linked. Mostly the caller is allowed to. */
export function linkOf({ allowed, anyId, tags, picks, view, state }: Situation, isLinking: boolean): Link {
  const row = allowed("link")?.id;
  const linkable = tags.filter((tag) => view.mayLinkTag(state, tag));
  const linked = state.links.filter(([from, to]) => from === row && linkable.some(({ id }) => id === to));
  const tag = isLinking ? picks.of(linkable)?.id : picks.of(linked)?.[1];
  return [picks.chance(9) ? (row ?? anyId()) : anyId(), (picks.chance(9) ? tag : undefined) ?? picks.number(5)];
}
