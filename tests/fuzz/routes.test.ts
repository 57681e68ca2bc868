import { createBookstore } from "@bifocal/example-bookstore/start";
import { drawSeed } from "@bifocal/test-servers/seed";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KEYS } from "../bookstore/stores.ts";
import { createDescribed, type Document } from "../openapi/described.ts";
import { ADAPTERS, type Served } from "../security/access/doors.ts";
import { FORMATS, mutations } from "./mutations.ts";
import { createRecipes, type Recipe } from "./recipes.ts";
import { type Answered, send, type Sent } from "./send.ts";

/** Requests on all adapters together. */
const RUNS = Math.ceil(Number(process.env["FUZZ_RUNS"] ?? 2_000) / Object.keys(ADAPTERS).length);

/** Deleting a reserved stream needs its token: `sse-protocol.test.ts`. */
const WITHOUT_RECIPE = ["DELETE /graphql"];

/** Routes that the OpenAPI document leaves out. */
const UNDESCRIBED = ["/docs", "/graphql", "/console", "/console/model"];
const DESCRIBED = ["GET", "POST", "PUT", "PATCH", "DELETE", "QUERY"];

function toSent(method: string, { path, query = "", headers = {}, body }: Recipe): Sent {
  const content = body === undefined ? {} : { "content-type": "application/json" };
  const text = body === undefined ? "" : JSON.stringify(body);
  return {
    method,
    path,
    query,
    headers: { authorization: `Bearer ${KEYS.admin}`, ...content, ...headers },
    body: text,
  };
}

describe.each(Object.entries(ADAPTERS))("on %s", (name, serve) => {
  const { api } = createBookstore({ keys: KEYS });
  const recipeFor = createRecipes(api);
  const described = createDescribed(api.openapi("", "3.2", "all") as unknown as Document);
  const rejections: unknown[] = [];
  const onRejection = (reason: unknown): void => void rejections.push(reason);
  let served: Served;
  beforeAll(async () => {
    process.on("unhandledRejection", onRejection);
    served = await serve(api);
  });
  afterAll(async () => {
    process.off("unhandledRejection", onRejection);
    await served.close();
  });

  /** Returns the fault of a response; undefined if it is valid. */
  async function faultOf(sent: Sent, answered: Answered): Promise<string | undefined> {
    const { status, type = "", text } = answered;
    if (status < 200 || status >= 500) return `status ${status}`;
    if (sent.method === "HEAD") return text === "" ? undefined : "HEAD has content";
    if (type.startsWith("application/problem+json")) {
      const { status: said, code } = JSON.parse(text) as Readonly<Record<string, unknown>>;
      return said === status && typeof code === "string" ? undefined : "not a problem document";
    }
    if (/[+/]json$/.test(type.split(";")[0] ?? "") && text !== "") JSON.parse(text);
    // A path that cannot be decoded never reaches a plugin.
    if (name === "fastify" && status === 400 && text.includes('"FST_ERR_BAD_URL"')) return undefined;
    if (!DESCRIBED.includes(sent.method) || UNDESCRIBED.includes(sent.path)) return undefined;
    return described({ method: sent.method, path: sent.path, status, type, text });
  }

  const reached = new Map<string, { done: number; rejected: number }>();
  async function ask(route: string, sent: Sent): Promise<void> {
    const answered = await send(served.url, sent);
    if (answered === undefined) return;
    const fault = await faultOf(sent, answered).catch((thrown: unknown) => String(thrown));
    expect({ sent, fault, text: fault && answered.text }).toEqual({ sent, fault: undefined, text: undefined });
    const key = `${sent.method} ${route}`;
    const counts = reached.get(key) ?? { done: 0, rejected: 0 };
    reached.set(key, counts);
    if (answered.status < 300) counts.done += 1;
    if (answered.status >= 400) counts.rejected += 1;
  }
  const all = api.routes.flatMap(({ path, methods }) => methods.map((method) => ({ method, path })));

  test("each route returns success or a declared error, in all formats", async () => {
    for (const { method, path } of all) {
      for (const accept of [undefined, ...FORMATS]) {
        const recipe = (await recipeFor(method, path)) ?? { path: path.replaceAll(/\{\w+\}/g, "1") };
        const sent = toSent(method, recipe);
        await ask(path, accept === undefined ? sent : { ...sent, headers: { ...sent.headers, accept } });
      }
      const { headers: _, ...sent } = toSent(method, (await recipeFor(method, path)) ?? { path });
      await ask(path, { ...sent, headers: { authorization: "Bearer nobody", "content-type": "application/json" } });
    }
    for (const { path } of api.routes) await ask(path, toSent("PROPFIND", { path: path.replaceAll(/\{\w+\}/g, "1") }));
    // Every route rejects something.
    const rejecting = new Set(
      [...reached].filter(([, { rejected }]) => rejected > 0).map(([key]) => key.split(" ")[1]),
    );
    expect(api.routes.map(({ path }) => path).filter((path) => !rejecting.has(path))).toEqual([]);
    const missed = all.map(({ method, path }) => `${method} ${path}`).filter((key) => reached.get(key)?.done === 0);
    expect(missed.toSorted()).toEqual(WITHOUT_RECIPE.toSorted());
  }, 300_000);

  test("no mutated request returns a 500 or an undeclared response", async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(all.length - 1), mutations, async (at, changes) => {
        const { method, path } = all[at] as (typeof all)[number];
        const recipe = (await recipeFor(method, path)) ?? { path: path.replaceAll(/\{\w+\}/g, "1") };
        await ask(
          path,
          changes.reduce((sent, change) => change(sent), toSent(method, recipe)),
        );
      }),
      { numRuns: RUNS, seed: drawSeed("FUZZ_SEED") },
    );
    const asked = [...reached.values()].reduce((sum, { done, rejected }) => sum + done + rejected, 0);
    const done = [...reached.values()].reduce((sum, one) => sum + one.done, 0);
    expect(done / asked).toBeGreaterThan(0.2);
    // The server still responds, and no internal error was logged.
    await ask("/tags", toSent("GET", { path: "/tags" }));
    expect(rejections).toEqual([]);
  }, 600_000);
});
