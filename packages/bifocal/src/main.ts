#!/usr/bin/env node
import { Console } from "node:console";
import process from "node:process";
import { runCli } from "./cli.ts";

// What an application prints while it is loaded must not get into what is printed for others to read.
globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });

// Whoever reads through `head` has seen enough.
process.stdout.on("error", () => process.exit());

process.exitCode = await runCli(process.argv.slice(2), {
  folder: process.cwd(),
  out: process.stdout,
  err: process.stderr,
});
// An application may have begun to listen, or to poll: that is nothing to wait for.
await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write("", done))));
process.exit();
