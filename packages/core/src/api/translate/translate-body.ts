import { BifocalError } from "../../errors/bifocal-error.ts";
import type { ExplainedApi } from "../../explain/explain-access.ts";
import type { RunnableApi } from "../../explain/explain-sql.ts";
import { costOf } from "../../limits/cost.ts";
import type { Limits } from "../../limits/limits.ts";
import type { Model } from "../../model/model.ts";
import type { TranslateBody } from "../../rest/routes/translation-route.ts";
import type { JsonObject } from "../../util/json.ts";
import { curlCommand } from "./curl-command.ts";
import { explainTranslation, type WantedParts } from "./explain-translation.ts";
import type { Translate, Translation, TranslationSource } from "./translation.ts";

interface TranslateBodyParts {
  readonly translate: Translate;
  readonly model: Model;
  readonly limits: Limits;
  /** The API that explains requests. Undefined if `explain` is off. */
  readonly explained: (ExplainedApi & RunnableApi) | undefined;
}

/** Translates the request in the body of `POST /-/translate`. `base` is the URL of the API, for curl. */
export function createTranslateBody({ translate, model, limits, explained }: TranslateBodyParts): TranslateBody {
  return async (body, base, caller) => {
    const wanted = parseWanted(body);
    const explains = wanted.access || wanted.sql;
    if (explains && explained === undefined)
      throw new BifocalError("BAD_REQUEST", "This server doesn't explain requests. Leave out 'access' and 'sql'.");
    const translations: JsonObject[] = [];
    for (const one of await translate(parseSourceBody(body))) {
      translations.push({
        ...describeTranslation(one, base),
        cost: costOf(one.operation, model),
        maxCost: limits.query.cost,
        ...(explains && explained ? await explainTranslation(explained, caller, one, wanted) : {}),
      });
    }
    return { translations };
  };
}

function describeTranslation({ operation, rest, graphql, client }: Translation, base: string): JsonObject {
  const curl = "reason" in rest ? rest : { command: curlCommand(rest, base) };
  const described = { kind: operation.kind, resource: operation.resource, rest, graphql, client, curl };
  return described as unknown as JsonObject;
}

const EXPECTED =
  'Expected {"request":"GET /books"}, {"url":"/books"} with optional "method", "headers" and "body", or {"document":"…"} with optional "variables" and "operationName". "access" and "sql" are true or false.';

function parseWanted(body: unknown): WantedParts {
  if (!isObject(body)) throw new BifocalError("BAD_REQUEST", EXPECTED);
  const { access = false, sql = false } = body;
  if (typeof access !== "boolean" || typeof sql !== "boolean") throw new BifocalError("BAD_REQUEST", EXPECTED);
  return { access, sql };
}

function parseSourceBody(body: unknown): TranslationSource {
  if (!isObject(body)) throw new BifocalError("BAD_REQUEST", EXPECTED);
  const { request, document, operationName, url, method, headers, variables } = body;
  if (typeof request === "string") return request;
  if (typeof document === "string") {
    if (!isOptional(operationName, isString)) throw new BifocalError("BAD_REQUEST", EXPECTED);
    if (!isOptional(variables, isObject)) throw new BifocalError("BAD_REQUEST", EXPECTED);
    return { document, ...(variables && { variables }), ...(operationName && { operationName }) };
  }
  if (typeof url !== "string" || !isOptional(method, isString) || !isOptional(headers, isTexts))
    throw new BifocalError("BAD_REQUEST", EXPECTED);
  return { url, ...(method && { method }), ...(headers && { headers }), ...("body" in body && { body: body["body"] }) };
}

function isOptional<Value>(value: unknown, is: (value: unknown) => value is Value): value is Value | undefined {
  return value === undefined || is(value);
}

function isString(value: unknown): value is string {
  return typeof value === "string";
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every(isString);
}
