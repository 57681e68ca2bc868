import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Running, SERVERS } from "./servers.ts";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const newApi = () => defineApi({ resources: [note], log: silentLog });

const PATHS = newApi()
  ["~http"].routes.map(({ path }) => path)
  .filter((path) => path.startsWith("/-/"))
  .map((path) => path.replaceAll(/\{\w+\}/g, "notes"));

describe.each(Object.entries(SERVERS))("on %s", (_, start) => {
  let running: Running;
  beforeAll(async () => {
    running = await start(newApi());
  });
  afterAll(() => running.close());

  test.each(PATHS)("DELETE %s returns 405 with the supported methods", async (path) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${running.port}/api${path}`, { method: "DELETE" });
    expect({ status, allow: headers.get("allow") }).toEqual({
      status: 405,
      allow: expect.stringMatching(/GET|POST/) as string,
    });
  });

  test("an unknown path returns 404", async () => {
    const { status } = await fetch(`http://127.0.0.1:${running.port}/api/-/unknown.css`, { method: "DELETE" });
    expect(status).toBe(404);
  });
});
