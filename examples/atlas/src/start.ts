import { bifocal, FASTIFY_OPTIONS } from "@bifocal/fastify";
import { sqlStore } from "@bifocal/sql";
import fastify from "fastify";
import { fileURLToPath } from "node:url";
import { createAtlas } from "./create.ts";
import { assets } from "./page/assets.ts";
import { examples } from "./page/examples.ts";
import { renderPage } from "./page/render-page.ts";

export interface AtlasOptions {
  /** Default: 3000. 0 selects a free port. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** `postgres://…`, `mysql://…` or `sqlite:FILE`. Default: the file `atlas.db` in this example's folder. */
  readonly database?: string | undefined;
}

const FILE = `sqlite:${fileURLToPath(new URL("../atlas.db", import.meta.url))}`;

/** Allows only the page's own files and requests to its own server (CSP). */
const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Serves the page at `/` and the API under `/api`. */
export async function startAtlas({ port = 3000, host = "127.0.0.1", database = FILE }: AtlasOptions = {}) {
  const { api, fill } = createAtlas(sqlStore({ url: database, autoCreate: true }));
  const counts = await fill();
  const vaduz = await api.local.city.list({ filter: { name: "Vaduz", countryCode: "LI" }, select: { id: true } });
  const cityId = vaduz.items[0]?.id ?? 1;

  const app = fastify({ ...FASTIFY_OPTIONS, forceCloseConnections: "idle" });
  await app.register(bifocal, { api, prefix: "/api" });
  app.get("/", async (request, reply) => {
    const base = `${request.protocol}://${isHost(request.host) ? request.host : `${host}:${port}`}`;
    return reply
      .headers({ ...SECURITY_HEADERS, "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(renderPage({ base, counts, examples: await examples({ api, base: `${base}/api`, cityId }), cityId }));
  });
  for (const { path, type, text } of assets()) {
    app.get(path, async (_request, reply) =>
      reply
        .headers({ ...SECURITY_HEADERS, "cache-control": "no-cache" })
        .type(type)
        .send(text),
    );
  }
  const url = await app.listen({ port, host });
  return { url, counts, close: () => app.close() };
}

// The printed commands contain the address in the request's Host header, if it is valid.
function isHost(text: string): boolean {
  return /^([\w.-]+|\[[\da-fA-F:.]+\])(:\d{1,5})?$/.test(text);
}
