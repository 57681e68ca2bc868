/** Tests that register an SDK of OpenTelemetry for their process. Each of them runs in its own process; the others share processes. */
export const ALONE = ["observability/**/*.test.ts"];
