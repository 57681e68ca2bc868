/** What every API that is measured is defined with: room for the largest question, and nobody refused under full load. */
export const settings = {
  rateLimit: false,
  limits: {
    cost: 25_000,
    inFlight: Infinity,
    storeQueue: Infinity,
    storeWait: Infinity,
    eventLoopDelay: Infinity,
    openingSockets: Infinity,
    anonymousConnections: Infinity,
  },
} as const;
