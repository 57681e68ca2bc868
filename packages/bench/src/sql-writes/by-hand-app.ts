import { hash, randomUUID } from "node:crypto";
import fastify, { type FastifyInstance } from "fastify";
import { editionInput } from "../edition-schema.ts";
import type { EditionInput, EditionRow } from "../editions.ts";
import { type Guarantee, guaranteesUpTo } from "./guarantees.ts";
import type { Receipt, Writer } from "./writer.ts";

/** One edition, or up to 100. */
const body = { ...editionInput, type: ["object", "array"], items: editionInput, minItems: 1, maxItems: 100 };

function rowOf({ title, authorId, year, price, inStock, isbn, tags }: EditionInput): EditionRow {
  return { id: randomUUID(), title, authorId, year, price, inStock, isbn, tags };
}

/** Creates editions by hand, with the guarantees up to `last`. */
export function createByHandApp(writer: Writer, last: Guarantee): FastifyInstance {
  const has = guaranteesUpTo(last);
  // The body has two types.
  const app = fastify({ ajv: { customOptions: { allowUnionTypes: true } } });

  function receiptFor(request: unknown, token: unknown, value: string): Receipt | undefined {
    if (typeof token !== "string" || !has.has("receipt")) return undefined;
    return { token, fingerprint: hash("sha256", JSON.stringify(request), "base64url"), value };
  }

  app.post<{ Body: EditionInput | readonly EditionInput[] }>(
    "/editions",
    { schema: has.has("validation") ? { body } : {} },
    // The text of the response also gives the `ETag` and the receipt, so Fastify doesn't serialize it again.
    async (request, reply) => {
      const rows = Array.isArray(request.body) ? request.body.map(rowOf) : [rowOf(request.body as EditionInput)];
      const text = JSON.stringify(Array.isArray(request.body) ? rows : rows[0]);
      const receipt = receiptFor(request.body, request.headers["idempotency-key"], text);
      reply.code(201).type("application/json; charset=utf-8");
      if (receipt !== undefined) {
        const found = await writer.receiptOf(receipt.token);
        if (found !== undefined) {
          if (found.fingerprint !== receipt.fingerprint) return reply.code(422).send();
          return reply.header("idempotent-replayed", "true").send(found.value);
        }
      }
      await writer.insert(rows, { hasEvents: has.has("event"), hasPositions: has.has("position"), receipt });
      if (has.has("etag")) reply.header("etag", `"${hash("sha1", text, "base64url")}"`);
      if (rows.length === 1) reply.header("location", `/editions/${rows[0]?.id}`);
      return reply.send(text);
    },
  );
  return app;
}
