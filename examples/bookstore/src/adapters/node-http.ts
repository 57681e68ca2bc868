import { serve } from "@bifocal/node-http";
import type { Listen } from "./listen.ts";

export const listenWithNodeHttp: Listen = serve;
