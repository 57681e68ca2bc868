import { allow, defineApi, defineResource, uuid } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { z } from "zod";

// What the command line is run on, by Node's own type stripping.
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

export const api = defineApi({ resources: [book], store: sqlStore({ url: "sqlite:shop.db", autoCreate: false }) });
