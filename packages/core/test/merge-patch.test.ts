import { expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, memoryStore } from "../src/index.ts";
import { send } from "./request.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const thing = defineResource("thing", { fields: { id: z.int32(), value: z.json(), other: z.string() }, access });

/** RFC 7396, Appendix A, within a field. */
test.each<[string, string, string]>([
  ['{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
  ['{"a":"b"}', '{"a":null}', "{}"],
  ['{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
  ['{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
  ['{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
  ['{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
  ['{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
  ['["a","b"]', '["c","d"]', '["c","d"]'],
  ['{"a":"b"}', '["c"]', '["c"]'],
  ['{"a":"foo"}', "null", "null"],
  ['{"a":"foo"}', '"bar"', '"bar"'],
  ['{"e":null}', '{"a":1}', '{"e":null,"a":1}'],
  ["[1,2]", '{"a":"b","c":null}', '{"a":"b"}'],
  ["{}", '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
])("%s merged with %s", async (target, patch, expected) => {
  const row = { id: 1, value: JSON.parse(target) as unknown, other: "stays" };
  const api = defineApi({ resources: [thing], store: memoryStore({ data: { thing: [row] } }) });
  for (const type of ["application/merge-patch+json", "application/json"]) {
    await send(api, "PUT", "/things/1", { body: { value: row.value, other: "stays" } });
    const answer = await send(api, "PATCH", "/things/1", {
      text: `{"value":${patch}}`,
      headers: { "content-type": type },
    });
    expect(answer).toMatchObject({ status: 200 });
    expect(answer.body).toEqual({ id: 1, value: JSON.parse(expected), other: "stays" });
  }
});

test("of many patches into one object none is lost", async () => {
  const api = defineApi({
    resources: [thing],
    store: memoryStore({ data: { thing: [{ id: 1, value: {}, other: "" }] } }),
  });
  const answers = await Promise.all(
    ["a", "b", "c"].map((name) => send(api, "PATCH", "/things/1", { body: { value: { [name]: 1 } } })),
  );
  const done = answers.filter(({ status }) => status === 200).length;
  const { value } = (await send(api, "GET", "/things/1")).body as { value: object };
  expect(Object.keys(value)).toHaveLength(done);
  // Who loses three times over is told so, and nobody overwrites what another has written.
  expect(answers.every(({ status }) => status === 200 || status === 412)).toBe(true);
});
