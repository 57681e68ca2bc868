import { createHmac, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Bucket } from "./cover.ts";

interface Kept {
  readonly type: string;
  readonly bytes: Buffer;
}

/** An object store with signed URLs like S3's, on its own address, over HTTP. */
export async function startBucket(secret: string) {
  const objects = new Map<string, Kept>();
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

  const signatureOf = (...parts: readonly (string | number)[]): Buffer =>
    createHmac("sha256", secret).update(parts.join("\n")).digest();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", origin);
    const key = url.pathname.slice(1);
    if (request.method === "GET") {
      const kept = objects.get(key);
      response.writeHead(kept === undefined ? 404 : 200, { "content-type": kept?.type ?? "text/plain" });
      return void response.end(kept?.bytes);
    }
    const { "content-type": type = "", "content-length": size = "" } = request.headers;
    const expires = Number(url.searchParams.get("expires"));
    const given = Buffer.from(url.searchParams.get("signature") ?? "", "base64url");
    const wanted = signatureOf("PUT", key, type, size, expires);
    const isSigned = given.length === wanted.length && timingSafeEqual(given, wanted);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (request.method !== "PUT" || !isSigned || expires < Date.now()) return void response.writeHead(403).end();
    objects.set(key, { type, bytes: Buffer.concat(chunks) });
    response.writeHead(200).end();
  }

  const bucket: Bucket = {
    signUpload(key, { type, size, seconds }) {
      const expires = Date.now() + seconds * 1_000;
      const signature = signatureOf("PUT", key, type, size, expires).toString("base64url");
      return `${origin}/${key}?expires=${expires}&signature=${signature}`;
    },
    async find(key) {
      const kept = objects.get(key);
      return kept === undefined ? null : { type: kept.type, size: kept.bytes.length };
    },
    urlOf: (key) => `${origin}/${key}`,
  };
  return { bucket, origin, close: () => void server.close() };
}
