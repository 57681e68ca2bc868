import {
  type Authenticator,
  defineApi,
  defineResource,
  hasScope,
  memoryStore,
  silentLog,
  signedIn,
} from "@bifocal/core";
import { z } from "zod";

const NAMES = ["nobody", "ann", "ben", "client"];

/** Each caller can read only its own row. The anonymous caller has one too. */
const caller = defineResource("caller", {
  fields: { id: z.int32(), name: z.string() },
  access: {
    read: ({ principal }) => ({ name: { eq: principal?.id ?? "nobody" } }),
    create: hasScope("callers:write"),
    update: signedIn,
    delete: signedIn,
  },
  filterable: ["name"],
});

/** An API whose responses contain the name of the caller. */
export function createCallers(auth: Authenticator | readonly Authenticator[], names: readonly string[] = []) {
  const rows = [...NAMES, ...names].map((name, id) => ({ id, name }));
  return defineApi({ resources: [caller], store: memoryStore({ data: { caller: rows } }), auth, log: silentLog });
}
