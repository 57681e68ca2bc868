#!/usr/bin/env node
import process from "node:process";
import { nodeProblem } from "./node-problem.ts";

// Everything else is imported later, because older versions of Node might fail to load it.
const problem = nodeProblem(process.versions);
if (problem === undefined) {
  const { main } = await import("./run-main.ts");
  await main();
} else {
  process.stderr.write(`error: ${problem}\n`);
  process.exitCode = 2;
}
