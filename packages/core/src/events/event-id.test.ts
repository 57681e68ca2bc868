import { expect, test } from "vitest";
import { createLogName, eventId, offsetOf } from "./event-id.ts";

const [log, other] = [createLogName(), createLogName()];
const OFFSETS = [0, 1, 2, 3, 255, 256, 65_535, 1_000_000, 2 ** 48 - 1];

test.each(OFFSETS)("the id of position %i leads back to it, only in its own log", (offset) => {
  const id = eventId(log, offset);
  expect(eventId(log, offset)).toBe(id);
  expect(offsetOf(log, id)).toBe(offset);
  expect(offsetOf(other, id)).toBeUndefined();
});

test("ids reveal no positions: they have one length and no common part", () => {
  const ids = Array.from({ length: 1_000 }, (_, offset) => eventId(log, offset));
  expect(new Set(ids.map(({ length }) => length))).toEqual(new Set([22]));
  expect(new Set(ids.map((id) => id.slice(0, 8))).size).toBe(ids.length);
  expect(new Set(ids.map((id) => id.slice(-8))).size).toBe(ids.length);
});

test.each(["", "1", "x.1", `${log}.1`, "A".repeat(22), "!".repeat(22), `${eventId(log, 1)}=`, `${eventId(log, 1)}A`])(
  "rejects %s as an id of the log",
  (id) => {
    expect(offsetOf(log, id)).toBeUndefined();
  },
);
