import { MARK_ICON } from "@bifocal/core/pages";
import { afterEach, expect, test, vi } from "vitest";
import { graphiql, type GraphiqlOptions } from "../src/index.ts";

afterEach(() => vi.unstubAllEnvs());

const SECRET = "k3y-of-a-demo";
const VIEW = { title: "Shop", endpoint: "/api/graphql", assets: "/api/-", credentials: [] };
const WITH_KEY: GraphiqlOptions = { headers: { Authorization: `Bearer ${SECRET}` } };

function pageIn(environment: string | undefined, options: GraphiqlOptions): string {
  vi.stubEnv("NODE_ENV", environment);
  return graphiql(options).page(VIEW);
}

test("contains no script, and refers only to its own files", () => {
  const html = graphiql().page(VIEW);
  const references = [...html.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, url]) => url);
  expect(references).toEqual([MARK_ICON, "/api/-/graphiql.css", "/api/-/graphiql.js"]);
  expect([...html.matchAll(/<script[^>]*>(.*?)<\/script>/gs)].map(([, text]) => text)).toEqual([""]);
  expect(html).toContain('<main id="graphiql" data-endpoint="/api/graphql"></main>');
});

test("shows in a comment of the headers editor how to send credentials", () => {
  const html = graphiql().page({ ...VIEW, credentials: ["Authorization", "X-API-Key"] });
  const [, headers = ""] = /data-headers="([^"]*)"/.exec(html) ?? [];
  const text = headers.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)));
  expect(text).toBe('{\n  // "Authorization": "Bearer …"\n  // "X-API-Key": "…"\n}');
  expect(html).not.toContain("data-open");
});

test.each([undefined, "development", "test"])("contains the headers of a demo if NODE_ENV is %s", (environment) => {
  expect(pageIn(environment, WITH_KEY)).toContain(SECRET);
});

test("contains no demo headers in production, and no file has them", () => {
  vi.stubEnv("NODE_ENV", "production");
  const { page, headers, assets } = graphiql({ ...WITH_KEY, query: "{ books { totalCount } }" });
  expect(page(VIEW)).not.toContain(SECRET);
  expect(page(VIEW)).not.toContain("data-headers");
  expect(page(VIEW)).not.toContain("data-open");
  expect(page(VIEW)).toContain('data-query="{ books { totalCount } }"');
  expect(JSON.stringify([headers, assets])).not.toContain(SECRET);
});

test("escapes options in attributes", () => {
  const html = graphiql({ query: '"><script>alert(1)</script>&' }).page({ ...VIEW, title: "</title><b>" });
  expect(html).toContain('data-query="&#34;&#62;&#60;script&#62;alert(1)&#60;/script&#62;&#38;"');
  expect(html).toContain("<title>&#60;/title&#62;&#60;b&#62;: GraphiQL</title>");
});

test("permits only its own server in the policy, and no inline script", () => {
  const policy = graphiql().headers["Content-Security-Policy"] ?? "";
  const rules = new Map(policy.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1)]));
  expect(rules.get("default-src")).toEqual(["'none'"]);
  expect(rules.get("script-src")).toEqual(["'self'"]);
  expect(rules.get("connect-src")).toEqual(["'self'"]);
  expect(policy).not.toMatch(/https?:|\*|unsafe-eval/);
});
