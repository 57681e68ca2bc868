import type { FastifyInstance } from "fastify";
import type { AtlasApi } from "../create.ts";
import { inlineVariables } from "./inline-variables.ts";
import type { LensBody, LensView, TranslatedBody } from "./lens-view.ts";

/** Adds `POST /lens`: `POST /api/-/translate` with the access rules that decide, and documents without variables. */
export function addLensRoute(app: FastifyInstance, api: AtlasApi): void {
  app.post<{ Body: LensBody }>("/lens", async ({ body, headers: { authorization } }, reply) => {
    const { request, document, sql = false } = body;
    const translated = await app.inject({
      method: "POST",
      url: "/api/-/translate",
      headers: { "content-type": "application/json", ...(authorization === undefined ? {} : { authorization }) },
      payload: JSON.stringify({ request, document, access: true, sql }),
    });
    reply.header("cache-control", "no-store");
    if (translated.statusCode !== 200) {
      return reply.code(translated.statusCode).type("application/problem+json").send(translated.body);
    }
    const { translations } = translated.json<TranslatedBody>();
    const view: LensView = {
      operations: translations.map(({ sql: _sql, graphql, ...one }) => ({
        ...one,
        graphql:
          "reason" in graphql
            ? graphql
            : { document: inlineVariables(api.graphql.schema, graphql.document, graphql.variables) },
      })),
      ...(sql ? { statements: translations.flatMap((one) => one.sql?.statements ?? []) } : {}),
    };
    return reply.send(view);
  });
}
