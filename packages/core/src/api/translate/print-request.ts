import { isBifocalError } from "../../errors/bifocal-error.ts";
import { costOf } from "../../limits/cost.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Model } from "../../model/model.ts";
import type { RequestText, RequestTexts } from "../../rest/formats/format.ts";
import type { PrintRequest } from "../../rest/request/print-request.ts";
import type { GraphqlForm, NotExpressible, RestForm, Translate, Translation } from "./translation.ts";

interface PrintRequestParts {
  readonly translate: Translate;
  readonly model: Model;
  readonly limits: Limits;
}

/** Prints the request of a page in each style. It reads the request again, as `api.translate` does. */
export async function printRequest(
  { translate, model, limits }: PrintRequestParts,
  { method, path, query, prefix, headers }: Parameters<PrintRequest>[0],
  onRejected?: Parameters<PrintRequest>[1],
): Promise<RequestTexts | undefined> {
  if (method !== "GET" && method !== "HEAD") return undefined;
  const prefer = headers["prefer"];
  const url = `${path}?${withoutEmpty(query)}`;
  try {
    const [first] = await translate({ url, ...(typeof prefer === "string" ? { headers: { prefer } } : {}) });
    if (first === undefined) return undefined;
    return { ...textsOf(first, prefix), cost: costOf(first.operation, model), maxCost: limits.query.cost, url };
  } catch (thrown) {
    if (!isBifocalError(thrown)) throw thrown;
    onRejected?.(thrown);
    return undefined;
  }
}

/** Forms send parameters without a value, and pages ignore them. */
function withoutEmpty(query: string): string {
  return query
    .split("&")
    .filter((part) => part.includes("=") && !part.endsWith("="))
    .join("&");
}

function textsOf(
  { rest, graphql, client }: Translation,
  prefix: string,
): Omit<RequestTexts, "cost" | "maxCost" | "url"> {
  return {
    rest: printForm(rest, (form) => restText(form, prefix)),
    graphql: printForm(graphql, graphqlText),
    client: printForm(client, ({ code }) => ({ text: `await ${code}` })),
  };
}

function printForm<Form extends object>(form: Form | NotExpressible, print: (form: Form) => RequestText): RequestText {
  return "reason" in form ? { reason: form.reason } : print(form);
}

function restText({ method, url, body }: RestForm, prefix: string): RequestText {
  const line = `${method} ${prefix}${url}`;
  return { text: body === undefined ? line : `${line}\n\n${JSON.stringify(body, null, 2)}` };
}

function graphqlText({ document, variables }: GraphqlForm): RequestText {
  if (Object.keys(variables).length === 0) return { text: document };
  return { text: document, variables: JSON.stringify(variables, null, 2) };
}
