export { monitorEventLoopDelay } from "node:perf_hooks";
