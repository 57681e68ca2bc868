import fc from "fast-check";
import jsonPatch, { type Operation } from "fast-json-patch";
import { describe, expect, test } from "vitest";
import { DEFAULT_LIMITS } from "../../src/index.ts";
import { applyJsonPatch } from "../../src/rest/patch/apply-json-patch.ts";
import { parseJsonPatch } from "../../src/rest/patch/json-patch.ts";
import type { Json } from "../../src/util/json.ts";
import { send } from "../request.ts";
import { createLibrary } from "./library.ts";

const type = { "content-type": "application/json-patch+json" };

function patch(document: Json, steps: unknown): Json {
  return applyJsonPatch(document, parseJsonPatch(steps, DEFAULT_LIMITS), DEFAULT_LIMITS);
}

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 3_000);

describe("gives the same result as fast-json-patch", () => {
  const name = fc.constantFrom("a", "b", "c/d", "~e", "0", "1", "-");
  const { value } = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(null, true, 0, 1, ""),
      fc.array(tie("value"), { maxLength: 3 }),
      fc.dictionary(name, tie("value"), { maxKeys: 3 }),
    ),
  }));
  const pointer = fc
    .array(name, { maxLength: 3 })
    .map((names) => names.map((one) => `/${one.replaceAll("~", "~0").replaceAll("/", "~1")}`).join(""));
  const step = fc.oneof(
    fc.record({ op: fc.constantFrom("add", "replace", "test"), path: pointer, value }),
    fc.record({ op: fc.constant("remove"), path: pointer }),
    fc.record({ op: fc.constantFrom("move", "copy"), from: pointer, path: pointer }),
  );

  /** Writes a move as remove and add, and a copy as add (§4.4, §4.5), so that the oracle checks all parts. */
  function plain(document: Json, step: Operation): Operation[] {
    if (step.op !== "move" && step.op !== "copy") return [step];
    const value: unknown = jsonPatch.getValueByPointer(document, step.from);
    if (value === undefined) throw new Error("There is nothing to move.");
    const add = { op: "add", path: step.path, value: structuredClone(value) } as const;
    if (step.op === "copy") return [add];
    return step.from === step.path ? [] : [{ op: "remove", path: step.from }, add];
  }

  function oracle(document: Json, steps: readonly unknown[]): Json {
    let result = structuredClone(document);
    try {
      for (const step of structuredClone(steps) as Operation[]) {
        const operations = plain(result, step);
        result = jsonPatch.applyPatch(result, operations, true, true, false).newDocument;
      }
      return result;
    } catch {
      return "refused";
    }
  }

  test("for any patch", () => {
    let fitting = 0;
    fc.assert(
      fc.property(
        fc.dictionary(name, value, { maxKeys: 4 }),
        fc.array(step, { minLength: 1, maxLength: 4 }),
        (document, steps) => {
          // The oracle differs for the whole document, values moved into themselves, and empty names in lists.
          fc.pre(steps.every((one) => one.path !== "" && !("from" in one && one.path.startsWith(`${one.from}/`))));
          const before = structuredClone(document);
          const expected = oracle(document, steps);
          let found: Json;
          try {
            found = patch(document, steps);
            fitting++;
          } catch {
            found = "refused";
          }
          expect([found, steps]).toEqual([expected, steps]);
          expect(document).toEqual(before);
        },
      ),
      { numRuns: RUNS },
    );
    expect(fitting).toBeGreaterThan(100);
  });
});

test("applies all six operations to a row", async () => {
  const api = createLibrary();
  const body = [
    { op: "test", path: "/title", value: "Emma" },
    { op: "replace", path: "/title", value: "Emma!" },
    { op: "add", path: "/words/0", value: "first" },
    { op: "copy", from: "/words/0", path: "/words/-" },
    { op: "remove", path: "/size/height" },
    { op: "move", from: "/words/1", path: "/words/0" },
  ];
  const answer = await send(api, "PATCH", "/books/1", { body, headers: type });
  expect(answer).toMatchObject({
    status: 200,
    body: { title: "Emma!", words: ["match", "first", "first"], size: { width: 2 }, revision: 2 },
  });
});

test.each<[string, unknown, number, object]>([
  [
    "a failed test",
    [
      { op: "replace", path: "/price", value: 1 },
      { op: "test", path: "/title", value: "Other" },
    ],
    409,
    { path: [1], code: "test_failed" },
  ],
  ["a missing path", [{ op: "remove", path: "/words/9" }], 409, { path: [0], code: "no_such_place" }],
  ["an unknown field", [{ op: "add", path: "/nope", value: 1 }], 422, { path: ["nope"], code: "unrecognized_key" }],
  ["an immutable field", [{ op: "replace", path: "/isbn", value: "2" }], 422, { path: ["isbn"], code: "immutable" }],
  [
    "a field that the server sets",
    [{ op: "replace", path: "/revision", value: 9 }],
    422,
    { path: ["revision"], code: "not_writable" },
  ],
  ["removal of a required field", [{ op: "remove", path: "/title" }], 422, { path: ["title"], code: "required" }],
  ["a bad value", [{ op: "replace", path: "/price", value: -1 }], 422, { path: ["price"] }],
  ["no list", { op: "test" }, 400, { code: "invalid_patch" }],
  ["an unknown operation", [{ op: "delete", path: "/title" }], 400, { path: [0, "op"] }],
  ["no pointer", [{ op: "remove", path: "title" }], 400, { path: [0, "path"] }],
  ["no value", [{ op: "add", path: "/title" }], 400, { path: [0, "value"] }],
  [
    "too many operations",
    Array.from({ length: 1_001 }, () => ({ op: "test", path: "/id", value: 1 })),
    400,
    { code: "too_many" },
  ],
  [
    "copies of copies",
    [
      { op: "add", path: "/x", value: [] },
      ...Array.from({ length: 40 }, () => ({ op: "copy", from: "", path: "/x/-" })),
    ],
    400,
    { code: "too_large" },
  ],
])("%s changes nothing", async (_what, body, status, issue) => {
  const api = createLibrary();
  const answer = await send(api, "PATCH", "/books/1", { body, headers: type });
  expect(answer).toMatchObject({ status, body: { errors: [issue] } });
  expect((await send(api, "GET", "/books/1")).body).toMatchObject({ title: "Emma", price: 10, revision: 1 });
});

test("I18: keeps the changes of several concurrent patches of one list, and overwrites nothing", async () => {
  const api = createLibrary();
  const append = (value: string, headers = {}): ReturnType<typeof send> =>
    send(api, "PATCH", "/books/2", {
      body: [{ op: "add", path: "/words/-", value }],
      headers: { ...type, ...headers },
    });
  const answers = await Promise.all(["a", "b", "c"].map((value) => append(value)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
  const { body } = await send(api, "GET", "/books/2");
  expect((body as { words: string[] }).words.toSorted()).toEqual(["a", "b", "c"]);
  expect((await append("d", { "if-match": '"1"' })).status).toBe(412);
  expect((await append("d", { "if-match": "*" })).status).toBe(200);
});
