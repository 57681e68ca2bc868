// Everything that is loaded at start. `tsup.config.ts` builds it as one file, and the entry points re-export from it.
export * from "./adapter.ts";
export * from "./authenticator.ts";
export * from "./explain/explain.ts";
export * from "./formats.ts";
export * from "./graphql-extension.ts";
export * from "./index.ts";
export * from "./internal.ts";
export * from "./operations.ts";
export * from "./pages.ts";
export * from "./store-driver.ts";
export * from "./telemetry-driver.ts";
