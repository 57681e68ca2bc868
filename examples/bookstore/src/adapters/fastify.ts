import { bifocal, FASTIFY_OPTIONS } from "@bifocal/fastify";
import fastify from "fastify";
import { type Listen, urlOf } from "./listen.ts";

export const listenWithFastify: Listen = async (api, { port, host }) => {
  const app = fastify({ ...FASTIFY_OPTIONS, forceCloseConnections: "idle" });
  await app.register(bifocal, { api, notFound: true });
  await app.listen({ port, host });
  return { url: urlOf(app.server), close: () => app.close() };
};
