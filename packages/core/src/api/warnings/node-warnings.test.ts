import { expect, test } from "vitest";
import { nodeWarnings } from "./node-warnings.ts";

test.each<[version: string, today: string, isTold: boolean]>([
  ["18.20.8", "2026-01-01", true],
  ["20.20.2", "2026-05-01", true],
  ["22.22.0", "2027-04-30", false],
  ["22.22.0", "2027-05-01", true],
  ["23.11.0", "2026-01-01", true],
  ["24.21.0", "2026-11-21", false],
  ["25.2.0", "2026-06-02", true],
  ["26.10.0", "2026-11-21", false],
  ["28.0.0", "2027-05-01", false],
])("node_version: Node %s on %s", (version, today, isTold) => {
  const codes = [...nodeWarnings(version, new Date(today))].map(({ code }) => code);
  expect(codes).toEqual(isTold ? ["node_version"] : []);
});
