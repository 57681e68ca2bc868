import type { Store } from "@bifocal/core";
import { fillStore } from "@bifocal/core/store";
import type { TrackerApi } from "./create.ts";
import { ACME, GLOBEX, PEOPLE, principalOf } from "./people.ts";

const ISSUES = ["Login fails after an update", "Show the total on the start page", "Export issues as CSV"];

/** Creates two organizations with their members, and a project with issues in each, unless there are some. */
export async function seed(api: TrackerApi, store: Store): Promise<void> {
  await api.ready;
  const organization = [
    { id: ACME, name: "Acme" },
    { id: GLOBEX, name: "Globex" },
  ];
  const member = PEOPLE.map(({ id, orgId, name, email }) => ({ id, orgId, name, email }));
  if (!(await fillStore(store, api.model, { organization, member }))) return;
  for (const [admin, key] of [
    ["ann", "WEB"],
    ["zoe", "APP"],
  ] as const) {
    const local = api.as(principalOf(admin));
    const project = await local.project.create({ key, name: `${key} project` });
    const projectId = project?.id ?? "";
    await local.label.create({ projectId, name: "bug", color: "#cc0000" });
    for (const title of ISSUES) await local.issue.create({ projectId, title });
  }
}
