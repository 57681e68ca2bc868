import { now, owner, principalId, trait, updatedNow } from "@bifocal/core";
import { z } from "zod";

/** Rows that record when they were created and last changed. */
export const timestamps = () =>
  trait({
    fields: { createdAt: z.iso.datetime(), updatedAt: z.iso.datetime() },
    generated: { createdAt: now(), updatedAt: updatedNow() },
  });

/** Rows that only the caller who created them can change. */
export const ownedBy = <const Field extends string>(field: Field) =>
  trait({
    fields: { [field]: z.string() } as { readonly [Name in Field]: z.ZodString },
    generated: { [field]: principalId() } as { readonly [Name in Field]: ReturnType<typeof principalId> },
    access: { update: owner(field) },
  });
