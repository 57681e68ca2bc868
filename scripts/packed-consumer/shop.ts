import { allow, defineApi, defineResource, uuid } from "@bifocal/core";
import { sqlStore } from "@bifocal/sql";
import { z } from "zod";

// The fixture for the command line, which Node runs with type stripping.
const book = defineResource("book", {
  fields: { id: z.uuid(), title: z.string() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});

export const api = defineApi({ resources: [book], store: sqlStore({ url: "sqlite:shop.db", autoCreate: false }) });
