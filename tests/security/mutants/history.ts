import { type Mutant, mutantsOf } from "./mutant.ts";
import { CORE } from "./suites.ts";

const HISTORY = "tests/history/history.test.ts";
const TWO_WORLDS = "tests/history/two-worlds.test.ts";
const RULES = `${CORE}/history.test.ts`;

/** The changes that a history records, and those that a caller can read. */
export const histories: readonly Mutant[] = mutantsOf(
  "packages/core/src",
  [HISTORY],
  [
    [
      "a history is read by its rule",
      "model/resolve/add-histories.ts",
      'const own = Object.hasOwn(access, "history") ? { history: { read: rule } } : {};',
      "const own = {};",
      [RULES, HISTORY],
    ],
    [
      "entries are read only along their row",
      "engine/history/require-row.ts",
      "throw denied(context, `access ${plural}`);",
      "",
      [RULES],
    ],
    [
      "old values of hidden fields are left out",
      "engine/history/visible-changes.ts",
      ".filter(({ field }) => shows.get(field)?.(entry) ?? false)",
      "",
      [HISTORY, TWO_WORLDS],
    ],
    [
      "the current row decides which old values are shown",
      "engine/history/visible-changes.ts",
      "return row !== undefined && matches(row);",
      "return row !== undefined;",
      [HISTORY, TWO_WORLDS],
    ],
    [
      "entries without a readable field are left out",
      "model/resolve/resolve-histories.ts",
      "allOf(() => ({ ended: { eq: false } }), anyOf(...(changes as [Rule])) as never);",
      "allOf(() => ({ ended: { eq: false } }));",
      [HISTORY, TWO_WORLDS],
    ],
    [
      "entries of an earlier row with the key are left out",
      "model/resolve/resolve-histories.ts",
      "allOf(() => ({ ended: { eq: false } }), anyOf(...(changes as [Rule])) as never);",
      "anyOf(...(changes as [Rule]));",
    ],
    [
      "a row that takes a key ends the history of the key",
      "engine/history/write-entries.ts",
      "await entries.end(key);",
      "",
    ],
    [
      "fields that no caller can read are not recorded",
      "model/history.ts",
      'return !internal && name !== version && generated?.when !== "write" && read.kind !== "deny";',
      'return !internal && name !== version && generated?.when !== "write";',
    ],
    [
      "internal fields are not recorded",
      "model/history.ts",
      'return !internal && name !== version && generated?.when !== "write" && read.kind !== "deny";',
      'return name !== version && generated?.when !== "write" && read.kind !== "deny";',
      [RULES],
    ],
    [
      "entries are written in the transaction of the change",
      "engine/write/transact.ts",
      "if (context.engine.hasHistory) await recordHistory(inner, events);",
      "if (context.engine.hasHistory) await recordHistory(context, events);",
    ],
    [
      "entries name the caller",
      "engine/history/write-entries.ts",
      "const by = nameOf(context.caller.principal);",
      "const by = nameOf(null);",
    ],
    [
      "creates in one statement are recorded",
      "engine/write/create/create-at-once.ts",
      "if (resource.history !== undefined) return undefined;",
      "",
    ],
    [
      "the entries of a row are in the order of its changes",
      "engine/history/write-entries.ts",
      "const time = Math.max(Date.now(), last + 1);",
      "const time = Date.now();",
    ],
  ],
);
