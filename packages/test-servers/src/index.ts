// Databases for tests, and simulated network failures. Not published.
export { queryPostgres, type RestrictedDatabase, restrictedDatabase } from "./restricted-database.ts";
export { brokers, type TestBroker } from "./brokers.ts";
export { servers, type TestDatabase, type TestServer } from "./servers.ts";
export { startTcpProxy, type TcpProxy } from "./tcp-proxy.ts";
