import { openTelemetry } from "@bifocal/opentelemetry";
import { beforeAll, expect, test } from "vitest";
import { ask, onEachAdapter, send } from "../bookstore/stores.ts";
import { startSdk } from "./sdk.ts";

const EMMA = "b0000000-0000-4000-8000-000000000001";
// Passed to `openTelemetry` before an SDK has started, as in an application that imports its API first.
const telemetry = openTelemetry();
const sdk = startSdk();

const common = { "url.scheme": "http" };
const get = { ...common, "http.request.method": "GET" };

onEachAdapter(
  (base) => {
    let before: Awaited<ReturnType<typeof measure>>;
    const measure = async () => ({
      requests: await sdk.measured("http.server.request.duration"),
      operations: await sdk.measured("bifocal.operation.duration"),
    });
    /** The measurements since the last call, by attributes. */
    const since = async (name: keyof typeof before) => {
      const now = (await measure())[name];
      const key = (one: object) => JSON.stringify(Object.entries(one).toSorted(([a], [b]) => a.localeCompare(b)));
      const old = new Map(before[name].map(({ attributes, value }) => [key(attributes), value]));
      return now
        .map(({ attributes, value }) => ({ attributes, value: value - (old.get(key(attributes)) ?? 0) }))
        .filter(({ value }) => value > 0)
        .toSorted((a, b) => key(a.attributes).localeCompare(key(b.attributes)));
    };
    beforeAll(async () => {
      before = await measure();
      await send(base(), "GET", `/books/${EMMA}`);
      await send(base(), "GET", `/books/${EMMA}?fields=title`);
      await send(base(), "GET", "/books/none");
      await send(base(), "GET", "/tags", { headers: { accept: "application/x-ndjson" } });
      await ask(base(), `{ book(id: "${EMMA}") { title } }`);
    });

    test("measures requests by route, never by path", async () => {
      expect(await since("requests")).toEqual([
        { attributes: { ...get, "http.response.status_code": 200, "http.route": "/books/{id}" }, value: 2 },
        { attributes: { ...get, "http.response.status_code": 200, "http.route": "/tags" }, value: 1 },
        { attributes: { ...get, "http.response.status_code": 404, "http.route": "/books/{id}" }, value: 1 },
        {
          attributes: {
            ...common,
            "http.request.method": "POST",
            "http.response.status_code": 200,
            "http.route": "/graphql",
          },
          value: 1,
        },
      ]);
    });

    test("measures operations of both styles in the same way", async () => {
      const about = (kind: string, resource: string) => ({
        "bifocal.operation.kind": kind,
        "bifocal.resource": resource,
      });
      expect(await since("operations")).toEqual([
        { attributes: about("get", "book"), value: 3 },
        { attributes: about("list", "tag"), value: 1 },
      ]);
    });

    test("leaves no request active", async () => {
      const active = await sdk.measured("http.server.active_requests");
      expect(active.map(({ value }) => value)).toEqual(active.map(() => 0));
      expect(active.length).toBeGreaterThan(0);
    });
  },
  { telemetry },
);

test.each([
  ["http.server.request.duration", "s", "HISTOGRAM"],
  ["http.server.active_requests", "{request}", "UP_DOWN_COUNTER"],
  ["bifocal.operation.duration", "s", "HISTOGRAM"],
])("declares %s as the conventions require", async (name, unit, type) => {
  expect(await sdk.declared(name)).toMatchObject({ name, unit, type });
});
