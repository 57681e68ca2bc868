import { bifocal, FASTIFY_OPTIONS } from "@bifocal/fastify";
import { NestFactory } from "@nestjs/core";
import { FastifyAdapter, type NestFastifyApplication } from "@nestjs/platform-fastify";
import { AppModule } from "./nestjs-module.ts";
import { createServed } from "./served.ts";
import { toNodeListener } from "./to-node-listener.ts";

const { api, endless, options } = createServed();
const { prefix, fallback } = options;
const respond = toNodeListener(fallback);
const adapter = new FastifyAdapter(FASTIFY_OPTIONS);
const app = await NestFactory.create<NestFastifyApplication>(AppModule, adapter, { logger: false });
await app.register(bifocal, { api, prefix });
await app.register(bifocal, { api: endless, prefix: "/endless" });
for (const path of ["/-/close", "/-/keys", "/endless/rows-read"]) {
  adapter.getInstance().get(path, (request, reply) => {
    reply.hijack();
    respond(request.raw, reply.raw);
  });
}
await app.listen(0, "127.0.0.1");
const { port } = app.getHttpServer().address() as { readonly port: number };
console.log(port);
process.once("SIGTERM", () => void app.close());
