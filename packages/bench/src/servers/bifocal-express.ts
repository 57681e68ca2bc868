import { expressRouter } from "@bifocal/express";
import createExpress from "express";
import { api } from "../bifocal-api.ts";
import { ready } from "../ready.ts";

const server = createExpress()
  .use(expressRouter(api))
  .listen(0, "127.0.0.1", () => ready(server));
