import { exitWithMessage, serve } from "@bifocal/node-http";
import { api } from "./api.ts";

const { PORT } = process.env;
const { url } = await serve(api, { port: PORT, host: "127.0.0.1", prefix: "/api" }).catch(exitWithMessage);
console.log(url);
