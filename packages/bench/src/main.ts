// Runs the benchmarks that need no database.
import { compareAll } from "./compare.ts";
import { works } from "./works.ts";

await compareAll(works);
