import { expect, test } from "vitest";
import { z } from "zod";
import { allow } from "../definition/rules.ts";
import { defineResource } from "../definition/define-resource.ts";
import type { ResourceModel } from "../model/model.ts";
import { resolveModel } from "../model/resolve-model.ts";
import { lowerKey, parseId } from "./key.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const tag = defineResource("tag", { fields: { id: z.string() }, access });
const copy = defineResource("copy", { fields: { id: z.uuid() }, access });
const models = resolveModel([tag, copy]).resources;
const resource = models.get("tag") as ResourceModel;

test.each([
  ["sale", "sale"],
  ["a%20b", "a b"],
  ["%00", undefined],
  ["a%00b", undefined],
  ["%ed%a0%80", undefined],
  ["%ff", undefined],
  ["", undefined],
])("C04, C15: the id '%s'", (text, key) => {
  expect(parseId(resource, text)).toBe(key);
});

test.each([
  ["0123abcd-0000-4000-8000-00000000000f", "0123abcd-0000-4000-8000-00000000000f"],
  ["0123ABCD-0000-4000-8000-00000000000F", "0123abcd-0000-4000-8000-00000000000f"],
  ["0123abcd-0000-4000-8000-00000000000F", "0123abcd-0000-4000-8000-00000000000f"],
  ["0123abcd-0000-4000-8000-00000000000g", undefined],
  ["0123abcd-0000-4000-8000-00000000000", undefined],
  ["0123abcd-0000-4000-8000-00000000000f\n", undefined],
  ["0123abcd-0000-4000-8000-00000000000f,", undefined],
])("parses the UUID %j", (text, key) => {
  expect(parseId(models.get("copy") as ResourceModel, text)).toBe(key);
});

test.each([
  ["a b", "a b"],
  ["a\0b", undefined],
  ["\ud800", undefined],
])("C04: %j in a local call", (text, key) => {
  expect(lowerKey(resource, text)).toBe(key);
});
