import { serve } from "@bifocal/node-http";
import { ready } from "../ready.ts";
import { api } from "../ten/bifocal-api.ts";

const { server } = await serve(api, { port: 0, host: "127.0.0.1" });
ready(server);
