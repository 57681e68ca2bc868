import { allow, defineApi, defineResource, memoryStore, uuid } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";

const size = z.object({ width: z.int().min(1).max(90), names: z.array(z.string().max(5)).max(3).optional() });
const limits = {
  width: { type: "integer", minimum: 1, maximum: 90 },
  names: { type: "array", maxItems: 3, items: { type: "string", maxLength: 5 } },
};
const shape = defineResource("shape", {
  fields: { id: z.uuid(), size: size.nullable() },
  generated: { id: uuid() },
  access: { read: allow, create: allow, update: allow, delete: allow },
  actions: {
    scale: {
      on: "collection",
      access: allow,
      input: size,
      output: z.object({ done: z.boolean() }),
      run: () => ({ done: true }),
    },
  },
});
const api = defineApi({ info: { title: "Shapes", version: "1.0.0" }, resources: [shape], store: memoryStore() });

test("describes the constraints on members of an action's input", () => {
  expect(api.openapi("")).toMatchObject({
    paths: {
      "/shapes/scale": {
        post: { requestBody: { content: { "application/json": { schema: { properties: limits } } } } },
      },
    },
  });
});

test.each(["CreateShape", "ReplaceShape", "UpdateShape"])(
  "describes the constraints on a member of a field in %s",
  (name) => {
    expect(api.openapi("")).toMatchObject({
      components: { schemas: { [name]: { properties: { size: { type: ["object", "null"], properties: limits } } } } },
    });
  },
);
