import type { SchemaPlan } from "../schema-plan.ts";
import type { Asked } from "../send.ts";
import type { Situation } from "../situation.ts";
import { kindOf } from "../values.ts";

/** A GraphQL request. */
export function document({ caller }: Situation, query: string, variables: object = {}): Asked {
  return { method: "POST", url: "/graphql", caller, body: { query, variables } };
}

/** Draws a selection of a row, sometimes with fields that a rule may hide. */
export function rowFields({ plan, picks }: Situation): string {
  return [
    "id color",
    ...(picks.chance(5) ? ["size ownerId boxId code"] : []),
    ...(picks.chance(2) ? ["price"] : []),
    ...(picks.chance(4) ? ["box { id color }"] : []),
    ...(picks.chance(4) ? ["items(sort: [COLOR_ASC]) { totalCount nodes { id } }"] : []),
    ...(picks.chance(3) ? ["notes { totalCount nodes { text createdBy } }"] : []),
    ...(plan.hasLinks && picks.chance(4) ? ["tags { totalCount nodes { id color } }"] : []),
    ...(plan.hasVersion && picks.chance(4) ? ["revision"] : []),
    ...(picks.chance(3) ? [drawnSelection(plan)] : []),
  ].join(" ");
}

function drawnSelection({ fields }: SchemaPlan): string {
  return fields.map(({ name, kind }) => `${name} ${kindOf(kind).selection ?? ""}`).join(" ");
}

/** The argument with a required version, if the schema needs it. */
export const ifMatch = ({ plan }: Situation): string => (plan.requirePrecondition ? ', ifMatch: "*"' : "");
