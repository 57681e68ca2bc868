import { bifocal } from "@bifocal/fastify";
import fastify from "fastify";
import { ready } from "../ready.ts";
import { api } from "../ten/bifocal-api.ts";

const app = fastify();
await app.register(bifocal, { api });
await app.listen({ port: 0, host: "127.0.0.1" });
ready(app.server);
