import { deny, owner, type Principal, trait } from "@bifocal/core";
import { z } from "zod";
import { inOwnOrg, members, orgId } from "./tenant.ts";

/** Rows of an organization, which only its members see and change. */
export const ofOrganization = () =>
  trait({
    fields: { orgId },
    filledByHook: ["orgId"],
    access: { read: members, create: members, update: members, delete: members, fields: { orgId: { write: deny } } },
    hooks: { create: { before: inOwnOrg } },
  });

interface Creation {
  readonly input: object;
  readonly principal: Principal | null;
}

/** Rows that only the member who created them can change. */
export const createdBy = <const Field extends string>(field: Field) =>
  trait({
    fields: { [field]: z.string() } as { readonly [Name in Field]: z.ZodString },
    filledByHook: [field],
    access: {
      create: owner(field),
      update: owner(field),
      delete: owner(field),
      fields: { [field]: { write: deny } } as { readonly [Name in Field]: { readonly write: typeof deny } },
    },
    hooks: {
      create: { before: ({ input, principal }: Creation) => ({ ...input, [field]: principal?.id ?? "" }) },
    },
  });
