import { exitWithMessage, serve } from "@bifocal/node-http";
import { createApi, drizzleStore } from "./create.ts";
import { openDatabase } from "./database.ts";

const { PORT } = process.env;
const { db } = openDatabase(":memory:");
const api = createApi(drizzleStore(db));
await api.local.author.create({ id: 1, name: "Jane Austen" });
await api.local.book.create({ id: 1, title: "Emma", authorId: 1, price: 12.5 });
const { url } = await serve(api, { port: PORT, host: "127.0.0.1" }).catch(exitWithMessage);
console.log(`${url}/books?include=author, and GraphQL at /graphql`);
