import { once } from "node:events";
import { createServer } from "node:http";
import { postgraphile } from "postgraphile";
import { makePgService } from "postgraphile/adaptors/pg";
import { grafserv } from "postgraphile/grafserv/node";
import { PostGraphileAmberPreset } from "postgraphile/presets/amber";
import { ready } from "../src/ready.ts";
import { url } from "../src/sql/database.ts";

// Configured for production as in its documentation, with its own schema from the tables.
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: url, schemas: ["public"], poolConfig: { max: 10 } })],
  grafast: { explain: false },
  grafserv: { watch: false, graphiql: false },
});
const server = createServer();
await instance.createServ(grafserv).addTo(server);
server.listen(0, "127.0.0.1");
await once(server, "listening");
ready(server);
