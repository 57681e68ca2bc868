import { allow, defineApi, defineResource, manyToMany, silentLog } from "@bifocal/core";
import { expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const course = defineResource("course", { fields: { id: z.int32() }, access });
const enrollment = defineResource("enrollment", {
  fields: { id: z.int32(), studentId: z.int32(), courseId: z.int32() },
  access,
});

function start(through: string) {
  const student = defineResource("student", {
    fields: { id: z.int32() },
    relations: { courses: manyToMany("course", { through }) },
    access,
  });
  return defineApi({
    resources: [student, course, enrollment],
    store: sqlStore({ url: ":memory:" }),
    log: silentLog,
  });
}

test("links cannot be stored in the table of a resource", async () => {
  expect(() => start("enrollments")).toThrow(
    "student.relations.courses: The links would be stored in 'enrollments', the table of 'enrollment'.\n    Set 'through' to another table.",
  );
  const api = start("attendance");
  await api.ready;
  await api.close();
});
