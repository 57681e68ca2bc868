export { AsyncLocalStorage, AsyncResource } from "node:async_hooks";
