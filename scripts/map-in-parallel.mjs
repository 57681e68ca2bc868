import { availableParallelism } from "node:os";

/** Runs a task for each item, as many at once as there are cores. Returns the results in the order of the items. */
export async function mapInParallel(items, task) {
  const results = [];
  const rest = [...items].entries();
  const work = async () => {
    for (const [index, item] of rest) results[index] = await task(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return results;
}
