import type { Principal } from "../definition/principal.ts";
import { askingOf, type ExplainedApi } from "./explain-access.ts";
import { type Decision, explainRight } from "./explain-right.ts";
import { type Right, listRights } from "./rights.ts";

/** One right on a resource, with the decision for each principal. */
export interface AccessRow extends Pick<Right, "subject" | "kind" | "right" | "isDefault"> {
  readonly resource: string;
  /** The rules that decide, as source text. */
  readonly rules: readonly string[];
  /** One for each principal, in the order of the table. */
  readonly cells: readonly AccessCell[];
}

export interface AccessCell extends Pick<Decision, "answer"> {
  /** The rows that the decision covers. */
  readonly where: string;
}

/** The rights of several principals on all resources. */
export interface AccessTable {
  readonly principals: readonly string[];
  readonly rows: readonly AccessRow[];
}

/**
 * Evaluates every rule of an API for each principal: rows, fields, relations and actions. Rules that read an input are
 * called without it.
 * @example printAccessTable(await accessTable(api, { anonymous: null, ann: { id: "ann", roles: ["editor"] } }))
 */
export async function accessTable(
  { model }: ExplainedApi,
  principals: Readonly<Record<string, Principal | null>>,
): Promise<AccessTable> {
  const askings = Object.values(principals).map((principal) => askingOf(model, principal, undefined));
  const rows: AccessRow[] = [];
  for (const resource of model.resources.values()) {
    if (resource.historyOf !== undefined) continue;
    for (const right of listRights(model, resource)) {
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
