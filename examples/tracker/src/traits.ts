import { hasRole, owner, principalId, signedIn, trait, uuid } from "@bifocal/core";
import { z } from "zod";
import { orgId, tenant } from "./tenant.ts";

/** Rows of an organization, which all of its members see and change. */
export const ofOrganization = () =>
  trait({
    fields: { id: z.uuid(), orgId },
    generated: { id: uuid() },
    tenant,
    access: { read: signedIn, create: signedIn, update: signedIn, delete: signedIn },
  });

/** Rows of an organization, which only its admins change. */
export const ofAdmins = () =>
  trait({
    fields: { orgId },
    tenant,
    access: { read: signedIn, create: hasRole("admin"), update: hasRole("admin"), delete: hasRole("admin") },
  });

/** Rows that only the member who created them can change. */
export const createdBy = <const Field extends string>(field: Field) =>
  trait({
    fields: { [field]: z.string() } as { readonly [Name in Field]: z.ZodString },
    generated: { [field]: principalId() } as { readonly [Name in Field]: ReturnType<typeof principalId> },
    access: { update: owner(field), delete: owner(field) },
  });
