import assert from "node:assert/strict";
import { ADMIN } from "../bookstore.ts";
import type { Judge } from "../judge.ts";
import { APOLLO_CACHE_JUDGES } from "./apollo-cache.ts";
import { APOLLO } from "./apollo.ts";
import type { Client, Connection, Told } from "./client.ts";
import { inTime } from "./in-time.ts";
import { fillShelf, type Shelf } from "./shelf.ts";
import { REFUSED, type Row, ROWS, type SubscriptionRow, SUBSCRIPTIONS } from "./table.ts";
import { urqlCache } from "./urql-cache.ts";
import { URQL } from "./urql.ts";
import { WIRE_JUDGES } from "./wire-judges.ts";

/** The server rejects the document with a status, and the client of graphql-sse reports only that. */
const TELLS_STATUS_ALONE = "Apollo Client over one event stream (graphql-sse)";

function tableJudge(name: string, connect: (connection: Connection) => Client): Judge {
  const refused: Row =
    name === TELLS_STATUS_ALONE
      ? { ...REFUSED, expected: () => ({ data: null, errors: [], failed: "Server responded with 400: Bad Request" }) }
      : REFUSED;
  return {
    name,
    async run({ url }) {
      const clients = {
        nobody: connect({ url: `${url}/graphql` }),
        admin: connect({ url: `${url}/graphql`, key: ADMIN }),
      };
      const shelf = await fillShelf(url);
      try {
        for (const [row, { as, asked, expected }] of Object.entries({ ...ROWS, "a refused document": refused })) {
          assert.deepEqual(await clients[as].ask(asked(shelf)), expected(shelf), row);
        }
        for (const [row, subscription] of Object.entries(SUBSCRIPTIONS)) {
          assert.deepEqual(await eventsOf(clients[subscription.as], subscription, shelf), subscription.expected, row);
        }
      } finally {
        for (const client of Object.values(clients)) client.close();
        await shelf.clear();
      }
    },
  };
}

/** Collects events until the expected number has arrived. */
async function eventsOf(client: Client, { asked, expected }: SubscriptionRow, shelf: Shelf): Promise<readonly Told[]> {
  const events: Told[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = client.subscribe(asked(shelf), (event) => {
    events.push(event);
    if (events.length === expected.length) resolve();
    else shelf.reprice(11).catch(reject);
  });
  await inTime(promise, `event ${expected.length}, after ${JSON.stringify(events)}`);
  stop();
  return events;
}

const TABLE_JUDGES = Object.entries({ ...APOLLO, ...URQL }).map(([name, connect]) => tableJudge(name, connect));

export const CLIENT_JUDGES: readonly Judge[] = [...TABLE_JUDGES, ...WIRE_JUDGES, ...APOLLO_CACHE_JUDGES, urqlCache];
