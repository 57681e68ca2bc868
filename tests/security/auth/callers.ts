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

/** Who reads it sees the one row that is the caller's own: nobody has one too. */
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

/** An API whose answers say who asks. */
export function createCallers(auth: Authenticator | readonly Authenticator[], names: readonly string[] = []) {
  const rows = [...NAMES, ...names].map((name, id) => ({ id, name }));
  return defineApi({ resources: [caller], store: memoryStore({ data: { caller: rows } }), auth, log: silentLog });
}
