/** Tests that change or measure the process. Each of them runs in its own process; the others share processes. */
export const ALONE = [
  "test/production.test.ts",
  "test/warnings.test.ts",
  "test/deadline-memory.test.ts",
  "test/subscriptions/memory.test.ts",
  // Connections of other tests share the timer that it replaces.
  "src/operation/validity.test.ts",
  // Its properties block the event loop for seconds, after which other tests would get 503.
  "src/model/parse/plain-rule.test.ts",
];
