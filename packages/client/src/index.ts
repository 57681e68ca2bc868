export type { Client, ClientChange, ClientDescription, LivePage, Style } from "@bifocal/core";
export { BifocalError, isBifocalError } from "./client-error.ts";
export { type ClientOptions, createClient } from "./create-client.ts";
export { graphqlLens, type GraphqlLensOptions } from "./graphql/graphql-lens.ts";
export type { Lens } from "./lens.ts";
export type { LiveLists } from "./live/live-source.ts";
export { restLens } from "./rest/rest-lens.ts";
export type { HeaderValues } from "./transport.ts";
export type { OpenChanges } from "./watch.ts";
