import type { Principal } from "@bifocal/core";

export interface Role {
  readonly name: string;
  /** The API key of the role, which is public because this is a demonstration. `undefined` for anonymous callers. */
  readonly key?: string;
  readonly can: string;
}

/** The callers that the page can switch between. */
export const ROLES: readonly Role[] = [
  { name: "Anonymous", can: "reads notes without their authors" },
  { name: "Visitor", key: "atlas-visitor", can: "also reads the authors, and writes notes" },
  { name: "Editor", key: "atlas-editor", can: "also reads hidden notes, and hides or deletes notes" },
];

export const PRINCIPALS: Readonly<Record<string, Principal>> = {
  "atlas-visitor": { id: "visitor" },
  "atlas-editor": { id: "editor", roles: ["editor"] },
};
