import { expect, test } from "vitest";
import { z } from "zod";
import { defineApi } from "../api/api.ts";
import { allOf, unless, anyOf, through } from "../definition/compose-rules.ts";
import { defineResource } from "../definition/define-resource.ts";
import { asSystem, type Principal } from "../definition/principal.ts";
import { uuid } from "../definition/generated.ts";
import { belongsTo, hasMany, manyToMany } from "../definition/relations.ts";
import { allow, deny, hasRole, owner, signedIn } from "../definition/rules.ts";
import { accessTable, explainAccess, printAccessTable } from "./explain.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const shop = defineResource("shop", { fields: { id: z.int32(), ownerId: z.string() }, access });
const tag = defineResource("tag", { fields: { id: z.int32() }, access: { ...access, read: signedIn } });
const book = defineResource("book", {
  fields: { id: z.int32(), shopId: z.int32(), ownerId: z.string(), price: z.number(), cost: z.number() },
  relations: { shop: belongsTo("shop", "shopId"), tags: manyToMany("tag") },
  access: {
    read: anyOf(hasRole("editor"), through("shop", owner("ownerId"))),
    create: ({ principal, input }) => input?.["ownerId"] === principal?.id,
    update: allOf(
      signedIn,
      unless(function broken() {
        throw new Error("no network");
      }),
    ),
    delete: deny,
    fields: { price: { write: owner("ownerId") }, cost: { read: hasRole("editor") } },
  },
  actions: { publish: { on: "item", access: hasRole("editor"), run: () => null } },
});
const api = defineApi({ resources: [shop, tag, book] });
const ann = { id: "ann" };

test("shows the result of each rule and its parts", async () => {
  const { text, decisions, parts } = await explainAccess(api, ann, {
    kind: "update",
    resource: "book",
    input: { price: 5 },
  });
  expect(text).toMatchInlineSnapshot(`
    "ann: update book
      update book: no (rule failed)
        book.access.read = anyOf(hasRole("editor"), through("shop", owner("ownerId"))): yes where shop (ownerId eq "ann")
          hasRole("editor"): no
          through("shop", owner("ownerId")): yes where shop (ownerId eq "ann")
            owner("ownerId"): yes where ownerId eq "ann"
        book.access.update = allOf(signedIn, unless(broken)): no (rule failed)
          signedIn: yes
          unless(broken): no (rule failed)
            broken: no (rule failed) (The rule threw an error: no network)
      write book.price: no (rule failed)
        book.access.read = anyOf(hasRole("editor"), through("shop", owner("ownerId"))): yes where shop (ownerId eq "ann")
          hasRole("editor"): no
          through("shop", owner("ownerId")): yes where shop (ownerId eq "ann")
            owner("ownerId"): yes where ownerId eq "ann"
        book.access.update = allOf(signedIn, unless(broken)): no (rule failed)
          signedIn: yes
          unless(broken): no (rule failed)
            broken: no (rule failed) (The rule threw an error: no network)
        book.access.fields.price.write = owner("ownerId"): yes where ownerId eq "ann"
      read book.cost: no
        book.access.read = anyOf(hasRole("editor"), through("shop", owner("ownerId"))): yes where shop (ownerId eq "ann")
          hasRole("editor"): no
          through("shop", owner("ownerId")): yes where shop (ownerId eq "ann")
            owner("ownerId"): yes where ownerId eq "ann"
        book.access.fields.cost.read = hasRole("editor"): no
      inherited from the resource: id, shopId, ownerId, price, shop, tags"
  `);
  expect(decisions.map(({ answer }) => answer)).toEqual(["none"]);
  expect(parts.find(({ subject, right }) => subject === "book.price" && right === "write")?.rules).toHaveLength(3);
});

