import { isAscii } from "node:buffer";
import type { AnyClient } from "./pg.ts";

/** Receives the rows of a statement. */
export interface RowTarget {
  /** Whether each value of the next row is needed only as a number. */
  readonly numbers: readonly boolean[] | undefined;
  addRow(values: readonly RowValue[]): void;
}

/** Text, or an integer that was needed as a number. */
type RowValue = string | number | null;

export interface ByteStream {
  on(event: string, listener: (chunk: Buffer) => void): unknown;
}

/** The type of a message and its length, which includes itself but not the type. */
const HEADER = 5;
const DATA_ROW = 68;
const READY_FOR_QUERY = 90;
const MINUS = 45;
const ZERO = 48;
/** Numbers represent all integers of this length exactly. */
const MAX_DIGITS = 15;
/** The maximum number of bytes with a common text. A value keeps all of that text in memory. */
const MAX_SHARED = 1_024;

const readers = new WeakMap<object, RowMessages>();

/**
 * Reads the rows of a connection for the queries that expect them (PostgreSQL, 55.7, `DataRow`), and passes all other
 * messages to `pg`. `pg` creates a text from the bytes of each value, which takes more than twice as long as parts of a
 * common text.
 */
export class RowMessages {
  readonly #pass: (bytes: Buffer) => void;
  #target: RowTarget | undefined;
  /** The beginning of a message, and how many bytes are needed to go on. */
  #parts: Buffer[] = [];
  #size = 0;
  #needed = 0;
  #isOtherProtocol = false;

  private constructor(pass: (bytes: Buffer) => void) {
    this.#pass = pass;
  }

  /** Reads the rows of `connection` from its first message on. Another version of `pg` may read them itself. */
  static read(connection: AnyClient["connection"]): void {
    const attach = connection.attachListeners?.bind(connection);
    if (attach === undefined) return;
    connection.attachListeners = (stream) => {
      let pass: ((bytes: Buffer) => void) | undefined;
      const passed = Object.create(stream) as ByteStream;
      passed.on = (event, listener) => {
        if (event === "data") pass = listener;
        else stream.on(event, listener);
        return passed;
      };
      attach(passed);
      if (pass === undefined) return;
      const reader = new RowMessages(pass);
      readers.set(connection, reader);
      stream.on("data", (chunk) => reader.receive(chunk));
    };
  }

  /** Gives `target` the rows of the query that is being sent over `connection`. */
  static expect(connection: object, target: RowTarget): void {
    const reader = readers.get(connection);
    if (reader !== undefined) reader.#target = target;
  }

  receive(chunk: Buffer): void {
    let rest = chunk;
    while (this.#size > 0) {
      const missing = this.#needed - this.#size;
      this.#parts.push(rest.subarray(0, missing));
      if (rest.length < missing) {
        this.#size += rest.length;
        return;
      }
      const joined = Buffer.concat(this.#parts, this.#needed);
      rest = rest.subarray(missing);
      this.#size = 0;
      this.#readAll(joined);
    }
    if (rest.length > 0) this.#readAll(rest);
  }

  #readAll(bytes: Buffer): void {
    const { length } = bytes;
    let rows: RowBytes | undefined;
    let at = 0;
    let passed = 0;
    let needed = HEADER;
    while (at + HEADER <= length && !this.#isOtherProtocol) {
      const size = int32(bytes, at + 1);
      this.#isOtherProtocol = size < 4;
      needed = 1 + size;
      const next = at + needed;
      if (next > length || this.#isOtherProtocol) break;
      const type = bytes[at];
      if (type === DATA_ROW) {
        if (passed < at) this.#pass(bytes.subarray(passed, at));
        passed = at;
        if (this.#target !== undefined) {
          rows ??= new RowBytes(bytes);
          this.#target.addRow(rows.read(at + HEADER, next, this.#target.numbers));
          passed = next;
        }
      } else if (type === READY_FOR_QUERY) {
        // While it handles this message, `pg` may send the next query.
        this.#target = undefined;
      }
      at = next;
      needed = HEADER;
    }
    // `pg` reports what isn't a message.
    if (this.#isOtherProtocol) at = length;
    if (passed < at) this.#pass(bytes.subarray(passed, at));
    if (at === length) return;
    this.#parts = [bytes.subarray(at)];
    this.#size = length - at;
    this.#needed = needed;
  }
}

/** The rows within a part of the messages. */
class RowBytes {
  readonly #bytes: Buffer;
  /** Whether all bytes are known to be ASCII. */
  readonly #isPlain: boolean;
  /** The text of some of the bytes, a character for each, and where they start and end. */
  #text = "";
  #start = 0;
  #end = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#isPlain = isAscii(bytes);
  }

  /** Returns the values of the row between two places. */
  read(start: number, end: number, numbers: readonly boolean[] | undefined): readonly RowValue[] {
    const bytes = this.#bytes;
    const count = ((bytes[start] as number) << 8) | (bytes[start + 1] as number);
    const isShared = end - start <= MAX_SHARED && (this.#isPlain || areAscii(bytes, start + 2, count));
    if (isShared && end > this.#end) {
      this.#start = start;
      this.#end = Math.min(start + MAX_SHARED, bytes.length);
      this.#text = bytes.toString("latin1", start, this.#end);
    }
    const text = this.#text;
    const before = this.#start;
    // oxlint-disable-next-line unicorn/no-new-array -- `count` is the length. An array that grows takes five times the memory.
    const values = new Array<RowValue>(count);
    let at = start + 2;
    for (let index = 0; index < count; index++) {
      const length = int32(bytes, at);
      at += 4;
      if (length < 0) {
        values[index] = null;
        continue;
      }
      const next = at + length;
      const integer = numbers?.[index] === true ? integerAt(bytes, at, next) : undefined;
      values[index] = integer ?? (isShared ? text.slice(at - before, next - before) : bytes.toString("utf8", at, next));
      at = next;
    }
    return values;
  }
}

function int32(bytes: Buffer, at: number): number {
  return (
    ((bytes[at] as number) << 24) |
    ((bytes[at + 1] as number) << 16) |
    ((bytes[at + 2] as number) << 8) |
    (bytes[at + 3] as number)
  );
}

/** Returns undefined for any other text, and for integers that may not be exact. */
function integerAt(bytes: Buffer, start: number, end: number): number | undefined {
  const isNegative = bytes[start] === MINUS;
  const first = isNegative ? start + 1 : start;
  if (first === end || end - first > MAX_DIGITS) return undefined;
  let integer = 0;
  for (let at = first; at < end; at++) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return undefined;
    integer = 10 * integer + digit;
  }
  return isNegative ? -integer : integer;
}

/** Whether all values of a row are ASCII. Their lengths may have other bytes. */
function areAscii(bytes: Buffer, first: number, count: number): boolean {
  let seen = 0;
  let at = first;
  for (let index = 0; index < count; index++) {
    const next = at + 4 + Math.max(0, int32(bytes, at));
    for (at += 4; at < next; at++) seen |= bytes[at] as number;
  }
  return seen < 0x80;
}
