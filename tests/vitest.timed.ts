/** Tests with bounds on times. They run after the others, and only as many at a time as there are cores. */
export const TIMED = [
  "adapters/closing.test.ts",
  "adapters/disconnect.test.ts",
  "adapters/slow-bodies.test.ts",
  "faults/**/*.test.ts",
  "security/auth/jwks.test.ts",
  "security/catalogue/slow-clients.test.ts",
  "security/limits/**/*.test.ts",
];
