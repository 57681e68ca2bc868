// The entry point for adapters: `@bifocal/core/adapter`.
export type { AnyApi, HttpSide } from "./http/any-api.ts";
export { delayResponse, type DelayedResponse, shouldDelay } from "./http/delayed-responses.ts";
export type { Handle } from "./http/handler.ts";
export type { HttpRequest, HttpResponse } from "./message/message.ts";
export {
  closeServer,
  closeSilent,
  type CloseOptions,
  cutAfter,
  flushed,
  watchConnections,
} from "./http/node/close-server.ts";
export { attachUpgrade } from "./http/node/attach-upgrade.ts";
export { createUpgradeHandler, type UpgradeHandler } from "./http/node/create-upgrade-handler.ts";
export { keepTickShape } from "./http/node/keep-tick-shape.ts";
export { type Send, sendTogether } from "./http/node/send-together.ts";
export { SERVER_OPTIONS } from "./http/node/server-options.ts";
export { afterHead, serveRequest, type ServeRequestOptions, writeHttpResponse } from "./http/node/serve-request.ts";
export { originForm, toHttpRequest, type ToHttpRequestOptions } from "./http/node/to-http-request.ts";
export { type FetchRequestOptions, fromFetchRequest } from "./http/fetch/fetch-request.ts";
export { FetchSockets, type UpgradeRequest } from "./http/fetch/fetch-sockets.ts";
export type { SocketEvents } from "./http/fetch/fetch-socket.ts";
export { toFetchResponse } from "./http/fetch/to-fetch-response.ts";
export { mountProblem, prefixProblem } from "./http/prefix-problem.ts";
export { isStream } from "./message/message.ts";
export type { ProtocolSocket, Route } from "./message/protocol.ts";
export { BifocalError, isBifocalError } from "./errors/bifocal-error.ts";
export { serializeProblem } from "./rest/response/serialize-problem.ts";
export type { Log, LogDetails } from "./util/log.ts";
