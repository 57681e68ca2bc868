import type { Follow } from "./works.ts";

/** Titles of the columns, by method. */
export const TIMES_CREATE: Readonly<Record<Follow["method"], string>> = {
  PATCH: "an update costs × a create",
  DELETE: "a delete costs × a create",
};

/**
 * Divides the cost of an update or a delete by that of a create. Every deleted row has to be created, so half of the
 * requests of that work are creates.
 */
export function timesCreate({ method }: Follow, cost: number, create: number): number {
  return method === "DELETE" ? (2 * cost) / create - 1 : cost / create;
}
