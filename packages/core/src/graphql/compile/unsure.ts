/**
 * Signals that a plan cannot produce exactly the result that the specification requires. It is caught, and graphql-js
 * takes over. A single instance is enough, because the stack is never read.
 */
export const UNSURE: Error = new Error("graphql-js has to answer this.");
