export { type CloseOptions, SERVER_OPTIONS } from "@bifocal/core/adapter";
export { exitWithMessage } from "./exit-with-message.ts";
export { nodeHttp, type NodeHttpListener, type NodeHttpOptions } from "./node-http.ts";
export { type RunningServer, serve, type ServeOptions } from "./serve.ts";
