import type { Row } from "../../../model/model.ts";
import { canonicalJson } from "../../../util/canonical-json.ts";

/** Whether a write changed the row. A write without a change emits no event. */
export function hasChanged(before: Row, after: Row): boolean {
  return Object.keys(after).some((name) => {
    const [was, is] = [before[name], after[name]];
    return was !== is && (typeof is !== "object" || canonicalJson(was) !== canonicalJson(is));
  });
}
