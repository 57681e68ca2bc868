import { closestName } from "@bifocal/core/internal";
import { parseArgs } from "node:util";
import { type Command, EXIT, type ExitCode, UsageError } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import { commandHelp, groupHelp, mainHelp } from "./help.ts";
import { type Io, paint, print, printMessage } from "./io.ts";
import { messageOf } from "./message-of.ts";
import { version } from "./version.ts";

const HELP = new Set(["--help", "-h", "help"]);

/** Runs one command. Never throws: prints errors to stderr and returns the exit code. */
export async function runCli(argv: readonly string[], io: Io): Promise<ExitCode> {
  try {
    return await dispatch(argv, io);
  } catch (thrown) {
    printMessage(io, `${paint(io.err, "red", "error:")} ${messageOf(thrown)}`);
    return thrown instanceof UsageError ? EXIT.usage : EXIT.failed;
  }
}

async function dispatch(argv: readonly string[], io: Io): Promise<ExitCode> {
  const [first, second] = argv;
  if (first === "help" && second !== undefined) return dispatch([...argv.slice(1), "--help"], io);
  if (first === undefined || HELP.has(first)) return help(io, mainHelp(COMMANDS), first !== undefined);
  if (first === "--version" || first === "-v") {
    print(io, version());
    return EXIT.done;
  }
  const one = COMMANDS.find(({ name }) => name === first);
  if (one !== undefined) return call(one, argv.slice(1), io);
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length === 0) throw new UsageError(`${unknown(first, mainNames())}\n\n${mainHelp(COMMANDS)}`);
  if (second === undefined || HELP.has(second)) return help(io, groupHelp(first, group), second !== undefined);
  const member = group.find(({ name }) => name === `${first} ${second}`);
  if (member === undefined) {
    const names = group.map(({ name }) => name).join(", ");
    const message = unknown(
      `${first} ${second}`,
      group.map(({ name }) => name),
    );
    throw new UsageError(`${message} Available: ${names}.`);
  }
  return call(member, argv.slice(2), io);
}

function mainNames(): readonly string[] {
  return COMMANDS.map(({ name }) => name.split(" ", 1)[0] as string);
}

function unknown(command: string, known: readonly string[]): string {
  const closest = closestName(command, known);
  return `Unknown command '${command}'.${closest === undefined ? "" : ` Did you mean '${closest}'?`}`;
}

/** Requested help goes to stdout; help after an incomplete command goes to stderr with exit code 2. */
function help(io: Io, text: string, isRequested: boolean): ExitCode {
  if (isRequested) print(io, text);
  else printMessage(io, text);
  return isRequested ? EXIT.done : EXIT.usage;
}

async function call(command: Command, argv: readonly string[], io: Io): Promise<ExitCode> {
  if (argv.includes("--help") || argv.includes("-h")) {
    print(io, commandHelp(command));
    return EXIT.done;
  }
  const { values, positionals } = parse(command, argv);
  const { args = [], name } = command;
  if (positionals.length > args.length) {
    throw new UsageError(`Unexpected argument '${positionals[args.length]}'. Run bifocal ${name} --help for usage.`);
  }
  if (positionals.length < args.length) {
    throw new UsageError(`Missing argument ${args[positionals.length]}. Run bifocal ${name} --help for usage.`);
  }
  return command.run({ values, args: positionals, io });
}

function parse({ name, options }: Command, argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true, strict: true });
  } catch (thrown) {
    const [first = ""] = messageOf(thrown).split(". To specify");
    throw new UsageError(`${first.replace(/\.$/, "")}. Run bifocal ${name} --help for usage.`);
  }
}
