import { allow, defineApi, defineResource, type Log, manyToMany } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const course = defineResource("course", { fields: { id: z.int32() }, access });
const enrollment = defineResource("enrollment", {
  fields: { id: z.int32(), studentId: z.int32(), courseId: z.int32() },
  access,
});

async function start(through: string) {
  const student = defineResource("student", {
    fields: { id: z.int32() },
    relations: { courses: manyToMany("course", { through }) },
    access,
  });
  const causes: unknown[] = [];
  const error = (_: string, entry?: { cause?: unknown }): void => void causes.push(entry?.cause);
  const log = { error, warn: () => {}, info: () => {}, debug: () => {} } as unknown as Log;
  const api = defineApi({ resources: [student, course, enrollment], store: sqlStore({ url: ":memory:" }), log });
  const isReady = await api.ready.then(
    () => true,
    () => false,
  );
  await api.close();
  return { isReady, cause: String(causes[0]) };
}

test("links cannot be stored in the table of a resource", async () => {
  expect(await start("enrollments")).toEqual({
    isReady: false,
    cause:
      "Error: The links of 'student.courses' would be stored in 'enrollments', the table of 'enrollment'. Set 'through' to another table.",
  });
  expect(await start("attendance")).toMatchObject({ isReady: true });
});
