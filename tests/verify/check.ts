import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A long check: a script of package.json that doesn't run for each commit. */
export interface Check {
  readonly name: string;
  /** The script in package.json. */
  readonly script: string;
  readonly shows: string;
  /** Environment variables that set its length, with their values at full length. */
  readonly runs?: Readonly<Record<string, number>>;
  /** Whether the script itself takes `--share`. */
  readonly hasShare?: boolean;
  /** The check is stopped after this many hours. */
  readonly hours: number;
}

/** The command for a share of a check. A check that cannot be shortened runs at full length. */
export interface Plan {
  readonly share: number;
  readonly env: Readonly<Record<string, string>>;
  readonly args: readonly string[];
  /** The same as a shell command. */
  readonly command: string;
}

export function readChecks(root: string): readonly Check[] {
  return JSON.parse(readFileSync(join(root, "tests/verify/checks.json"), "utf8")) as readonly Check[];
}

export function planCheck({ script, runs, hasShare = false }: Check, wanted: number): Plan {
  const share = runs === undefined && !hasShare ? 1 : wanted;
  const scaled = Object.entries(share === 1 ? {} : (runs ?? {}));
  const env = Object.fromEntries(scaled.map(([name, full]) => [name, String(Math.max(1, Math.round(full * share)))]));
  const args = hasShare && share !== 1 ? ["run", script, "--", "--share", String(share)] : ["run", script];
  const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  return { share, env, args, command: [...variables, "npm", ...args].join(" ") };
}
