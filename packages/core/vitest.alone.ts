/** Tests that change or measure the process, so each of them has one of its own. The others share their processes. */
export const ALONE = ["test/production.test.ts", "test/warnings.test.ts", "test/subscriptions/memory.test.ts"];
