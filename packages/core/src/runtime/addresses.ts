export { BlockList, isIP } from "node:net";
