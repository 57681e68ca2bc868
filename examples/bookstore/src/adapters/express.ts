import { createServer } from "node:http";
import { expressRouter, SERVER_OPTIONS } from "@bifocal/express";
import express from "express";
import { type Listen, listening } from "./listen.ts";

export const listenWithExpress: Listen = async (api, { port, host }) => {
  const router = expressRouter(api, { notFound: true });
  const server = createServer(SERVER_OPTIONS, express().use(router));
  router.attach(server);
  const url = await listening(server.listen(port, host));
  return { url, close: () => router.close(server) };
};
