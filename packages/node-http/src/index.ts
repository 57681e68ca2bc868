export { type CloseOptions, SERVER_OPTIONS } from "@bifocal/core/adapter";
export { nodeHttp, type NodeHttpListener, type NodeHttpOptions } from "./node-http.ts";
export { type RunningServer, serve, type ServeOptions } from "./serve.ts";
