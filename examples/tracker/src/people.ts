import { randomBytes } from "node:crypto";
import type { Principal } from "@bifocal/core";

export const ACME = "00000000-0000-4000-8000-00000000000a";
export const GLOBEX = "00000000-0000-4000-8000-00000000000b";

/** The members that the seed contains. Ann and Zoe are the admins of their organizations. */
export const PEOPLE = [
  { id: "ann", orgId: ACME, name: "Ann", email: "ann@acme.example", roles: ["admin"] },
  { id: "bob", orgId: ACME, name: "Bob", email: "bob@acme.example", roles: [] },
  { id: "zoe", orgId: GLOBEX, name: "Zoe", email: "zoe@globex.example", roles: ["admin"] },
] as const;

/** Returns the principal of a member, as an authentication of your own would. */
export function principalOf(id: string): Principal {
  const person = PEOPLE.find((one) => one.id === id);
  if (person === undefined) throw new Error(`Unknown member "${id}".`);
  return { id, roles: person.roles, claims: { orgId: person.orgId } };
}

/** Creates a key for each member: this is a demo, and its keys are valid until it ends. */
export function makeKeys(): ReadonlyMap<string, string> {
  return new Map(PEOPLE.map(({ id }) => [id, randomBytes(18).toString("base64url")]));
}
