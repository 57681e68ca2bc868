export { natsBus, type NatsBusOptions } from "./nats-bus.ts";