test.each([
  ["a rule that reads the input, without an input", ann, { kind: "create" }, "input", "no row"],
  ["with one", ann, { kind: "create", input: { ownerId: "ann" } }, "yes", "every row"],
  ["an action", ann, { kind: "act", action: "publish" }, "no", "no row"],
  [
    "a link whose other side must be visible",
    null,
    { kind: "link", relation: "tags" },
    "no",
    "no row; along it no row",
  ],
  ["a caller that bypasses all rules", asSystem("test"), { kind: "delete" }, "yes", "every row"],
] as const)("%s", async (_, principal, question, answer, where) => {
  const { decisions } = await explainAccess(api, principal, { resource: "book", ...question });
  expect(decisions[0]).toMatchObject({ answer, where });
});

test("rejects unknown resources and actions", async () => {
  await expect(explainAccess(api, null, { kind: "list", resource: "boot" })).rejects.toThrow(TypeError);
  await expect(explainAccess(api, null, { kind: "act", resource: "book", action: "burn" })).rejects.toThrow(TypeError);
});

test("rejects an input with a circular reference", async () => {
  const part = defineResource("part", {
    fields: { id: z.int32(), wholeId: z.int32().nullable() },
    relations: { parts: hasMany("part", "wholeId", { creates: 10 }) },
    access,
  });
  const input: Record<string, unknown> = { id: 1 };
  input["parts"] = [input];
  await expect(
    explainAccess(defineApi({ resources: [part] }), ann, { kind: "create", resource: "part", input }),
  ).rejects.toMatchObject({ code: "BAD_REQUEST" });
});

test("prints the table of all rights", async () => {
  const table = await accessTable(api, { nobody: null, ann, ed: { id: "ed", roles: ["editor"] } });
  expect(printAccessTable(table)).toMatchInlineSnapshot(`
    "                   nobody    ann          ed
    read shop          yes       yes          yes
    create shop        yes       yes          yes
    update shop        yes       yes          yes
    delete shop        yes       yes          yes
    read tag           no        yes          yes
    create tag         yes       yes          yes
    update tag         no        yes          yes
    delete tag         no        yes          yes
    read book          no        where [1]    yes
    create book        by input  by input     by input
    update book        no        no (broken)  no (broken)
    delete book        no        no           no
    write book.price   no        no (broken)  no (broken)
    read book.cost     no        no           yes
    call book.publish  no        no           yes

    17 field and relation permissions inherit from their resource (not shown).

    [1] shop (ownerId eq "ann")"
  `);
  expect(table.rows.find(({ subject, right }) => subject === "book" && right === "delete")).toEqual({
    resource: "book",
    subject: "book",
    kind: "rows",
    right: "delete",
    isDefault: false,
    rules: [
      'book.access.read = anyOf(hasRole("editor"), through("shop", owner("ownerId")))',
      "book.access.delete = deny",
    ],
    cells: [
      { answer: "no", where: "no row" },
      { answer: "no", where: "no row" },
      { answer: "no", where: "no row" },
    ],
  });
});

test("shows the rows that soft delete and tenants leave", async () => {
  const note = defineResource("note", {
    fields: { id: z.uuid(), org: z.string(), deletedAt: z.iso.datetime().nullable() },
    generated: { id: uuid() },
    tenant: { field: "org", of: ({ claims }) => claims?.["org"] as string | undefined },
    softDelete: "deletedAt",
    access,
  });
  const notes = defineApi({ resources: [shop, note] });
  const ask = (principal: Principal, resource: string) => explainAccess(notes, principal, { kind: "get", resource });
  const { text, scope } = await ask({ id: "ann", claims: { org: "a" } }, "note");
  expect(text.split("\n")[1]).toBe('  within the scope: deletedAt isNull true and org eq "a"');
  expect(scope?.filter).toMatchObject({ kind: "and" });
  expect((await ask(ann, "note")).scope?.where).toBe("no row");
  expect((await ask(asSystem("count"), "note")).scope?.where).toBe("deletedAt isNull true");
  expect((await ask(ann, "shop")).scope).toBeUndefined();
});
