import { hasRole } from "@bifocal/core";

/** A caller has only one role, so rules list every permitted role. */
export const ROLES = ["reader", "author", "editor", "admin"] as const;
export type Role = (typeof ROLES)[number];

export const staff = hasRole("editor", "admin");
export const admins = hasRole("admin");
