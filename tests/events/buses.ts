import type { Bus } from "@bifocal/core";
import { natsBus } from "@bifocal/nats";
import { redisBus } from "@bifocal/redis";
import { postgresBus } from "@bifocal/sql";
import type { TestBroker } from "@bifocal/test-servers";

/** A bus of each kind. Buses with the same channel receive each other's messages. */
export const createBus: Readonly<Record<TestBroker["name"], (url: string, channel: string) => Bus>> = {
  postgres: (url, channel) => postgresBus({ url, channel }),
  redis: (url, channel) => redisBus({ url, channel }),
  nats: (url, channel) => natsBus({ servers: new URL(url).host, subject: channel }),
};
