export { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
