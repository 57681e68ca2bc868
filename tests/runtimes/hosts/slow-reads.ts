import { DatabaseSync } from "node:sqlite";
import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { z } from "zod";

// Scans a table that is too large for the event loop, in the SQLite file that the first argument names.
const ROWS = 400_000;
const [, , file = ""] = process.argv;
const db = new DatabaseSync(file);
db.exec(`
create table numbers (id integer primary key, half integer not null);
insert into numbers with recursive n(i) as (select 1 union all select i + 1 from n where i < ${ROWS}) select i, i / 2 from n`);
db.close();

const number = defineResource("number", {
  fields: { id: z.int32(), half: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  filterable: ["half"],
});
const store = sqlStore({ url: `sqlite:${file}`, autoCreate: false });
const { local, ready } = defineApi({ resources: [number], store, warnings: false, log: silentLog });
await ready;
const lists = [1, 2, 3].map((end) => local.number.list({ filter: { half: { gt: ROWS / 2 - end } } }));
const found = (await Promise.all(lists)).map(({ items }) => items.length);
console.log(JSON.stringify(found));
process.exit();
