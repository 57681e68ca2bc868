import { allow, defineApi, defineResource } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { send } from "@bifocal/test-servers/request";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const box = defineResource("box", {
  fields: { id: z.int32(), marks: z.record(z.string(), z.int32()) },
  access,
});

for (const { name, missing, create } of servers)
  test.skipIf(missing !== undefined)(
    `keeps all concurrent patches of one field, on ${name} ${missing ?? ""}`,
    async () => {
      const database = await create();
      const api = defineApi({ resources: [box], store: sqlStore({ url: database.url, autoCreate: true }) });
      await api.local.box.create({ id: 1, marks: {} });
      const patch = async (n: number): Promise<number> => {
        const headers = { "content-type": "application/merge-patch+json" };
        const { status } = await send(api, "PATCH", "/boxes/1", { headers, body: { marks: { [`m${n}`]: n } } });
        return status;
      };
      const all = Array.from({ length: 20 }, (_, n) => n);
      expect(await Promise.all(all.map(patch))).toEqual(all.map(() => 200));
      expect(await api.local.box.get(1)).toEqual({ id: 1, marks: Object.fromEntries(all.map((n) => [`m${n}`, n])) });
      await api.close();
      await database.drop();
    },
  );
