import type { Command, Option } from "./command.ts";

/** Lists all commands, one per line. */
export function mainHelp(commands: readonly Command[]): string {
  return `bifocal <command> [options]

${listOf(commands)}

Run bifocal <command> --help for its options. The API module is --api, ${"`bifocal.api`"} in package.json, src/api.ts or api.ts.
Exit codes: 0 success, 1 failure or drift found, 2 usage error.`;
}

export function groupHelp(group: string, commands: readonly Command[]): string {
  return `bifocal ${group} <command> [options]\n\n${listOf(commands)}`;
}

export function commandHelp({ name, args = [], summary, details, options }: Command): string {
  const rows = Object.entries(options).map(([option, one]): [string, string] => [nameOf(option, one), one.description]);
  const parts = [
    `bifocal ${[name, ...args].join(" ")} [options]`,
    summary,
    ...(details === undefined ? [] : [details]),
    columns([...rows, ["--help", "show this help"]]),
  ];
  return parts.join("\n\n");
}

function nameOf(option: string, { value, short }: Option): string {
  return `--${option}${short === undefined ? "" : `, -${short}`}${value === undefined ? "" : ` ${value}`}`;
}

function listOf(commands: readonly Command[]): string {
  return columns(commands.map(({ name, args = [], summary }) => [[name, ...args].join(" "), summary]));
}

/** Formats rows of two cells as aligned columns. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
