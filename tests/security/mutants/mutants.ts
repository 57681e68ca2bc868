import { credentials, floods, outbound, tokens } from "./identity.ts";
import { kept } from "./kept.ts";
import type { Mutant } from "./mutant.ts";
import { names, reads, rules } from "./read.ts";
import { limits, memory, requests, stores } from "./requests.ts";
import { events, retries, sockets, writes } from "./write.ts";

/** All mutants, by the kind of check that they disable. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  Rules: rules,
  Reading: reads,
  Names: names,
  Writing: writes,
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
  "The store in memory": memory,
};
