import { isBifocalError } from "../../errors/bifocal-error.ts";
import { type ExplainedApi, explainAccess } from "../../explain/explain-access.ts";
import { explainSql, type RunnableApi } from "../../explain/explain-sql.ts";
import type { Caller } from "../../operation/run.ts";
import type { JsonObject } from "../../util/json.ts";
import type { Translation } from "./translation.ts";

/** The parts of an explanation that a request for a translation asks for. */
export interface WantedParts {
  readonly access: boolean;
  readonly sql: boolean;
}

/** Explains an operation to developers: the access rules that decide for the caller, and the statements of a read. */
export async function explainTranslation(
  api: ExplainedApi & RunnableApi,
  caller: Caller,
  { operation }: Translation,
  wanted: WantedParts,
): Promise<JsonObject> {
  const access = wanted.access ? await accessOf(api, caller, operation) : undefined;
  const sql = wanted.sql ? await explainSql(api, caller, operation) : undefined;
  return {
    ...(access === undefined ? {} : { access }),
    ...(sql === undefined ? {} : { sql: sql as unknown as JsonObject }),
  };
}

/** Operations that the model doesn't have, and inputs that nest too deeply, have no explanation. */
async function accessOf(
  api: ExplainedApi,
  { principal }: Caller,
  operation: Translation["operation"],
): Promise<string | undefined> {
  try {
    return (await explainAccess(api, principal, operation)).text;
  } catch (thrown) {
    if (isBifocalError(thrown) || thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}
