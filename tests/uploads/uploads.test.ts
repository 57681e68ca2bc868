import { apiKeys, defineApi } from "@bifocal/core";
import { nodeHttp } from "@bifocal/node-http";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startBucket } from "./bucket.ts";
import { defineCover } from "./cover.ts";

const PNG = Buffer.from("iVBORw0KGgo", "base64");
let bucket: Awaited<ReturnType<typeof startBucket>>;
let url = "";
let close: () => Promise<unknown>;

beforeAll(async () => {
  bucket = await startBucket("a secret of the bucket");
  const resources = [defineCover(bucket.bucket)] as const;
  const api = defineApi({ resources, auth: apiKeys({ "key-of-ann": { id: "ann" }, "key-of-ben": { id: "ben" } }) });
  const server = createServer(nodeHttp(api)).listen(0, "127.0.0.1");
  await once(server, "listening");
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = async () => {
    bucket.close();
    await api.close();
    server.close();
  };
});
afterAll(() => close());

interface Answer {
  readonly data?: Readonly<Record<string, Readonly<Record<string, string>> | null>> | null;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

async function ask(as: string | undefined, query: string): Promise<Answer> {
  const authorization = as === undefined ? {} : { authorization: `Bearer key-of-${as}` };
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", ...authorization },
    body: JSON.stringify({ query }),
  });
  return (await response.json()) as Answer;
}

const starting = (size: number, type = "image/png"): string =>
  `mutation { startCovers(input: { type: "${type}", size: ${size} }) { id uploadUrl } }`;

async function start(): Promise<{ readonly id: string; readonly uploadUrl: string }> {
  const { data } = await ask("ann", starting(PNG.length));
  return data?.["startCovers"] as { id: string; uploadUrl: string };
}

const put = async (to: string, body: Buffer, type = "image/png"): Promise<number> =>
  (await fetch(to, { method: "PUT", headers: { "content-type": type }, body: new Uint8Array(body) })).status;

test("after start, upload and finish, every caller sees the file", async () => {
  const { id, uploadUrl } = await start();
  expect(uploadUrl.startsWith(`${bucket.origin}/covers/`)).toBe(true);
  expect(await put(uploadUrl, PNG)).toBe(200);
  expect((await ask(undefined, `{ cover(id: "${id}") { url } }`)).data).toEqual({ cover: { url: null } });
  const { data, errors } = await ask("ann", `mutation { finishCover(id: "${id}") { url type size } }`);
  expect(errors).toBeUndefined();
  expect(data?.["finishCover"]).toMatchObject({ type: "image/png", size: PNG.length });
  const found = (await ask(undefined, `{ cover(id: "${id}") { url } }`)).data?.["cover"];
  const image = await fetch(found?.["url"] ?? "");
  expect(image.headers.get("content-type")).toBe("image/png");
  expect(Buffer.from(await image.arrayBuffer())).toEqual(PNG);
});

test("works in REST as well", async () => {
  const signedIn = { authorization: "Bearer key-of-ann" };
  const headers = { "content-type": "application/json", ...signedIn };
  const body = JSON.stringify({ type: "image/jpeg", size: PNG.length });
  const started = await fetch(`${url}/covers/start`, { method: "POST", headers, body });
  const { id, uploadUrl } = (await started.json()) as { id: string; uploadUrl: string };
  expect([started.status, await put(uploadUrl, PNG, "image/jpeg")]).toEqual([200, 200]);
  const finished = await fetch(`${url}/covers/${id}/finish`, { method: "POST", headers: signedIn });
  expect(await finished.json()).toMatchObject({ id, type: "image/jpeg" });
});

describe("rejected uploads", () => {
  test.each([
    ["nobody", undefined, starting(9), "UNAUTHENTICATED"],
    ["more than the maximum size", "ann", starting(5_000_001), "VALIDATION_FAILED"],
    ["another type", "ann", starting(9, "text/html"), "VALIDATION_FAILED"],
    [
      "a row without an upload",
      "ann",
      'mutation { createCover(input: { ownerId: "ann", type: "image/png", size: 1, url: null }) { id } }',
      "BAD_REQUEST",
    ],
  ])("%s", async (_, as, query, code) => {
    expect((await ask(as, query)).errors?.[0]?.extensions.code).toBe(code);
  });

  test("finishing an upload that never happened, or that belongs to another caller", async () => {
    const { id, uploadUrl } = await start();
    const finish = `mutation { finishCover(id: "${id}") { id } }`;
    expect((await ask("ann", finish)).errors?.[0]?.extensions.code).toBe("CONFLICT");
    await put(uploadUrl, PNG);
    expect((await ask("ben", finish)).errors?.[0]?.extensions.code).toBe("FORBIDDEN");
  });

  test.each([
    ["other bytes than in the signature", (signed: string) => put(signed, Buffer.concat([PNG, PNG]))],
    ["another type", (signed: string) => put(signed, PNG, "text/html")],
    ["another place", (signed: string) => put(signed.replace("/covers/", "/covers/x"), PNG)],
    ["a longer time", (signed: string) => put(signed.replace(/expires=\d+/, "expires=9999999999999"), PNG)],
  ])("by the object store: %s", async (_, upload) => {
    const { uploadUrl } = await start();
    expect(await upload(uploadUrl)).toBe(403);
  });

  test("a multipart body", async () => {
    const body = new FormData();
    body.set("operations", '{"query":"{ __typename }"}');
    expect((await fetch(`${url}/graphql`, { method: "POST", body })).status).toBe(415);
  });
});

test("the documentation page shows the tested code", () => {
  const squeeze = (text: string): string => text.replace(/\s+/g, "").replace(/,([)}\]])/g, "$1");
  const page = readFileSync(new URL("../../docs/uploads.md", import.meta.url), "utf8");
  const shown = /const cover = defineResource[^]*?\n\}\);\n/.exec(page)?.[0] ?? "nothing";
  expect(squeeze(readFileSync(new URL("cover.ts", import.meta.url), "utf8"))).toContain(squeeze(shown));
});
