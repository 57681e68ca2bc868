/**
 * Thrown, and caught again, where a plan cannot answer exactly as the specification says: graphql-js then takes over.
 * One object, because nobody looks at its stack.
 */
export const UNSURE: Error = new Error("graphql-js has to answer this.");
