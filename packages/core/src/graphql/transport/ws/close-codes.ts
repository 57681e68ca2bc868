/**
 * Close codes of the protocol (graphql-ws PROTOCOL.md), of RFC 6455 §7.4.1 and of its registry. The reasons of 4408 and 4429
 * are the words of the protocol, in British spelling.
 */
export const CLOSE = {
  goingAway: 1001,
  policyViolation: 1008,
  internalError: 1011,
  serviceRestart: 1012,
  tryAgainLater: 1013,
  badMessage: 4400,
  unauthorized: 4401,
  forbidden: 4403,
  subprotocol: 4406,
  initTimeout: 4408,
  duplicate: 4409,
  tooManyInits: 4429,
} as const;
