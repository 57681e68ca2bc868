import { byId } from "../by-hand.ts";
import { serveOnBun } from "./serve-on-bun.ts";

const PATH = "/books/";
const HEADERS = { headers: { "content-type": "application/json" } };

serveOnBun(({ url }) => {
  const path = url.slice(url.indexOf("/", url.indexOf("://") + 3));
  const book = path.startsWith(PATH) ? byId.get(path.slice(PATH.length)) : undefined;
  return book === undefined ? new Response(null, { status: 404 }) : new Response(JSON.stringify(book), HEADERS);
});
