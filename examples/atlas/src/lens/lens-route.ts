import type { TranslationSource } from "@bifocal/core";
import type { SqlStore } from "@bifocal/sql";
import type { FastifyInstance } from "fastify";
import type { AtlasApi } from "../create.ts";
import { PRINCIPALS } from "../roles.ts";
import { explainReads } from "./explain-reads.ts";
import { inlineVariables } from "./inline-variables.ts";
import type { LensBody, LensView, TranslatedBody } from "./lens-view.ts";

interface LensParts {
  readonly api: AtlasApi;
  readonly store: SqlStore;
}

/** Adds `POST /lens`: a request in each style, its cost, the access rules that decide, and its SQL. */
export function addLensRoute(app: FastifyInstance, { api, store }: LensParts): void {
  app.post<{ Body: LensBody }>("/lens", async ({ body, headers }, reply) => {
    const authorization = headers.authorization ?? "";
    const translated = await app.inject({
      method: "POST",
      url: "/api/console/translate",
      headers: { "content-type": "application/json", ...(authorization === "" ? {} : { authorization }) },
      payload: JSON.stringify(sourceOf(body)),
    });
    reply.header("cache-control", "no-store");
    if (translated.statusCode !== 200) {
      return reply.code(translated.statusCode).type("application/problem+json").send(translated.body);
    }
    const { translations } = translated.json<TranslatedBody>();
    const isCheap = translations.every(({ cost, maxCost }) => cost <= maxCost);
    const principal = PRINCIPALS[authorization.replace(/^Bearer /i, "")] ?? null;
    const statements =
      body.sql === true && isCheap
        ? await explainReads({ api, store }, await api.translate(textOf(body)), principal)
        : undefined;
    const view: LensView = {
      operations: translations.map((one) => ({
        ...one,
        graphql:
          "reason" in one.graphql
            ? one.graphql
            : { document: inlineVariables(api.graphql.schema, one.graphql.document, one.graphql.variables) },
      })),
      ...(statements === undefined ? {} : { statements }),
    };
    return reply.send(view);
  });
}

function sourceOf({ request, document }: LensBody): LensBody {
  return document === undefined ? { request: request ?? "" } : { document };
}

function textOf({ request, document }: LensBody): TranslationSource {
  return document === undefined ? (request ?? "") : { document };
}
