import {
  allow,
  asSystem,
  defineApi,
  defineResource,
  hasRole,
  type Principal,
  silentLog,
  type Store,
} from "@bifocal/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { ADAPTERS } from "../access/doors.ts";
import { bearerOf, PLACES, withApi } from "./each-store.ts";

const keeper = hasRole("keeper");
const open = { read: allow, create: allow, update: allow, delete: allow };
const paper = defineResource("paper", {
  fields: { id: z.string(), text: z.string(), isPublic: z.boolean(), hash: z.string().nullable() },
  internal: ["hash"],
  secret: ["hash"],
  access: {
    ...open,
    read: ({ principal }: { principal: Principal | null }) => keeper({ principal }) || { isPublic: { eq: true } },
  },
});
const fields = { id: z.string(), title: z.string(), margin: z.string(), version: z.int() };
const told = defineResource("told", {
  fields,
  version: "version",
  access: { ...open, fields: { margin: { read: keeper } } },
});
const untold = defineResource("untold", {
  fields,
  version: "version",
  access: { ...open, fields: { margin: { read: keeper }, version: { read: keeper } } },
});

const auth = bearerOf({ keeper: { id: "k", roles: ["keeper"] } });
const createApi = (store: Store) => defineApi({ resources: [paper, told, untold], store, auth, log: silentLog });

/** The text of the events among the first changes after an id. */
async function eventsAfter(url: string, id: string, last: string): Promise<readonly string[]> {
  const headers = { accept: "text/event-stream", "last-event-id": id };
  const response = await fetch(`${url}/papers`, { headers });
  let text = "";
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array);
    if (text.includes(`"${last}"`)) break;
  }
  return [...text.matchAll(/"id":"(\w+)","text":"(\w+)"/g)].map(([, row, value]) => `${row} ${value}`);
}

async function firstEventId(url: string, change: () => Promise<unknown>): Promise<string> {
  const response = await fetch(`${url}/papers`, { headers: { accept: "text/event-stream" } });
  await change();
  let text = "";
  let found: string | undefined;
  for await (const chunk of response.body ?? []) {
    text += new TextDecoder().decode(chunk as Uint8Array);
    if (text.includes('"first"')) found = /^id: ?(.+)$/m.exec(text)?.[1];
    if (found !== undefined) break;
  }
  if (found === undefined) throw new Error("There was no event.");
  return found;
}

describe.each(PLACES)("hidden changes, on $name", (place) => {
  test.skipIf(place.missing !== undefined)(
    "a resumed subscriber receives no events of a row while it was hidden, even if the resource has secrets",
    async () => {
      const { store, drop } = await place.open();
      const api = createApi(store);
      const serve = ADAPTERS["node-http"];
      if (serve === undefined) throw new Error("There is no adapter.");
      const { url, close } = await serve(api);
      try {
        await api.ready;
        const rows = api.as(asSystem("a test changes its rows")).paper;
        await rows.create({ id: "p", text: "zero", isPublic: false });
        const id = await firstEventId(url, () => rows.create({ id: "q", text: "first", isPublic: true }));
        await rows.update("p", { text: "one" });
        await rows.update("p", { text: "two" });
        await rows.update("p", { isPublic: true });
        await rows.update("q", { text: "last" });
        expect(await eventsAfter(url, id, "last")).toEqual(["p two", "q last"]);
      } finally {
        await close();
        await drop();
      }
    },
  );

  test.skipIf(place.missing !== undefined)(
    "a version reveals hidden writes unless it has the rule of the hidden field",
    async () => {
      await withApi(place, createApi, async (ask) => {
        const changes = async (path: string): Promise<readonly boolean[]> => {
          expect((await ask("keeper", "POST", path, { body: { id: "x", title: "t", margin: "1" } })).status).toBe(201);
          const before = await ask("", "GET", `${path}/x`);
          expect((await ask("keeper", "PATCH", `${path}/x`, { body: { margin: "2" } })).status).toBe(200);
          const after = await ask("", "GET", `${path}/x`);
          return [before.text !== after.text, before.headers.get("etag") !== after.headers.get("etag")];
        };
        expect(await changes("/tolds")).toEqual([true, true]);
        expect(await changes("/untolds")).toEqual([false, false]);
      });
    },
  );
});
