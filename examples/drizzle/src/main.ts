import { createServer } from "node:http";
import { nodeHttp } from "@bifocal/node-http";
import { createApi, drizzleStore } from "./create.ts";
import { openDatabase } from "./database.ts";

const { PORT = "3000" } = process.env;
if (!/^\d+$/.test(PORT)) throw new Error(`PORT must be a number; received "${PORT}".`);
const { db } = openDatabase(":memory:");
const api = createApi(drizzleStore(db));
await api.local.author.create({ id: 1, name: "Jane Austen" });
await api.local.book.create({ id: 1, title: "Emma", authorId: 1, price: 12.5 });
createServer(nodeHttp(api)).listen(Number(PORT), "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${PORT}/books?include=author, and GraphQL at /graphql`);
});
