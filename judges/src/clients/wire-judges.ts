import assert from "node:assert/strict";
import type { Judge } from "../judge.ts";
import { APOLLO } from "./apollo.ts";
import type { Client, Connection } from "./client.ts";
import { URQL } from "./urql.ts";
import { tapWire } from "./wire.ts";

/** The requests on the wire when a client sends the same query three times. */
const ASKED: Readonly<Record<string, readonly (readonly string[])[]>> = {
  "Apollo Client by POST, subscriptions over event streams": [["POST text"], ["POST text"], ["POST text"]],
  "Apollo Client by GET and hashes, subscriptions over WebSocket": [
    ["GET hash", "POST hash text"],
    ["GET hash"],
    ["GET hash"],
  ],
  "urql by POST, subscriptions over event streams": [["POST text"], ["POST text"], ["POST text"]],
  "urql by GET": [["GET text"], ["GET text"], ["GET text"]],
  "urql by GET and hashes": [["GET hash", "GET hash text"], ["GET hash"], ["GET hash"]],
};

function wireJudge(name: string, connect: (connection: Connection) => Client): Judge {
  return {
    name: `${name}: what it sends`,
    async run({ url }) {
      const { fetch, take } = tapWire();
      const client = connect({ url: `${url}/graphql`, fetch });
      // A unique name, so that the server doesn't know the hash from another judge.
      const document = `query ${name.replaceAll(/\W/g, "")} { tags(first: 1) { nodes { slug } } }`;
      for (const expected of ASKED[name] ?? []) {
        const { errors, failed } = await client.ask({ document });
        assert.deepEqual({ errors, failed, sent: take() }, { errors: [], failed: undefined, sent: expected });
      }
      client.close();
    },
  };
}

export const WIRE_JUDGES: readonly Judge[] = Object.entries({ ...APOLLO, ...URQL })
  .filter(([name]) => name in ASKED)
  .map(([name, connect]) => wireJudge(name, connect));
