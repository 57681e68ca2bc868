import { hasRole } from "@bifocal/core";

/** A key's role is its caller's only role, so rules name every role that may. */
export const ROLES = ["reader", "author", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

export const staff = hasRole("editor", "admin");
export const admins = hasRole("admin");
