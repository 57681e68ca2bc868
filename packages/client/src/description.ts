import type { ClientDescription, ClientResource } from "@bifocal/core";
import { BifocalError } from "./client-error.ts";
import { errorOf, type Transport } from "./transport.ts";

/** Returns a function that reads the description of the API once. A failed attempt is repeated by the next call. */
export function createDescription({ send }: Transport, url: string): () => Promise<ClientDescription> {
  let reading: Promise<ClientDescription> | undefined;
  return () => {
    reading ??= send({ method: "GET", path: "/client.json", headers: { Accept: "application/json" } }, (reply) => {
      const { status } = reply;
      if (status >= 400 && status !== 404) throw errorOf(reply, reply.body);
      const description = reply.body as ClientDescription | undefined;
      if (description?.version === 1) return description;
      throw new BifocalError("INTERNAL", `There is no API at ${url}.`);
    });
    reading.catch(() => {
      reading = undefined;
    });
    return reading;
  };
}

/** Throws an error with the names of all resources if this one is missing. */
export function resourceNamed({ resources }: ClientDescription, name: string): ClientResource {
  const resource = Object.hasOwn(resources, name) ? resources[name] : undefined;
  if (resource) return resource;
  const known = Object.keys(resources).join(", ");
  throw new BifocalError("NOT_FOUND", `The API has no resource '${name}'. Available: ${known}.`);
}
