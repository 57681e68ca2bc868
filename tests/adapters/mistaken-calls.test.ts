import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { expressRouter } from "@bifocal/express";
import { bifocal } from "@bifocal/fastify";
import { fetchHandler } from "@bifocal/fetch";
import { nodeHttp, serve } from "@bifocal/node-http";
import fastify from "fastify";
import { describe, expect, test } from "vitest";
import { z } from "zod";

const note = defineResource("note", {
  fields: { id: z.int32() },
  access: { read: allow, create: allow, update: allow, delete: allow },
});
const api = defineApi({ resources: [note], log: silentLog });

type Mount = (api: unknown, options?: object) => unknown;

const MOUNTS: readonly (readonly [string, Mount, string])[] = [
  ["nodeHttp", nodeHttp as Mount, "prefix"],
  ["serve", serve as Mount, "prefix"],
  ["expressRouter", expressRouter as Mount, "notFound"],
  ["fetchHandler", fetchHandler as Mount, "prefix"],
  [
    "register",
    async (api, options) => {
      await fastify().register(bifocal, { api, ...options } as never);
    },
    "notFound",
  ],
];

describe.each(MOUNTS)("%s, called from JavaScript,", (call, mount, option) => {
  const errorOf = async (api: unknown, options?: object): Promise<unknown> => {
    try {
      return await mount(api, options);
    } catch (thrown) {
      return thrown;
    }
  };

  test.each([
    [undefined, "undefined"],
    [{ api }, "an object"],
    [Promise.resolve(api), "a promise. Await it first"],
  ])("rejects a value that isn't an API: %o", async (value, kind) => {
    expect(await errorOf(value)).toMatchObject({
      message: `${call}() must receive an API, the result of defineApi(); received ${kind}.`,
    });
  });

  test("rejects an unknown option with the closest name", async () => {
    expect(await errorOf(api, { [`${option}s`]: "/api" })).toMatchObject({
      message: expect.stringContaining(`${call}() has no option '${option}s'. Did you mean '${option}'?`) as string,
    });
  });
});
