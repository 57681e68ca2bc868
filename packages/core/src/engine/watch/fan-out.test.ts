import { expect, test } from "vitest";
import { FanOut } from "./fan-out.ts";

class Recorded extends FanOut<string, number> {
  readonly calls: string[] = [];

  endAll(): void {}

  protected open(): () => void {
    this.calls.push(`open with ${this.members.size}`);
    return () => this.calls.push(`close with ${this.members.size}`);
  }
}

test("opens for the first member and closes after the last one", () => {
  const shared = new Recorded();
  shared.add("a", 1);
  shared.add("b", 2);
  shared.delete("a");
  expect(shared.calls).toEqual(["open with 1"]);
  shared.delete("b");
  expect(shared.calls).toEqual(["open with 1", "close with 0"]);
});

test("opens again for a later member", () => {
  const shared = new Recorded();
  shared.add("a", 1);
  shared.delete("a");
  shared.add("a", 2);
  expect(shared.get("a")).toBe(2);
  expect(shared.calls).toEqual(["open with 1", "close with 0", "open with 1"]);
});

test("deleting a member twice has no effect", () => {
  const shared = new Recorded();
  shared.add("a", 1);
  shared.delete("b");
  shared.delete("a");
  shared.delete("a");
  expect(shared.calls).toEqual(["open with 1", "close with 0"]);
});
