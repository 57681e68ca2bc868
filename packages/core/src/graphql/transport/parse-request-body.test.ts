import fc from "fast-check";
import { expect, test, vi } from "vitest";
import { DEFAULT_LIMITS, type Limits } from "../../limits/limits.ts";
import { parseJsonBody } from "../../message/json-body.ts";
import { createParseRequestBody } from "./parse-request-body.ts";

const limits: Limits = { ...DEFAULT_LIMITS, http: { ...DEFAULT_LIMITS.http, jsonDepth: 4, jsonKeys: 5 } };
const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

function attempt(parse: () => unknown): unknown {
  try {
    return { value: parse() };
  } catch (thrown) {
    return { message: (thrown as Error).message };
  }
}

const parseAsJson = (texts: readonly string[]): readonly unknown[] =>
  texts.map((text) => attempt(() => parseJsonBody(encode(text), limits.http.jsonDepth, limits.http.jsonKeys)));

function parseInOrder(texts: readonly string[]): readonly unknown[] {
  const parse = createParseRequestBody(limits);
  return texts.map((text) => attempt(() => parse(encode(text))));
}

/** Repeats the texts, so that their documents become known. */
const thrice = (texts: readonly string[]): readonly string[] => [...texts, ...texts, ...texts];

const query = '{"query":"{ a(b: \\"\\\\\\" {\\u0061é\\") }"';

test.each([
  '{"query":"{ a }"}',
  `${query}}`,
  `${query}} `,
  `${query} , "variables" : {"a":[{"b":"}"}]},"operationName":null}`,
  // Invalid JSON.
  `${query}`,
  `${query},}`,
  `${query}, }`,
  `${query}}}`,
  `${query}}{}`,
  `${query}"}`,
  '{"query":"',
  '{"query":"\\"}',
  '{"query":"\n"}',
  // Not a document alone.
  '{"query":""}',
  '{"query":"a","query":"b"}',
  '{"query":"a","query":0}',
  '{"query":"a","qu\\u0065ry":"b"}',
  '{"query":"a","variables":{"query":"b"}}',
  '{"query":"a","variables":{"b":1,"b":2}}',
  '{"query":"a","variables":{"__proto__":{}}}',
  '{"query":"a","__proto__":{}}',
  '{"query":"a","constructor":{"prototype":1}}',
  '{"query":"__proto__: constructor","variables":{}}',
  '{"query":"a","variables":{"a":{"b":{"c":{}}}}}',
  '{"query":"a","b":1,"c":2,"d":3,"e":4}',
  '{"query":"a","b":1,"c":2,"d":3,"e":4,"f":5}',
  '\ufeff{"query":"a"}',
  '[{"query":"a"}]',
])("parses %s like any JSON body", (text) => {
  const texts = thrice([`${query}}`, '{"query":"a"}', text]);
  expect(parseInOrder(texts)).toStrictEqual(parseAsJson(texts));
});

test("parses like any JSON body, whatever follows a known document", () => {
  const document = fc.string({ unit: fc.constantFrom("a", '"', "\\", "\n", "é", "{", "}", ":") });
  const member = fc.tuple(fc.constantFrom("query", "variables", "a", "__proto__"), fc.json({ maxDepth: 3 }));
  const edit = fc.record({
    at: fc.nat(60),
    length: fc.nat(3),
    text: fc.constantFrom("", ",", "}", '"', "\\", " ", ":"),
  });
  fc.assert(
    fc.property(document, fc.array(member, { maxLength: 5 }), fc.option(edit), (text, members, change) => {
      const others = members.map(([name, value]) => `,${JSON.stringify(name)}:${value}`).join("");
      const known = `{"query":${JSON.stringify(text)}`;
      const rest = `${others}}`;
      const edited =
        change === null ? rest : rest.slice(0, change.at) + change.text + rest.slice(change.at + change.length);
      const texts = thrice([`${known}}`, known + edited]);
      expect(parseInOrder(texts)).toStrictEqual(parseAsJson(texts));
    }),
    { numRuns: 300 },
  );
});

/** Returns the number of JSON texts that are parsed while `work` runs. */
function countParsed(work: () => void): number {
  const spy = vi.spyOn(JSON, "parse");
  work();
  const { length } = spy.mock.calls;
  spy.mockRestore();
  return length;
}

test("decodes a document no more after its second use", () => {
  const parse = createParseRequestBody(limits);
  const send = (): void => void parse(encode('{"query":"{ a }"}'));
  expect(countParsed(send)).toBe(1);
  send();
  expect(countParsed(send)).toBe(0);
});

test("keeps no more documents than fit", () => {
  const parse = createParseRequestBody({ ...limits, graphql: { ...limits.graphql, cacheBytes: 16_384 } });
  const send = (document: string) => (): void => void parse(encode(JSON.stringify({ query: document })));
  const documents = Array.from({ length: 100 }, (_, index) => `{ a${index} }`);
  for (const document of documents) for (let use = 0; use < 2; use++) send(document)();
  // The newest first, because a document that is sent again evicts the oldest one.
  const kept = documents.toReversed().filter((document) => countParsed(send(document)) === 0);
  expect(kept.length).toBeGreaterThan(5);
  expect(kept.length).toBeLessThan(20);
  const long = "a".repeat(1_000);
  for (let use = 0; use < 2; use++) send(long)();
  expect(countParsed(send(long))).toBe(1);
});
