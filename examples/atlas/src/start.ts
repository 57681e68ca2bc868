import { bifocal, FASTIFY_OPTIONS } from "@bifocal/fastify";
import { sqlStore } from "@bifocal/sql";
import fastify from "fastify";
import { fileURLToPath } from "node:url";
import { createAtlas, type ImportOptions } from "./create.ts";
import { addLensRoute } from "./lens/lens-route.ts";
import { readDefinition } from "./page/definition.ts";
import { modelNames } from "./page/model-names.ts";
import { ASSETS, renderPage } from "./page/render-page.ts";

export interface AtlasOptions {
  /** Default: 3000. 0 selects a free port. */
  readonly port?: number | undefined;
  /** Default: 127.0.0.1. */
  readonly host?: string | undefined;
  /** `postgres://…`, `mysql://…` or `sqlite:FILE`. Default: the file `atlas.db` in this example's folder. */
  readonly database?: string | undefined;
  /** Observes the import, which only the first start does. */
  readonly importing?: ImportOptions;
}

const FILE = `sqlite:${fileURLToPath(new URL("../atlas.db", import.meta.url))}`;

/** Allows only the page's own files and requests to its own server (CSP). */
const SECURITY_HEADERS = {
  "content-security-policy":
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Serves the page at `/` and the API under `/api`. */
export async function startAtlas({ port = 3000, host = "127.0.0.1", database = FILE, importing }: AtlasOptions = {}) {
  const store = sqlStore({ url: database, autoCreate: true });
  const { api, fill } = createAtlas(store);
  const counts = await fill(importing);
  const page = renderPage({ counts, names: modelNames(api), definition: readDefinition() });

  const app = fastify({ ...FASTIFY_OPTIONS, forceCloseConnections: "idle" });
  await app.register(bifocal, { api, prefix: "/api", notFound: true });
  addLensRoute(app, api);
  app.get("/", async (_request, reply) =>
    reply
      .headers({ ...SECURITY_HEADERS, "cache-control": "no-cache" })
      .type("text/html; charset=utf-8")
      .send(page),
  );
  for (const { path, type, text } of ASSETS) {
    app.get(path, async (_request, reply) =>
      reply
        .headers({ ...SECURITY_HEADERS, "cache-control": "public, max-age=31536000, immutable" })
        .type(type)
        .send(text),
    );
  }
  const url = await app.listen({ port, host });
  return { url, counts, close: () => app.close() };
}
