import { allow, defineApi, defineResource, silentLog, uuid } from "@bifocal/core";
import { queryPostgres, restrictedDatabase, servers } from "@bifocal/test-servers";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../../src/index.ts";

const note = defineResource("note", {
  fields: { id: z.uuid(), text: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const missing = servers.find(({ name }) => name === "postgres")?.missing;
const [STEPS, CHANGES] = [40, 1_000];

test.skipIf(missing !== undefined)("assigns positions without reading earlier changes on PostgreSQL", async () => {
  const database = await restrictedDatabase();
  try {
    const store = sqlStore({ url: database.url, autoCreate: true });
    const api = defineApi({ resources: [note], store, log: silentLog });
    await api.ready;
    for (let step = 1; step <= STEPS; step++) {
      await queryPostgres(
        database.url,
        `insert into bifocal_event (resource, kind, key, after, written)
          select 'note', 'created', '"' || n || '"', '{}', 0 from generate_series(1, ${CHANGES}) n`,
      );
      expect(await store.changeLog?.advance()).toMatchObject({ offset: step * CHANGES });
    }
    // PostgreSQL counts the reads of a connection at its end.
    await api.close();
    const read = async (): Promise<number> => {
      const [row] = await queryPostgres(
        database.superUrl,
        "select idx_tup_read as n from pg_stat_user_indexes where indexrelname = 'bifocal_event_place_idx'",
      );
      return Number(row?.["n"]);
    };
    await expect.poll(read, { timeout: 5_000 }).toBeGreaterThanOrEqual(STEPS * CHANGES);
    // Each position leaves an entry without one in the index. PostgreSQL skips it once no transaction can see it, which takes
    // longer on a busy machine: up to 11 reads per change. Reading all earlier changes takes 60.
    expect(await read()).toBeLessThan(20 * STEPS * CHANGES);
  } finally {
    await database.drop();
  }
});
