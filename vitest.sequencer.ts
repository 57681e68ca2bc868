import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Files that take about a minute or more on 2 cores. `.ci/run` prints the slowest files. */
const LONG = [
  "tests/client/rest-on-hosts.test.ts",
  "tests/client/graphql-on-hosts.test.ts",
  "tests/runtimes/runtimes.test.ts",
  "tests/fuzz/routes.test.ts",
  "tests/bookstore/events.test.ts",
  "tests/security/auth/flood.test.ts",
  "tests/security/tenants/border.test.ts",
  "tests/chaos/chaos.test.ts",
  "packages/sql/test/differential/differential.test.ts",
  "packages/sql/test/hosted/store-cases.test.ts",
  "packages/sql/test/store-cases.test.ts",
];

/**
 * Starts long files first within each project, so that no worker is left alone with one at the end. Vitest starts large
 * files first unless it remembers how long they took, which it can't in a fresh clone.
 */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const byProject = Map.groupBy(await super.sort(files), ({ project }) => project);
    return [...byProject.values()].flatMap((own) => own.toSorted((a, b) => rankOf(a) - rankOf(b)));
  }
}

function rankOf({ moduleId }: TestSpecification): number {
  const rank = LONG.findIndex((file) => moduleId.endsWith(`/${file}`));
  return rank === -1 ? LONG.length : rank;
}
