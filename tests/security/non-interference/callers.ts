import type { Principal } from "@bifocal/core";
import fc from "fast-check";

/** A principal with one credential, or an anonymous caller. */
export interface Caller {
  readonly name: string;
  readonly token: string | undefined;
  readonly principal: Principal | null;
}

const NOBODY: Caller = { name: "nobody", token: undefined, principal: null };

const rights = fc.record({
  roles: fc.subarray(["editor", "reader"]),
  scopes: fc.subarray(["read", "write"]),
});

/** Two credentials of ann with different rights, and one of bob. */
export const callers: fc.Arbitrary<readonly Caller[]> = fc.tuple(rights, rights, rights).map((all) => [
  ...all.map((one, at) => {
    const id = at === 2 ? "bob" : "ann";
    const name = `${id}-${at}`;
    return { name, token: `credential-of-${name}-in-drawn-worlds`, principal: { id, ...one } };
  }),
  NOBODY,
]);

/** Owners of rows. */
export const OWNERS = ["ann", "bob", "carl"];
