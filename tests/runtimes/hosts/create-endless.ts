import { allow, defineApi, defineResource, deny, functionStore } from "@bifocal/core";
import { z } from "zod";

/** Makes a row large, so that few rows fill the buffers of a connection. */
const TEXT = "x".repeat(1_000);

/** Creates an API with a list that never ends, and counts the rows that were read for it. */
export function createEndless() {
  const line = defineResource("line", {
    fields: { id: z.int(), text: z.string() },
    access: { read: allow, create: deny, update: deny, delete: deny },
  });
  let rows = 0;
  const store = functionStore({
    line: {
      list({ limit, after }) {
        rows += limit;
        const start = Number(after?.[0] ?? 0) + 1;
        return { page: Array.from({ length: limit }, (_, n) => ({ id: start + n, text: TEXT })), more: true };
      },
    },
  });
  const api = defineApi({ resources: [line], store, rateLimit: false, warnings: false });
  return { api, rowsRead: () => rows };
}
