import { testHosts } from "./test-hosts.ts";

testHosts("GraphQL");
