import { describe, expect, test } from "vitest";
import { z } from "zod";
import { allow, defineApi, defineResource, silentLog } from "../src/index.ts";
import { send } from "./request.ts";

const book = defineResource("book", {
  fields: { id: z.int32(), title: z.string(), note: z.string().default(""), pages: z.int32() },
  internal: ["note"],
  access: { read: allow, create: allow, update: allow, delete: allow },
  filterable: ["title"],
  aggregatable: ["pages"],
  groupable: ["title"],
});
const api = defineApi({ resources: [book], log: silentLog });
const AVAILABLE = "Available: title, and, or, not.";

describe("the error for an unknown name", () => {
  test.each([
    ["/books?filter[orr][0][title]=x", "'book' can't be filtered by 'orr'. Did you mean 'or'? "],
    [
      "/books?filter[adn][0][title]=x&filter[adn][1][title]=y",
      "'book' can't be filtered by 'adn'. Did you mean 'and'? ",
    ],
    ["/books?filter[nott][title]=x", "'book' can't be filtered by 'nott'. Did you mean 'not'? "],
    ["/books?filter[nott][title][eq]=x", "'book' can't be filtered by 'nott'. Did you mean 'not'? "],
    ["/books?filter[titel][eq]=x", "'book' can't be filtered by 'titel'. Did you mean 'title'? "],
    ["/books?filter[orr]=x", "'book' can't be filtered by 'orr'. "],
  ])("suggests a connective that can have the value: %s", async (url, problem) => {
    const { status, body } = await send(api, "GET", url);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ message: problem + AVAILABLE }] } });
  });

  test.each(["=x", "[eq]=x", "[title]=x"])(
    "is the same for an internal field as for an unknown one: %s",
    async (rest) => {
      const messageFor = async (name: string): Promise<string> => {
        const { body } = await send(api, "GET", `/books?filter[${name}]${rest}`);
        return (body as { errors: [{ message: string }] }).errors[0].message;
      };
      expect(await messageFor("note")).toBe((await messageFor("nota")).replace("'nota'", "'note'"));
    },
  );

  test.each([
    [{ orr: [{ title: "x" }] }, "Did you mean 'or'?"],
    [{ orr: ["x"] }, AVAILABLE],
    [{ note: { contains: "x" } }, AVAILABLE],
  ])("suggests a connective in local calls: %o", async (filter, hint) => {
    await expect(api.local.book.list({ filter: filter as never })).rejects.toThrow(hint);
  });

  test.each([
    ["having[orr][0][count]=1", "Did you mean 'or'?"],
    ["having[nott][count]=1", "Did you mean 'not'?"],
    ["having[count][get]=1", "Did you mean 'gt'?"],
  ])("suggests names in conditions on groups: %s", async (having, hint) => {
    const { status, body } = await send(api, "GET", `/books?group=title&aggregate=count&${having}`);
    expect(status).toBe(400);
    expect(JSON.stringify(body)).toContain(hint);
  });
});
