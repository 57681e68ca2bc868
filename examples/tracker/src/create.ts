import { apiKeys, defineApi, memoryStore, type Store } from "@bifocal/core";
import { graphiql } from "@bifocal/graphiql";
import { swaggerUi } from "@bifocal/swagger-ui";
import { makeKeys, principalOf } from "./people.ts";
import { comment } from "./resources/comment.ts";
import { issue } from "./resources/issue.ts";
import { label } from "./resources/label.ts";
import { member } from "./resources/member.ts";
import { milestone } from "./resources/milestone.ts";
import { organization } from "./resources/organization.ts";
import { project } from "./resources/project.ts";
import { timeEntry } from "./resources/time-entry.ts";
import { watch } from "./resources/watch.ts";

/** Creates the tracker's API, without a server. `keys` has an API key for each member. */
export function createTracker(store: Store = memoryStore()) {
  const keys = makeKeys();
  const api = defineApi({
    info: { title: "Tracker", version: "1.0.0", description: "Issues, projects and members of several organizations." },
    resources: [organization, member, project, label, milestone, issue, comment, timeEntry, watch],
    store,
    auth: apiKeys(Object.fromEntries([...keys].map(([id, key]) => [key, principalOf(id)]))),
    // This is a demo, so it is open in production too.
    introspection: true,
    developerPages: true,
    docs: swaggerUi(),
    graphql: { nonNullConnections: true, graphiql: graphiql() },
  });
  return { api, keys };
}

export type TrackerApi = ReturnType<typeof createTracker>["api"];
