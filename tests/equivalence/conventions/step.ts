import fc from "fast-check";
import type { World } from "./world.ts";

export type Resource = "author" | "book";

/** A request, independent of a style's syntax. Ids and titles are relative to the first row of the sequence. */
export interface Step {
  readonly who: string;
  readonly resource: Resource;
  readonly kind: "create" | "update" | "delete" | "restore" | "shout" | "updateMany" | "deleteMany" | "get" | "list";
  readonly id: number;
  readonly text: string;
  readonly author: number | null;
  readonly deleted: "with" | "only" | undefined;
}

const KINDS: Readonly<Record<Resource, readonly Step["kind"][]>> = {
  author: ["create", "update", "delete", "delete", "restore", "get", "list"],
  book: ["create", "update", "delete", "restore", "restore", "shout", "updateMany", "deleteMany", "get", "list"],
};
const who = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("mod", "mod", "ann") },
  { weight: 2, arbitrary: fc.constant("ben") },
  { weight: 1, arbitrary: fc.constantFrom("lost", "nobody") },
);
const small = fc.integer({ min: 1, max: 4 });

/** Draws steps that a world offers. */
export function stepsOf(world: World): fc.Arbitrary<readonly Step[]> {
  const step = fc.constantFrom<Resource>("author", "book", "book").chain((resource) => {
    const { softDelete } = world[resource];
    const kinds = KINDS[resource].filter((kind) => softDelete || kind !== "restore");
    return fc.record<Step>({
      who,
      resource: fc.constant(resource),
      kind: fc.constantFrom(...kinds),
      id: small,
      text: fc.constantFrom("Emma", "Dune", "Zoo", "Ash", ""),
      author: fc.option(small, { freq: 3 }),
      deleted: softDelete ? fc.constantFrom(undefined, "with" as const, "only" as const) : fc.constant(undefined),
    });
  });
  const by = (who_: string, kind: Step["kind"], resource: Resource, id: number, text = ""): Step => ({
    who: who_,
    resource,
    kind,
    id,
    text,
    author: 1,
    deleted: kind === "list" && world[resource].softDelete ? "with" : undefined,
  });
  const { softDelete } = world.book;
  const first = [
    by("mod", "create", "author", 0, "Ann"),
    by("ben", "create", "author", 0, "Ben"),
    by("mod", "create", "book", 0, "One"),
    by("ann", "create", "book", 0, "Two"),
    by("ben", "create", "book", 0, "Three"),
    ...(softDelete
      ? [by("ann", "delete", "book", 2), by("mod", "list", "book", 0), by("mod", "restore", "book", 2)]
      : []),
    by("ben", "get", "book", 1),
  ];
  return fc.array(step, { minLength: 8, maxLength: 20, size: "max" }).map((others) => [...first, ...others]);
}
