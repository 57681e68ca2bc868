import { BifocalError, isBifocalError } from "./client-error.ts";
import { decodeValue } from "./decode.ts";
import { decodeRow } from "./decode-row.ts";
import { resourceNamed } from "./description.ts";
import { loadGroups } from "./groups.ts";
import { formatId, parseId } from "./id.ts";
import { backoff, isTransient, sleep } from "./retry.ts";
import { errorOf } from "./transport.ts";

/**
 * The functions that code receives which is loaded later. It doesn't import them, because bundlers would put modules
 * that it shares with the client in a file of their own.
 */
export const FUNCTIONS = {
  BifocalError,
  isBifocalError,
  decodeRow,
  decodeValue,
  loadGroups,
  resourceNamed,
  formatId,
  parseId,
  backoff,
  isTransient,
  sleep,
  errorOf,
};

export type SharedFunctions = typeof FUNCTIONS;
