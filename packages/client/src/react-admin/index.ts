export { type BifocalDataProvider, createDataProvider } from "./data-provider.ts";
export { type FieldErrors, HttpError } from "./http-error.ts";
export type { AdminRecord, Identifier, ListParams, ReferenceParams, UpdateParams, Values } from "./params.ts";
