// Sends the headers of the wire contract too, to show their cost.
import { hash } from "node:crypto";
import { byId } from "../by-hand.ts";
import { serveOnBun } from "./serve-on-bun.ts";

const PATH = "/books/";

serveOnBun(({ url }) => {
  const path = url.slice(url.indexOf("/", url.indexOf("://") + 3));
  const book = path.startsWith(PATH) ? byId.get(path.slice(PATH.length)) : undefined;
  if (book === undefined) return new Response(null, { status: 404 });
  const body = JSON.stringify(book);
  return new Response(body, {
    headers: {
      "content-type": "application/json; charset=utf-8",
      etag: `"${hash("sha1", body, "base64url")}"`,
      "cache-control": "private, no-cache",
      vary: "Accept",
      "x-content-type-options": "nosniff",
    },
  });
});
