import { fetchHandler } from "@bifocal/fetch";
import { api } from "../bifocal-api.ts";
import { serveOnBun } from "./serve-on-bun.ts";

serveOnBun(fetchHandler(api));
