import type { Selection } from "../operation/selection.ts";
import type { Exchange } from "./exchange.ts";
import type { View } from "./formats/format.ts";
import { withKeys } from "./formats/view-rows.ts";
import type { Shape } from "./lower-shape.ts";

/** What a format knows of an answer besides its rows. */
export function createView({ request, target }: Exchange, selection: Selection): View {
  const { model, resource } = target;
  const { prefix, path, query } = request;
  return { model, resource, selection, prefix, url: `${prefix}${path}${query === "" ? "" : `?${query}`}` };
}

/** What to read for an answer: formats write links, so they need the keys of all rows. */
export function readSelection({ format, target }: Exchange, { selection }: Shape): Selection {
  return format === undefined ? selection : withKeys(target.model, target.resource, selection);
}
