import { belongsTo, defineResource, now, anyOf, owner, signedIn } from "@bifocal/core";
import { z } from "zod";
import { admins, ROLES, type Role } from "../roles.ts";

/** Issues a token for a user. */
export type IssueToken = (user: {
  readonly id: string;
  readonly role: Role;
  readonly shopId: string | null;
}) => Promise<string>;

const self = owner("id");
const selfOrAdmin = anyOf(admins, self);

export function createUser(issueToken: IssueToken) {
  return defineResource("user", {
    description: "A user who can sign in. The `role` decides the user's rights on each request.",
    fields: {
      id: z.string().regex(/^[a-z][a-z0-9-]{0,39}$/),
      name: z.string().trim().min(1).max(100),
      email: z.email().nullable().meta({ description: "For the user and admins only." }),
      role: z.enum(ROLES).meta({ id: "Role" }).default("reader"),
      shopId: z.string().nullable().default(null).meta({ description: "The shop that the user works in." }),
      active: z.boolean().default(true).meta({ description: "If false, the user's keys and tokens are rejected." }),
      notes: z.string().nullable().default(null).meta({ description: "Notes of the shop. Not part of any schema." }),
      createdAt: z.iso.datetime(),
    },
    generated: { createdAt: now() },
    internal: ["notes"],
    immutable: ["id"],
    relations: { shop: belongsTo("shop", "shopId", { onDelete: "setNull" }) },
    access: {
      read: signedIn,
      create: admins,
      update: selfOrAdmin,
      delete: admins,
      fields: {
        email: { read: selfOrAdmin },
        role: { write: admins },
        shopId: { write: admins },
        active: { read: selfOrAdmin, write: admins },
      },
    },
    actions: {
      token: {
        description: "Returns a token that is valid for ten minutes. Requires an API key.",
        on: "item",
        output: z.object({ token: z.string() }),
        access: self,
        run: async ({ item }) => ({ token: await issueToken(item) }),
      },
    },
    filterable: ["id", "name", "role"],
    sortable: ["id", "name"],
  });
}
