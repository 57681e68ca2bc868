import { allow, defineApi, defineResource, manyToMany } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const open = { read: allow, create: allow, update: allow, delete: allow };
const badge = defineResource("badge", { fields: { id: z.int32() }, access: open });
const person = defineResource("person", {
  fields: { id: z.int32() },
  relations: { badges: manyToMany("badge"), follows: manyToMany("person", { from: "followerId", to: "followedId" }) },
  access: open,
});

describe.each(servers)("links of a relation that one side declares, on $name", ({ missing, create }) => {
  test.skipIf(missing !== undefined)("are removed with a row of the other side", async () => {
    const { url, drop } = await create();
    const api = defineApi({
      resources: [badge, person],
      store: sqlStore({ url, autoCreate: true, foreignKeys: false, max: 2 }),
    });
    try {
      await api.ready;
      const { badge: badges, person: people } = api.local;
      for (const id of [1, 2, 3]) await people.create({ id });
      for (const id of [1, 2]) await badges.create({ id });
      for (const id of [1, 2]) await people.link(1, "badges", id);
      await badges.delete(1);
      await badges.create({ id: 1 });
      const badgesLeft = await people.get(1, { select: { badges: { select: { id: true } } } });
      expect(badgesLeft).toEqual({ badges: [{ id: 2 }] });
      // The relation between people has the same name in both directions.
      await people.link(1, "follows", 2);
      await people.link(2, "follows", 3);
      await people.delete(2);
      await people.create({ id: 2 });
      const select = { follows: { select: { id: true } } } as const;
      expect(await Promise.all([1, 2].map((id) => people.get(id, { select })))).toEqual([
        { follows: [] },
        { follows: [] },
      ]);
    } finally {
      await api.close();
      await drop();
    }
  });
});
