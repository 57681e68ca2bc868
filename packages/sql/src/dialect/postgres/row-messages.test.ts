import fc from "fast-check";
import { EventEmitter } from "node:events";
import pg from "pg";
import { expect, test } from "vitest";
import { RowMessages } from "./row-messages.ts";

interface RawConnection extends EventEmitter {
  attachListeners(stream: EventEmitter): void;
}
const Connection = (pg as unknown as { readonly Connection: new (options: object) => RawConnection }).Connection;

function message(type: string, body: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

function row(values: readonly (string | null)[]): Buffer {
  const parts = values.map((value) => {
    const bytes = value === null ? Buffer.alloc(0) : Buffer.from(value);
    const length = Buffer.alloc(4);
    length.writeInt32BE(value === null ? -1 : bytes.length);
    return Buffer.concat([length, bytes]);
  });
  const count = Buffer.alloc(2);
  count.writeInt16BE(values.length);
  return message("D", Buffer.concat([count, ...parts]));
}

const [parsed, bound] = [message("1", Buffer.alloc(0)), message("2", Buffer.alloc(0))];
const complete = message("C", Buffer.from("SELECT 1\0"));
const notice = message("N", Buffer.from("SNOTICE\0Mhello\0\0"));
const failure = message("E", Buffer.from("SERROR\0C22012\0Mdivision by zero\0\0"));
const ready = message("Z", Buffer.from("I"));

const NUMBERS = [true, false, true];

function withNumbers(values: readonly (string | null)[]): readonly unknown[] {
  return values.map((one, at) => (NUMBERS[at] === true && /^-?\d{1,15}$/.test(one ?? "") ? Number(one) : one));
}

/**
 * Records what arrives over a connection. Each query but the second one expects its rows, with integers in two places.
 */
function record(chunks: readonly Buffer[], reads: boolean): readonly unknown[] {
  const seen: unknown[] = [];
  const stream = new EventEmitter();
  const connection = new Connection({ stream });
  if (reads) RowMessages.read(connection as never);
  connection.attachListeners(stream);
  let query = 0;
  let expects = false;
  const send = (): void => {
    expects = query++ !== 1;
    if (expects) RowMessages.expect(connection, { numbers: NUMBERS, addRow: (values) => seen.push(values) });
  };
  connection.on("dataRow", ({ fields }: { readonly fields: readonly (string | null)[] }) =>
    seen.push(expects ? withNumbers(fields) : fields),
  );
  for (const name of ["parseComplete", "bindComplete", "commandComplete", "notice", "errorMessage"])
    connection.on(name, () => seen.push(name));
  connection.on("readyForQuery", () => {
    seen.push("readyForQuery");
    send();
  });
  send();
  for (const chunk of chunks) stream.emit("data", chunk);
  return seen;
}

function split(bytes: Buffer, places: readonly number[]): readonly Buffer[] {
  const cuts = [...new Set(places.map((place) => place % bytes.length))].toSorted((a, b) => a - b);
  return [0, ...cuts].map((start, at) => bytes.subarray(start, cuts[at] ?? bytes.length));
}

const value = fc.oneof(
  fc.string(),
  fc.string({ unit: "binary", maxLength: 30 }),
  fc.constant(null),
  fc.integer().map(String),
  fc.maxSafeInteger().map(String),
  fc.constantFrom("-0", "-", "12.5", "NaN", "1e3", "999999999999999", "1000000000000000"),
  fc
    .tuple(fc.constantFrom("a", "é", "😀"), fc.integer({ min: 1, max: 3_000 }))
    .map(([text, count]) => text.repeat(count)),
);
const anyMessage = fc.oneof(
  { weight: 4, arbitrary: fc.array(value, { maxLength: 6 }).map(row) },
  { weight: 2, arbitrary: fc.constantFrom(parsed, bound, complete, notice, failure) },
  { weight: 1, arbitrary: fc.constant(ready) },
);

test("gives the same rows and messages in the same order as pg, however the bytes are split", () => {
  let rows = 0;
  let queries = 0;
  fc.assert(
    fc.property(
      fc.array(anyMessage, { minLength: 1, maxLength: 40 }),
      fc.array(fc.nat(), { maxLength: 30 }),
      (messages, places) => {
        const bytes = Buffer.concat(messages);
        const expected = record([bytes], false);
        expect(record(split(bytes, places), true)).toEqual(expected);
        expect(record([bytes], true)).toEqual(expected);
        rows += expected.filter((one) => Array.isArray(one)).length;
        queries += expected.filter((one) => one === "readyForQuery").length;
      },
    ),
    { numRuns: 300 },
  );
  expect(rows).toBeGreaterThan(300);
  expect(queries).toBeGreaterThan(50);
});

test("reads rows whose bytes arrive one by one", () => {
  const bytes = Buffer.concat([bound, row(["1", null, "né"]), row(["2", "x".repeat(300), ""]), complete, ready]);
  const chunks = Array.from(bytes, (_, at) => bytes.subarray(at, at + 1));
  expect(record(chunks, true)).toEqual(record([bytes], false));
});

test("reads a value of many chunks in time that grows with its length", () => {
  const chunks = split(
    row(["x".repeat(30_000_000)]),
    Array.from({ length: 2_000 }, (_, at) => at * 15_000),
  );
  const [read] = record(chunks, true) as [readonly string[]];
  expect(read[0]).toHaveLength(30_000_000);
});

test("leaves bytes that are no message to pg", () => {
  const bytes = Buffer.from([0x48, 0, 0, 0, 1, 1, 2, 3]);
  expect(() => record([ready, bytes], false)).toThrow(RangeError);
  expect(() => record([ready, bytes], true)).toThrow(RangeError);
});

test("leaves all rows to a version of pg without attachListeners", () => {
  const connection = { stream: { destroy: () => {} } };
  RowMessages.read(connection);
  RowMessages.expect(connection, { numbers: undefined, addRow: () => {} });
  expect(connection).toEqual({ stream: { destroy: expect.any(Function) as () => void } });
});
