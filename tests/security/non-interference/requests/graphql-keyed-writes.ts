import type { Asked } from "../send.ts";
import type { Situation } from "../situation.ts";
import { document, ifMatch } from "./graphql-document.ts";
import type { RequestKind } from "./request-kind.ts";

/** A create or an update with an idempotency key: in a header, or as an argument. */
function keyedWrite(situation: Situation): Asked {
  const { picks, inputType, toGraphql, globalId, input, changes, allowed, anyId, unique } = situation;
  const isArgument = picks.chance(5);
  const argument = isArgument ? `, idempotencyKey: ${JSON.stringify(unique)}` : "";
  const headers = isArgument ? {} : { "idempotency-key": `"${unique}"` };
  if (picks.chance(5)) {
    const text = `mutation ($input: ${inputType("createRow")}) { createRow(input: $input${argument}) { id color } }`;
    return { ...document(situation, text, { input: toGraphql(input("create")) }), headers };
  }
  const row = allowed("update");
  const text = `mutation ($id: ID!, $input: ${inputType("updateRow")}) { updateRow(id: $id, input: $input${argument}${ifMatch(situation)}) { id size } }`;
  const variables = { id: globalId("Row", row?.id ?? anyId()), input: toGraphql(changes(row ?? {})) };
  return { ...document(situation, text, variables), headers };
}

/** GraphQL writes with an idempotency key. */
export const graphqlKeyedWrites: readonly RequestKind[] = [
  { name: "a mutation with a key", valid: 0.8, succeeds: 0.3, build: (situation) => [keyedWrite(situation)] },
  {
    name: "the same mutation again with its key",
    valid: 0.8,
    succeeds: 0.3,
    weight: 2,
    build: (situation) => {
      const asked = keyedWrite(situation);
      return [asked, () => asked];
    },
  },
  {
    name: "the same mutation by another credential with its key",
    valid: 0.6,
    succeeds: 0.1,
    build: (situation) => {
      const asked = keyedWrite(situation);
      return [{ ...asked, caller: situation.another }, () => asked];
    },
  },
];
