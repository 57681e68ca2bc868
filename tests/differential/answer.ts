import type { Api, AnyResource, Principal } from "@bifocal/core";
import { graphql, type GraphQLError } from "graphql";
import type { Asked } from "./document.ts";

export interface Answer {
  readonly data: string;
  readonly errors: readonly string[];
}

/** The text of a successful response. Errors of concurrent fields can be in any order. */
export function toAnswer(text: string): Answer {
  const { data, errors = [] } = JSON.parse(text) as { readonly data: unknown; readonly errors?: readonly object[] };
  if (errors.length === 0) return { data: text, errors: [] };
  return { data: JSON.stringify(data), errors: errors.map(print).toSorted() };
}

/** Each request has its own id. */
function print(error: object): string {
  return JSON.stringify(error, (key, value: unknown) => (key === "requestId" ? "" : value));
}

function withCode(error: GraphQLError): object {
  const { extensions, ...rest } = error.toJSON();
  return { ...rest, extensions: { code: "INTERNAL", ...extensions } };
}

/** The response of graphql-js with the same resolvers. */
export async function askGraphqlJs<All extends AnyResource>(
  api: Api<All>,
  { query, variables }: Asked,
  principal: Principal | null,
): Promise<Answer> {
  const contextValue = api.graphql.context(principal);
  const result = await graphql({ schema: api.graphql.schema, source: query, variableValues: variables, contextValue });
  const errors = result.errors?.map(withCode);
  return toAnswer(JSON.stringify({ ...(errors === undefined ? {} : { errors }), data: result.data }));
}

/** If an error leaves no data, graphql-js reports only the errors found so far, and a plan reports all of them. */
export function comparable(answer: Answer, expected: Answer): Answer {
  if (expected.data !== "null") return answer;
  return { ...answer, errors: answer.errors.filter((one) => expected.errors.includes(one)) };
}
