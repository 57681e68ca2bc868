import { expect, test } from "vitest";
import { nodeProblem } from "./node-problem.ts";

test.each(["18.20.8", "20.19.2", "22.17.1"])("rejects Node %s with the version that is required", (node) => {
  expect(nodeProblem({ ...process.versions, node })).toBe(
    `bifocal requires Node 22.18 or newer, and this is Node ${node}. Install a newer version of Node.`,
  );
});

test.each(["22.18.0", "22.21.0", "24.11.0", "26.0.0"])("accepts Node %s", (node) => {
  expect(nodeProblem({ ...process.versions, node })).toBeUndefined();
});

test.each(["bun", "deno"])("accepts %s, whatever version of Node it resembles", (name) => {
  expect(nodeProblem({ ...process.versions, node: "20.0.0", [name]: "1.0.0" })).toBeUndefined();
});
