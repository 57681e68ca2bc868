/** The settings of every measured API: limits that fit the largest request, and no rejections under full load. */
export const settings = {
  rateLimit: false,
  warnings: false,
  limits: {
    query: { cost: 25_000 },
    http: { inFlight: Infinity, storeQueue: Infinity, storeWait: Infinity, eventLoopDelay: Infinity },
    subscriptions: { openingSockets: Infinity, anonymousConnections: Infinity },
  },
} as const;
