import { aggregates } from "./aggregates.ts";
import { credentials, floods, outbound, tokens } from "./identity.ts";
import { histories } from "./history.ts";
import { kept } from "./kept.ts";
import type { Mutant } from "./mutant.ts";
import { nested } from "./nested.ts";
import { queries } from "./queries.ts";
import { names, reads, rules } from "./read.ts";
import { limits, memory, requests, stores } from "./requests.ts";
import { policies } from "./row-level-security.ts";
import { scopes } from "./scope.ts";
import { events, retries, sockets, writes } from "./write.ts";

/** All mutants, by the kind of check that they disable. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  Rules: rules,
  Reading: reads,
  Aggregates: aggregates,
  Queries: queries,
  Names: names,
  "Rows in the scope": scopes,
  Histories: histories,
  Writing: writes,
  "Nested updates": nested,
  Retries: retries,
  Events: events,
  "Sockets and streams": sockets,
  Credentials: [...credentials, ...floods],
  Tokens: tokens,
  "Other servers": outbound,
  Requests: requests,
  Limits: limits,
  "Kept for clients": kept,
  "SQL stores": stores,
  "Row-level security": policies,
  "The store in memory": memory,
};
