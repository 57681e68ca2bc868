import type { Command, Option } from "./command.ts";

/** Every command, one a line. */
export function mainHelp(commands: readonly Command[]): string {
  return `bifocal <command> [options]

${listOf(commands)}

Each command has a --help of its own. The API is found in ${"`bifocal.api`"} of package.json or in a usual place
(src/api.ts, api.ts); --api says where else. Exit codes: 0 done, 1 failed or found something, 2 called in a wrong way.`;
}

export function groupHelp(group: string, commands: readonly Command[]): string {
  return `bifocal ${group} <command> [options]\n\n${listOf(commands)}`;
}

export function commandHelp({ name, args = [], summary, details, options }: Command): string {
  const rows = Object.entries(options).map(([option, one]): [string, string] => [nameOf(option, one), one.says]);
  const parts = [
    `bifocal ${[name, ...args].join(" ")} [options]`,
    summary,
    ...(details === undefined ? [] : [details]),
    columns([...rows, ["--help", "this"]]),
  ];
  return parts.join("\n\n");
}

function nameOf(option: string, { value, short }: Option): string {
  return `--${option}${short === undefined ? "" : `, -${short}`}${value === undefined ? "" : ` ${value}`}`;
}

function listOf(commands: readonly Command[]): string {
  return columns(commands.map(({ name, args = [], summary }) => [[name, ...args].join(" "), summary]));
}

/** Rows of two, the second in line. */
export function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join("\n");
}
