import { randomBytes } from "node:crypto";
import type { Principal } from "@bifocal/core";
import { ROLES } from "./roles.ts";
import { seedUsers } from "./seed/users.ts";

/** API keys by caller: a role (`reader`), or a role and a name if a role has several callers (`reader:ben`). */
export type Keys = Readonly<Record<string, string>>;

/** One caller per role, and the author who has a draft. */
const CALLERS = ["reader", "author:ursula", "editor", "admin"];

/** Creates a new key for each caller. */
export function makeKeys(): Keys {
  return Object.fromEntries(CALLERS.map((caller) => [caller, randomBytes(18).toString("base64url")]));
}

/** Parses `reader=KEY,editor=KEY,admin=KEY`. */
export function parseKeys(text: string): Keys {
  return Object.fromEntries(
    text.split(",").map((entry) => {
      const at = entry.indexOf("=");
      const key = entry.slice(at + 1).trim();
      if (at < 1 || key === "") throw new Error('BOOKSTORE_KEYS reads "reader=KEY,editor=KEY,admin=KEY".');
      return [entry.slice(0, at).trim(), key];
    }),
  );
}

/** The principal of each key. Its id is the caller's name, or else its role. It works in the shop of the user with this id. */
export function principals(keys: Keys): Record<string, Principal> {
  const shops = new Map(seedUsers().map(({ id, shopId }) => [id, shopId]));
  return Object.fromEntries(
    Object.entries(keys).map(([caller, key]) => {
      const [role = "", name = role] = caller.split(":");
      if (!ROLES.some((known) => known === role)) {
        throw new Error(`There is no role "${role}"; there are ${ROLES.join(", ")}.`);
      }
      return [key, { id: name, roles: [role], claims: { shop: shops.get(name) } }];
    }),
  );
}
