import type { Principal } from "../definition/principal.ts";
import type { AccessRow, AccessTable, AccessTableOptions } from "../model/access/access-table.ts";
import { listRights } from "../model/access/rights.ts";
import { askingOf, type ExplainedApi } from "./explain-access.ts";
import { type Decision, explainRight } from "./explain-right.ts";

/**
 * Evaluates every rule of an API for each principal: rows, fields, relations and actions. Rules that read an input are
 * called without it.
 * @example printAccessTable(await accessTable(api, { anonymous: null, ann: { id: "ann", roles: ["editor"] } }))
 */
export async function accessTable(
  { model }: Pick<ExplainedApi, "model">,
  principals: Readonly<Record<string, Principal | null>>,
  { resource: only, kinds }: AccessTableOptions = {},
): Promise<AccessTable> {
  const askings = Object.values(principals).map((principal) => askingOf(model, principal, undefined));
  const rows: AccessRow[] = [];
  for (const resource of model.resources.values()) {
    if (resource.historyOf !== undefined || (only !== undefined && resource.name !== only)) continue;
    for (const right of listRights(model, resource)) {
      if (kinds?.includes(right.kind) === false) continue;
      const decisions: Decision[] = [];
      for (const asking of askings) decisions.push(await explainRight(asking, resource, right));
      const { subject, kind, right: name, isDefault } = right;
      rows.push({
        resource: resource.name,
        subject,
        kind,
        right: name,
        isDefault,
        rules: decisions[0]?.rules.map(({ at, rule }) => `${at} = ${rule}`) ?? [],
        cells: decisions.map(({ answer, where }) => ({ answer, where })),
      });
    }
  }
  return { principals: Object.keys(principals), rows };
}
