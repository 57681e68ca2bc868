import { isBifocalError } from "../../errors/bifocal-error.ts";
import { refuse } from "../../errors/refuse.ts";
import { type ExplainedApi, explainAccess } from "../../explain/explain-access.ts";
import { costOf } from "../../limits/cost.ts";
import type { Caller } from "../../operation/run.ts";
import type { TranslateForConsole } from "../../rest/routes/console.ts";
import { isProduction } from "../../util/is-production.ts";
import type { JsonObject } from "../../util/json.ts";
import type { Translate, Translation, TranslationSource } from "./translation.ts";

/**
 * Creates the function that translates requests for the console. Outside production, the result contains the access
 * rules that decide for the caller.
 */
export function createTranslateForConsole(translate: Translate, apiOf: () => ExplainedApi): TranslateForConsole {
  const explains = !isProduction();
  return async (source, caller) => {
    const api = apiOf();
    const maxCost = api["~http"].limits.query.cost;
    const describe = async (translation: Translation): Promise<JsonObject> => {
      const { operation, rest, graphql, client } = translation;
      const access = explains ? await accessOf(api, caller, translation) : undefined;
      const forms = { rest, graphql, client } as unknown as JsonObject;
      return { ...forms, cost: costOf(operation, api.model), maxCost, ...(access === undefined ? {} : { access }) };
    };
    return Promise.all((await translate(sourceOf(source))).map(describe));
  };
}

async function accessOf(
  api: ExplainedApi,
  { principal }: Caller,
  { operation }: Translation,
): Promise<string | undefined> {
  try {
    return (await explainAccess(api, principal, operation)).text;
  } catch (thrown) {
    if (isBifocalError(thrown) || thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

function sourceOf(value: unknown): TranslationSource {
  const {
    request,
    document,
    variables = {},
  } = (typeof value === "object" && value !== null ? value : {}) as Readonly<Record<string, unknown>>;
  if (typeof request === "string") return request;
  if (typeof document === "string" && typeof variables === "object" && variables !== null)
    return { document, variables: variables as Readonly<Record<string, unknown>> };
  return refuse([], "malformed", "Send `request`, or `document` and `variables`.");
}
