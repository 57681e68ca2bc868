import { manifest } from "./version.ts";

/** Returns an error message if this version of Node is older than `engines` in package.json allows. */
export function nodeProblem({ node, bun, deno }: NodeJS.ProcessVersions): string | undefined {
  // Bun and Deno report the version of Node that they resemble, and run TypeScript themselves.
  if (bun !== undefined || deno !== undefined) return undefined;
  const required = manifest().engines.node.replace(">=", "");
  const [major = 0, minor = 0] = required.split(".").map(Number);
  const [ownMajor = 0, ownMinor = 0] = node.split(".").map(Number);
  if (ownMajor > major || (ownMajor === major && ownMinor >= minor)) return undefined;
  return `bifocal requires Node ${required} or newer, and this is Node ${node}. Install a newer version of Node.`;
}
