import { test } from "vitest";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";
import { allow } from "./rules.ts";

const note = { fields: { id: z.uuid() }, access: { read: allow, create: allow, update: allow, delete: allow } };

test("operations are lists of known names", () => {
  defineResource("note", { ...note, operations: ["get", "list", "createMany", "watch"] });
  defineResource("note", { ...note, operations: [] });
  defineResource("note", { ...note, operations: { rest: ["get"], graphql: ["list"] } });
  defineResource("note", { ...note, operations: { graphql: ["list"] } });
  // @ts-expect-error there is no such operation
  defineResource("note", { ...note, operations: ["get", "lst"] });
  // @ts-expect-error actions are defined one by one
  defineResource("note", { ...note, operations: ["publish"] });
  // @ts-expect-error there is no such operation
  defineResource("note", { ...note, operations: { rest: ["gett"] } });
  // @ts-expect-error there is no such style
  defineResource("note", { ...note, operations: { rset: ["get"] } });
});
