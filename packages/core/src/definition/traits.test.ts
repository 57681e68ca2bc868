import { describe, expect, test } from "vitest";
import { z } from "zod";
import { DefinitionError } from "../errors/definition-error.ts";
import { now } from "./generated.ts";
import { nameOf } from "./rule-parts.ts";
import { allow, deny, hasRole, owner, signedIn } from "./rules.ts";
import { compose, type Trait } from "./traits.ts";

const untyped = compose as (...traits: readonly Trait[]) => Record<string, unknown>;
type Hooks = Record<string, Record<string, (context: object) => unknown>>;

describe("compose", () => {
  test("merges fields and other maps, and concatenates lists without duplicates", () => {
    const [id, at] = [z.uuid(), z.iso.datetime()];
    const made = now();
    expect(
      compose(
        { fields: { id }, filterable: ["id"], unique: [["id", "at"]] },
        { fields: { at }, generated: { at: made }, filterable: ["at", "id"] },
      ),
    ).toEqual({ fields: { id, at }, generated: { at: made }, filterable: ["id", "at"], unique: [["id", "at"]] });
  });

  test("joins the rules for the same thing, at any depth", () => {
    const access = compose(
      { access: { read: signedIn, delete: allow, fields: { price: { write: hasRole("editor") } } } },
      { access: { read: owner("userId"), create: deny, fields: { price: { write: signedIn, read: allow } } } },
    ).access as unknown as Record<string, never>;
    const names = (rules: object): object =>
      Object.fromEntries(
        Object.entries(rules).map(([name, rule]: [string, unknown]) => [
          name,
          typeof rule === "function" ? nameOf(rule) : names(rule as object),
        ]),
      );
    expect(names(access)).toEqual({
      read: 'allOf(signedIn, owner("userId"))',
      create: "deny",
      delete: "allow",
      fields: { price: { write: 'allOf(hasRole("editor"), signedIn)', read: "allow" } },
    });
  });

  test("runs hooks in order, each with the input of the one before", async () => {
    const calls: unknown[] = [];
    const add =
      (name: string) =>
      ({ input }: { input: object }) => {
        calls.push([name, input]);
        return name === "silent" ? undefined : { ...input, [name]: true };
      };
    const after =
      (name: string) =>
      ({ item }: { item: string }) =>
        void calls.push(name + item);
    const { hooks } = untyped(
      { hooks: { create: { before: add("first"), after: after("a") } } },
      { hooks: { create: { before: add("silent") }, delete: { before: after("d") } } },
      { hooks: { create: { before: add("last"), after: after("b") } } },
    ) as { hooks: Hooks };
    const context = Object.freeze({ input: { title: "A" }, item: "!" });
    expect(await hooks["create"]?.["before"]?.(context)).toEqual({ title: "A", first: true, last: true });
    await hooks["create"]?.["after"]?.(context);
    await hooks["delete"]?.["before"]?.(context);
    expect(calls).toEqual([
      ["first", { title: "A" }],
      ["silent", { title: "A", first: true }],
      ["last", { title: "A", first: true }],
      "a!",
      "b!",
      "d!",
    ]);
  });

  test("reports every name that two traits define, and parts that can't be merged", () => {
    const twice = { fields: { id: z.uuid() }, actions: { ping: {} }, page: { size: 5 } } as Trait;
    expect(() => untyped(twice, twice)).toThrow(DefinitionError);
    expect(() => untyped(twice, twice)).toThrow(
      /compose\.page[^]*can't contain 'page'[^]*compose\.fields\.id[^]*Two traits define 'id'[^]*compose\.actions\.ping/,
    );
  });

  test("keeps options that one trait sets, and reports those that two set", () => {
    const soft = { softDelete: "deletedAt", search: ["title"] };
    expect(untyped(soft, { version: "version", search: ["text"] })).toEqual({
      softDelete: "deletedAt",
      search: ["title", "text"],
      version: "version",
    });
    expect(() => untyped(soft, soft)).toThrow(/compose\.softDelete[^]*Two traits set 'softDelete'[^]*Remove it/);
  });
});
