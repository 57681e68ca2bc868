import { allow, defineApi, defineResource, silentLog } from "@bifocal/core";
import { servers } from "@bifocal/test-servers";
import { send } from "@bifocal/test-servers/request";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { sqlStore } from "../src/index.ts";

const access = { read: allow, create: allow, update: allow, delete: allow };
const counter = defineResource("counter", {
  fields: { id: z.int32(), n: z.int32(), note: z.string().nullable() },
  access,
});
const versioned = defineResource("versioned", {
  fields: { id: z.int32(), n: z.int32(), note: z.string().nullable(), revision: z.int32() },
  version: "revision",
  access,
});

/** Writers of one row, half of them in each instance. */
const WRITERS = 8;
const UPDATES = 5;

const METHODS = ["PATCH", "PUT", "GraphQL"] as const;

describe.each(servers)("two instances on $name", ({ missing, create }) => {
  test.skipIf(missing !== undefined).for(["counters", "versioneds"])(
    "lose no update of %s with If-Match",
    { timeout: 60_000 },
    async (path) => {
      const database = await create();
      const start = () => {
        const store = sqlStore({ url: database.url, autoCreate: true });
        return defineApi({ resources: [counter, versioned], store, log: silentLog });
      };
      const first = start();
      await first.ready;
      const second = start();
      const url = `/${path}/1`;
      const singular = path === "counters" ? "Counter" : "Versioned";
      const answers = new Set<unknown>();

      /** Adds one to the number that it has read. Returns whether the row was still the same. */
      async function addOne(api: typeof first, method: (typeof METHODS)[number]): Promise<boolean> {
        const { body, headers } = await send(api, "GET", url);
        const { n } = body as { n: number };
        const etag = headers["ETag"] as string;
        const headersOfWrite = { "if-match": etag };
        if (method !== "GraphQL") {
          const body = method === "PUT" ? { n: n + 1, note: null } : { n: n + 1 };
          const { status } = await send(api, method, url, { body, headers: headersOfWrite });
          answers.add(status);
          return status === 200;
        }
        const query = `mutation { update${singular}(id: 1, input: { n: ${n + 1} }, ifMatch: ${JSON.stringify(etag)}) { n } }`;
        const result = (await send(api, "POST", "/graphql", { body: { query } })).body as {
          errors?: { extensions: { code: string } }[];
        };
        const code = result.errors?.[0]?.extensions.code;
        answers.add(code);
        return code === undefined;
      }

      async function write(api: typeof first, method: (typeof METHODS)[number]): Promise<void> {
        for (let done = 0; done < UPDATES; ) if (await addOne(api, method)) done += 1;
      }

      try {
        await send(first, "POST", `/${path}`, { body: { id: 1, n: 0, note: null } });
        await Promise.all(
          Array.from({ length: WRITERS }, (_, at) =>
            write(at % 2 === 0 ? first : second, METHODS[at % METHODS.length] as (typeof METHODS)[number]),
          ),
        );
        expect((await send(second, "GET", url)).body).toMatchObject({ n: WRITERS * UPDATES });
        // The writers met each other, and nothing else failed.
        expect(answers).toEqual(new Set([200, 412, undefined, "PRECONDITION_FAILED"]));
      } finally {
        await first.close();
        await second.close();
        await database.drop();
      }
    },
  );
});
