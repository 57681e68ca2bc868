import { Console } from "node:console";
import process from "node:process";
import { runCli } from "./cli.ts";

/** Runs the command in the arguments of the process, and ends the process. */
export async function main(): Promise<never> {
  // Keeps the application's own output out of stdout while it is loaded.
  globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });

  // A reader such as `head` closes the pipe early.
  process.stdout.on("error", () => process.exit());

  process.exitCode = await runCli(process.argv.slice(2), {
    folder: process.cwd(),
    out: process.stdout,
    err: process.stderr,
  });
  // Exit even if the application keeps a server or a timer open.
  await Promise.all([process.stdout, process.stderr].map((stream) => new Promise((done) => stream.write("", done))));
  process.exit();
}
