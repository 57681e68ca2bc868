import type { Work } from "./works.ts";

/** A work with its contenders. */
export interface Chosen {
  readonly work: Work;
  readonly names: readonly string[];
}

/**
 * The works whose name contains the program's argument, with the contenders in ONLY ("bifocal-fastify,mercurius
 * jit"). Without them, all works. Throws if ONLY has an unknown contender.
 */
export function chooseWorks(works: readonly Work[]): readonly Chosen[] {
  const [part = ""] = process.argv.slice(2);
  const only = process.env["ONLY"]?.split(",");
  const known = new Set(works.flatMap(({ contenders }) => contenders));
  for (const name of only ?? []) if (!known.has(name)) throw new Error(`There is no contender ${name}.`);
  return works
    .filter(({ name }) => name.includes(part))
    .map((work) => ({ work, names: work.contenders.filter((name) => only?.includes(name) ?? true) }))
    .filter(({ names }) => names.length > 0);
}
